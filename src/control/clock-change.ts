import type { WorldClock } from '../world/world-clock.ts'
import type { Work } from '../world/work.ts'
import { checkInput } from '../api/check-input.ts'
import { ClockChange } from './inputs.ts'

/**
 * Validates and starts a clock change. The caller must run the returned `Work`, which runs the
 * effects that become due.
 */
export function startClockChange(clock: WorldClock, change: ClockChange): Work | undefined {
  const { advance, set, mode, rate } = checkInput(ClockChange, change, { verb: 'move the clock' })
  if (advance !== undefined) return clock.advancing(advance)
  if (set !== undefined) return clock.setting(set)
  if (mode === 'frozen') clock.freeze()
  if (mode === 'running') clock.run(rate)
  return undefined
}
