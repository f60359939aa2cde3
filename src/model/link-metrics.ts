import { fromIso, startOfDay, toIso } from '../schemas/time.ts'
import { claimersOf } from './links.ts'
import type { TrackingLink } from './links.ts'
import { fanKey, toCents } from './transactions.ts'
import type { World } from './world.ts'

/** Something that happened to a link: a claim, or a purchase of a claimer since. */
interface LinkEvent {
  /** Epoch ms. */
  at: number
  fanId: number
  /** What was paid; undefined for the claim. */
  cents?: number
}

/** What a link brought in some time. Dollars. */
export interface LinkTotals {
  subs: number
  revenue: number
  spenders: number
}

/** The totals of one UTC day or month, and those from the link's inception to its end. */
export interface LinkBucket extends LinkTotals {
  timestamp: string
  cumulative_subs: number
  cumulative_revenue: number
}

/** A window of time, epoch ms, both ends inclusive; an absent one is open. */
export interface OpenWindow {
  start?: number
  end?: number
}

/** What the link brought in the window. */
export function sumLink(world: World, link: TrackingLink, { start = -Infinity, end = Infinity }: OpenWindow = {}): LinkTotals {
  return sum(eventsOf(world, link).filter(({ at }) => at >= start && at <= end))
}

/** The days or months of the window on which something happened, oldest first, cut on whole UTC boundaries. */
export function bucketLink(world: World, link: TrackingLink, { by, start = -Infinity, end = Infinity }: OpenWindow & { by: 'day' | 'month' }): LinkBucket[] {
  const events = eventsOf(world, link)
    .filter(({ at }) => at <= end)
    .toSorted((a, b) => a.at - b.at)
  const buckets = new Map<number, LinkEvent[]>()
  let [subsBefore, centsBefore] = [0, 0]
  for (const event of events) {
    if (event.at < start) {
      if (event.cents === undefined) subsBefore += 1
      else centsBefore += event.cents
      continue
    }
    const from = by === 'day' ? startOfDay(event.at) : startOfMonth(event.at)
    buckets.set(from, [...(buckets.get(from) ?? []), event])
  }
  return [...buckets].map(([from, inBucket]) => {
    const totals = sum(inBucket)
    subsBefore += totals.subs
    centsBefore += toCents(totals.revenue)
    return { timestamp: toIso(from), ...totals, cumulative_subs: subsBefore, cumulative_revenue: centsBefore / 100 }
  })
}

/** The claims of a link and what its claimers paid since, refunds and rows without a time left out. */
function eventsOf(world: World, link: TrackingLink): LinkEvent[] {
  return claimersOf(world, link)
    .slice()
    .flatMap(({ accountId, fanId, subscribedAt }) => {
      const paid = world.db.transactions.in('byFan', fanKey(accountId, fanId)).slice()
      const since = paid.filter(({ status, transaction_created_at: time }) => status !== 'undo' && time !== null && time >= subscribedAt)
      return [{ at: fromIso(subscribedAt), fanId }, ...since.map((row) => ({ at: fromIso(row.transaction_created_at ?? subscribedAt), fanId, cents: toCents(row.amount ?? 0) }))]
    })
}

function sum(events: readonly LinkEvent[]): LinkTotals {
  const payments = events.filter(({ cents }) => cents !== undefined)
  return {
    subs: events.length - payments.length,
    revenue: payments.reduce((cents, event) => cents + (event.cents ?? 0), 0) / 100,
    spenders: new Set(payments.map(({ fanId }) => fanId)).size,
  }
}

function startOfMonth(epochMs: number): number {
  const date = new Date(epochMs)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1)
}
