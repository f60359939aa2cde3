import { getStartOfMinute } from '../world/real-time.ts'
import { dayMs, parseIso, getStartOfUtcDay } from '../lib/time.ts'
import type { ScenarioHeader } from './prepare.ts'

const weekMs = 7 * dayMs

/** Options that determine the clock start of a sandbox, in addition to the scenario. */
export interface StartChoice {
  /** Requested start, epoch ms. Overrides all other starts. */
  now?: number | undefined
  /**
   * True if the clock starts at the real time, as on a server, unless the scenario sets a start.
   */
  beginsNow: boolean
  /** Real time, epoch ms. */
  real: number
}

/** Returns the start of the clock of a scenario, epoch ms. */
export function resolveClockStart(
  { now: written, anchor, isStory }: Pick<ScenarioHeader, 'now' | 'anchor' | 'isStory'>,
  { now, beginsNow, real }: StartChoice,
): number {
  if (now !== undefined) return now
  if (anchor === 'today') return findLatestOccurrence(parseIso(written), real)
  return beginsNow && !isStory && anchor === undefined ? getStartOfMinute(real) : parseIso(written)
}

/**
 * Shifts a time by whole weeks to the latest day up to today. The weekday and the time of day stay
 * the same.
 */
function findLatestOccurrence(time: number, real: number): number {
  const weeks = Math.floor((getStartOfUtcDay(real) - getStartOfUtcDay(time)) / weekMs)
  return time + weeks * weekMs
}
