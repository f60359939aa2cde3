import { startOfMinute } from '../world/real-time.ts'
import { dayMs, fromIso, startOfDay } from '../lib/time.ts'
import type { ScenarioHeader } from './prepare.ts'

const weekMs = 7 * dayMs

/** Options that determine the start of a sandbox, besides its scenario. */
export interface StartChoice {
  /** The requested start, epoch ms. It has priority. */
  now?: number | undefined
  /** True if it starts at the real time unless the scenario gives a start, as on a server. */
  beginsNow: boolean
  /** The real time, epoch ms. */
  real: number
}

/** Returns the start of the clock of a scenario, epoch ms. */
export function startOf(
  { now: written, anchor, isStory }: ScenarioHeader,
  { now, beginsNow, real }: StartChoice,
): number {
  if (now !== undefined) return now
  if (anchor === 'today') return latestOf(fromIso(written), real)
  return beginsNow && !isStory && anchor === undefined ? startOfMinute(real) : fromIso(written)
}

/** Moves an instant by whole weeks to the last matching weekday, up to today. Its hour stays. */
function latestOf(instant: number, real: number): number {
  const weeks = Math.floor((startOfDay(real) - startOfDay(instant)) / weekMs)
  return instant + weeks * weekMs
}
