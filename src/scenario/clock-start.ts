import { getStartOfMinute } from '../world/real-time.ts'
import { dayMs, parseIso, getStartOfUtcDay } from '../lib/time.ts'
import type { ScenarioHeader } from './prepare.ts'

const weekMs = 7 * dayMs

/** Options that determine, together with the scenario, when a sandbox's clock starts. */
export interface StartChoice {
  /** Requested start time, epoch ms. Overrides all other start times. */
  now?: number | undefined
  /**
   * If true, the clock starts at the current time when the scenario sets no start time. Servers set
   * this.
   */
  beginsNow: boolean
  /** Returns the real time, epoch ms. */
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
 * Shifts a time by whole weeks to the latest day that is not in the future. The weekday and the
 * time of day stay the same.
 */
function findLatestOccurrence(time: number, real: number): number {
  const weeks = Math.floor((getStartOfUtcDay(real) - getStartOfUtcDay(time)) / weekMs)
  return time + weeks * weekMs
}
