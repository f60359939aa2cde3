import { partition } from '../../engine/store/sorted-list.ts'
import { fromIso } from '../../engine/time.ts'
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

/** Counts the fans of an account over time. It sorts their comings and goings once, which pays for many questions. */
export function countFans(subscriptions: readonly Subscription[]): Crowd {
  const spans = subscriptions.flatMap((subscription) => subscription.spans)
  const sorted = (times: readonly string[]) => times.map(fromIso).sort((a, b) => a - b)
  const starts = sorted(spans.map(({ from }) => from))
  const ends = sorted(spans.map(({ until }) => until))
  const joins = sorted(subscriptions.map(({ subscribedAt }) => subscribedAt))
  const upTo = (times: readonly number[], time: number) => partition(times, (each) => each > time)
  return {
    at: (time) => upTo(starts, time) - upTo(ends, time),
    until: (time) => upTo(joins, time),
    between: (from, to) => upTo(starts, to) - upTo(starts, from),
  }
}
