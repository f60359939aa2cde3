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

/**
 * Tells whether fans were there, subscribed, at a time. It reads their times once, which pays for
 * many questions.
 */
export class Presence {
  /** Of all spans, one fan after the other, epoch ms. */
  readonly #starts: number[] = []
  readonly #ends: number[] = []
  /** The place of the first span of each fan, and the number of all spans. */
  readonly #first: number[] = [0]

  /** @param lastDeed until when a fan did anything, epoch ms. */
  constructor(subscriptions: readonly Subscription[], lastDeed: (fanId: number) => number) {
    for (const { fanId, spans } of subscriptions) {
      const last = lastDeed(fanId)
      for (const { from, until } of spans) {
        this.#starts.push(fromIso(from))
        this.#ends.push(Math.min(fromIso(until), last))
      }
      this.#first.push(this.#starts.length)
    }
  }

  /** Whether the fan at that place of the subscriptions was there at that time, epoch ms. */
  has(place: number, time: number): boolean {
    const end = this.#first[place + 1] ?? 0
    for (let span = this.#first[place] ?? 0; span < end; span += 1)
      if ((this.#starts[span] ?? 0) <= time && time < (this.#ends[span] ?? 0)) return true
    return false
  }
}
