import { findPartitionPoint } from '../../lib/iterables.ts'
import { parseIso } from '../../lib/time.ts'
import type { Subscription } from './subscriptions.table.ts'

/** Counts an account's fans at different times. Times are epoch ms. */
export interface FanCounter {
  /** Returns the number of subscribers at a given time. */
  at: (time: number) => number
  /**
   * Returns the number of fans who had subscribed by a given time, including former subscribers.
   */
  until: (time: number) => number
  /**
   * Returns the number of subscriptions that started between two times. Returning fans count again.
   */
  between: (from: number, to: number) => number
}

/**
 * Creates a counter for the fans of an account. Sorts all starts and ends only once, so that many
 * queries are fast.
 */
export function createFanCounter(subscriptions: readonly Subscription[]): FanCounter {
  const starts: number[] = []
  const ends: number[] = []
  const joins: number[] = []
  for (const { subscribedAt, spans } of subscriptions) {
    joins.push(parseIso(subscribedAt))
    for (const { from, until } of spans) {
      starts.push(parseIso(from))
      ends.push(parseIso(until))
    }
  }
  const [started, ended, joined] = [sortTimes(starts), sortTimes(ends), sortTimes(joins)]
  return {
    at: (time) => countUpTo(started, time) - countUpTo(ended, time),
    until: (time) => countUpTo(joined, time),
    between: (from, to) => countUpTo(started, to) - countUpTo(started, from),
  }
}

/**
 * Returns the numbers in ascending order.
 * @note A typed array is sorted without a comparator, which is faster.
 */
function sortTimes(times: readonly number[]): Float64Array {
  return Float64Array.from(times).sort()
}

/** Returns the number of sorted times that are not after a given time. */
function countUpTo(times: Float64Array, time: number): number {
  return findPartitionPoint(times, (each) => each > time)
}

/** True if the fan with the given index was subscribed at the given time, epoch ms. */
export type IsActiveFan = (place: number, time: number) => boolean

/**
 * Returns a predicate for active subscriptions. Reads the periods of all fans only once, so that
 * many calls are fast.
 * @param lastActiveAt returns the time of a fan's last activity, epoch ms
 */
export function createActiveFanCheck(
  subscriptions: readonly Subscription[],
  lastActiveAt: (fanId: number) => number,
): IsActiveFan {
  // The subscription spans of all fans, concatenated.
  const starts: number[] = []
  const ends: number[] = []
  // The index of each fan's first span, followed by the total number of spans.
  const first = [0]
  for (const { fanId, spans } of subscriptions) {
    const last = lastActiveAt(fanId)
    for (const { from, until } of spans) {
      starts.push(parseIso(from))
      ends.push(Math.min(parseIso(until), last))
    }
    first.push(starts.length)
  }
  return (place, time) => {
    const end = first[place + 1] ?? 0
    for (let span = first[place] ?? 0; span < end; span += 1)
      if ((starts[span] ?? 0) <= time && time < (ends[span] ?? 0)) return true
    return false
  }
}
