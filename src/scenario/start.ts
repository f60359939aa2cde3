import { startOfMinute } from '../world/real-time.ts'
import { dayMs, fromIso, startOfDay } from '../lib/time.ts'
import type { ScenarioHeader } from './prepare.ts'

const weekMs = 7 * dayMs

/** What decides when a sandbox begins, besides its scenario. */
export interface StartChoice {
  /** The start that was asked for, epoch ms. It goes before all else. */
  now?: number | undefined
  /** Whether it begins now where the scenario leaves that open, as a server does. */
  beginsNow: boolean
  /** The real time, epoch ms. */
  real: number
}

/** When the clock of a scenario starts, epoch ms. */
export function startOf(
  { now: written, anchor, isStory }: ScenarioHeader,
  { now, beginsNow, real }: StartChoice,
): number {
  if (now !== undefined) return now
  if (anchor === 'today') return latestOf(fromIso(written), real)
  return beginsNow && !isStory && anchor === undefined ? startOfMinute(real) : fromIso(written)
}

/**
 * Moves an instant by whole weeks to the last day up to today that has its weekday. Its hour stays.
 */
function latestOf(instant: number, real: number): number {
  const weeks = Math.floor((startOfDay(real) - startOfDay(instant)) / weekMs)
  return instant + weeks * weekMs
}
