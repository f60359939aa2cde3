import { fromIso } from '../../lib/time.ts'
import type { Subscription } from './subscriptions.table.ts'

/** How many fans an account had, and how many came. Times are epoch ms. */
export interface Crowd {
  /** How many were subscribed at that time. */
  at: (time: number) => number
  /** How many had subscribed once by that time, whether they stayed or not. */
  until: (time: number) => number
  /** How many came, for the first time or again, between two times. */
  between: (from: number, to: number) => number
}

/**
 * Counts the fans of an account over time. It sorts their comings and goings once, which pays for
 * many questions.
 */
export function countFans(subscriptions: readonly Subscription[]): Crowd {
  const starts: number[] = []
  const ends: number[] = []
  const joins: number[] = []
  for (const { subscribedAt, spans } of subscriptions) {
    joins.push(fromIso(subscribedAt))
    for (const { from, until } of spans) {
      starts.push(fromIso(from))
      ends.push(fromIso(until))
    }
  }
  const [started, ended, joined] = [inOrder(starts), inOrder(ends), inOrder(joins)]
  return {
    at: (time) => countUpTo(started, time) - countUpTo(ended, time),
    until: (time) => countUpTo(joined, time),
    between: (from, to) => countUpTo(started, to) - countUpTo(started, from),
  }
}

/**
 * The numbers in order. @note Arrays of numbers alone sort without a function that compares two of
 * them.
 */
function inOrder(times: readonly number[]): Float64Array {
  return Float64Array.from(times).sort()
}

/** How many of the times, in order, are not after that one. */
function countUpTo(times: Float64Array, time: number): number {
  let [low, high] = [0, times.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((times[middle] ?? 0) > time) high = middle
    else low = middle + 1
  }
  return low
}

/** True if the fan at that place of the subscriptions was subscribed at a time, epoch ms. */
export type IsPresent = (place: number, time: number) => boolean

/**
 * Makes the test for the presence of fans. It reads their times once, which pays for many calls.
 *
 * @param lastDeed the last time that a fan did anything, epoch ms
 */
export function presenceOf(
  subscriptions: readonly Subscription[],
  lastDeed: (fanId: number) => number,
): IsPresent {
  // The spans of all fans, one fan after the other.
  const starts: number[] = []
  const ends: number[] = []
  // The place of the first span of each fan, and at the end the number of spans.
  const first = [0]
  for (const { fanId, spans } of subscriptions) {
    const last = lastDeed(fanId)
    for (const { from, until } of spans) {
      starts.push(fromIso(from))
      ends.push(Math.min(fromIso(until), last))
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
