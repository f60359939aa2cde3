import { getStartOfMinute } from '../world/real-time.ts'
import { dayMs, parseIso, getStartOfUtcDay } from '../lib/time.ts'
import type { ScenarioHeader } from './prepare.ts'

const weekMs = 7 * dayMs

/** Options that, together with the scenario, determine the start time of a sandbox's clock. */
export interface StartChoice {
  /** Requested start time, epoch ms. Overrides all other start times. */
  now?: number | undefined
  /**
   * True if the clock starts at the real time, unless the scenario sets a start time. Servers set
   * this.
   */
  beginsNow: boolean
  /** Real time, epoch ms. */
  real: number
}

/** Returns the start time of a scenario's clock, epoch ms. */
export function resolveClockStart(
  { now: written, anchor, isStory }: Pick<ScenarioHeader, 'now' | 'anchor' | 'isStory'>,
  { now, beginsNow, real }: StartChoice,
): number {
  if (now !== undefined) return now
  if (anchor === 'today') return findLatestOccurrence(parseIso(written), real)
  return beginsNow && !isStory && anchor === undefined ? getStartOfMinute(real) : parseIso(written)
}

/**
 * Shifts a time by whole weeks, to the latest day that is not after today. The weekday and the time
 * of day stay the same.
 */
function findLatestOccurrence(time: number, real: number): number {
  const weeks = Math.floor((getStartOfUtcDay(real) - getStartOfUtcDay(time)) / weekMs)
  return time + weeks * weekMs
}
