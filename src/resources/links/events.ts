import { toCents } from '../../engine/money.ts'
import { definePart } from '../../engine/part.ts'
import { partition } from '../../engine/store/sorted-list.ts'
import { fromIso, startOfDay, toIso } from '../../engine/time.ts'
import type { World } from '../../world/world.ts'
import { fanKey } from '../fans/fans.table.ts'
import type { Transaction } from '../payments/transactions.table.ts'
import type { Subscription } from '../subscribers/subscriptions.table.ts'
import { linkKey } from './links.table.ts'
import type { LinkMetrics } from './links.table.ts'
import { claimersOf } from './links.ts'
import type { Link } from './links.ts'
import { metricsOf } from './metrics.ts'

/** Something that happened to a link: a claim, or a purchase of a claimer since. */
export interface LinkEvent {
  /** Epoch ms. */
  at: number
  fanId: number
  /** Claims up to this event, this one included. */
  subsSoFar: number
  /** What was paid up to this event, this one included. */
  centsSoFar: number
  isPayment: boolean
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

/** All that happened to a link, oldest first, and its days and months: places of the events of each. */
export interface LinkHistory {
  events: readonly LinkEvent[]
  day: readonly Span[]
  month: readonly Span[]
}

interface Span {
  from: number
  to: number
  bucket: LinkBucket
}

/** What the link brought in the window; without one, in all its time. */
export function sumLink(world: World, link: Link, window: OpenWindow = {}): LinkTotals {
  if (window.start === undefined && window.end === undefined) {
    const { subs, cents, spenders } = metricsOf(world, link)
    return { subs, revenue: cents / 100, spenders }
  }
  const { events } = historyOf(world, link)
  return sum(events, ...placesOf(events, window))
}

/** What the link brought from its inception to that time, epoch ms; all when it is left out. */
export function sumLinkUntil(world: World, link: Link, end: number | undefined): Omit<LinkTotals, 'spenders'> {
  if (end === undefined) return sumLink(world, link)
  const { events } = historyOf(world, link)
  const { subsSoFar = 0, centsSoFar = 0 } = events[placesOf(events, { end })[1] - 1] ?? {}
  return { subs: subsSoFar, revenue: centsSoFar / 100 }
}

/** The days or months of the window on which something happened, oldest first, cut on whole UTC boundaries. */
export function bucketLink(world: World, link: Link, { by, ...window }: OpenWindow & { by: 'day' | 'month' }): LinkBucket[] {
  const history = historyOf(world, link)
  const [first, end] = placesOf(history.events, window)
  const spans = history[by]
  const inWindow = spans.slice(
    partition(spans, ({ to }) => to > first),
    partition(spans, ({ from }) => from >= end),
  )
  return inWindow.map(({ from, to, bucket }) =>
    from >= first && to <= end
      ? bucket
      : toBucket(history.events, { from: Math.max(from, first), to: Math.min(to, end) }, bucket.timestamp),
  )
}

/** The payments of a claimer since they came, newest first, refunds and rows without a time left out. */
export function* paymentsOf(world: World, claim: Subscription): Generator<Transaction> {
  for (const row of world.db.transactions.in('byFan', fanKey(claim.accountId, claim.fanId)).walk()) {
    if (row.transaction_created_at === null || row.transaction_created_at < claim.subscribedAt) return
    if (isPaymentOf(row, claim)) yield row
  }
}

/** What a claimer paid since they came. */
export function sumPayments(world: World, claim: Subscription): { count: number; cents: number } {
  let [count, cents] = [0, 0]
  for (const row of paymentsOf(world, claim)) {
    count += 1
    cents += toCents(row.amount ?? 0)
  }
  return { count, cents }
}

/** Whether the link that brought the claimer counts that purchase. */
export function isPaymentOf(row: Transaction | undefined, { accountId, fanId, subscribedAt }: Subscription): row is Transaction {
  if (row?.fanId !== fanId || row.accountId !== accountId || row.status === 'undo') return false
  return row.transaction_created_at !== null && row.transaction_created_at >= subscribedAt
}

/** What happened to links, for as long as their metrics are these. */
const histories = definePart(() => new WeakMap<LinkMetrics, LinkHistory>())

/** The history of a link, gathered anew only when its metrics are another record. */
function historyOf(world: World, link: Link): LinkHistory {
  const metrics = world.db.linkMetrics.get(linkKey(link.kind, link.id))
  const known = metrics && world.part(histories).get(metrics)
  if (known !== undefined) return known
  const events = gatherEvents(world, link)
  const history = { events, day: spansOf(events, startOfDay), month: spansOf(events, startOfMonth) }
  if (metrics !== undefined) world.part(histories).set(metrics, history)
  return history
}

function spansOf(events: readonly LinkEvent[], startOf: (epochMs: number) => number): Span[] {
  const spans: Span[] = []
  for (let from = 0; from < events.length;) {
    const start = startOf(events[from]?.at ?? 0)
    let to = from + 1
    while (to < events.length && startOf(events[to]?.at ?? 0) === start) to += 1
    spans.push({ from, to, bucket: toBucket(events, { from, to }, toIso(start)) })
    from = to
  }
  return spans
}

function toBucket(events: readonly LinkEvent[], { from, to }: Pick<Span, 'from' | 'to'>, timestamp: string): LinkBucket {
  const { subsSoFar = 0, centsSoFar = 0 } = events[to - 1] ?? {}
  return { timestamp, ...sum(events, from, to), cumulative_subs: subsSoFar, cumulative_revenue: centsSoFar / 100 }
}

function gatherEvents(world: World, link: Link): LinkEvent[] {
  const happened: { at: number; fanId: number; cents?: number }[] = []
  for (const claim of claimersOf(world, link).walk()) {
    happened.push({ at: fromIso(claim.subscribedAt), fanId: claim.fanId })
    for (const row of paymentsOf(world, claim)) {
      happened.push({ at: fromIso(row.transaction_created_at ?? ''), fanId: claim.fanId, cents: toCents(row.amount ?? 0) })
    }
  }
  let [subsSoFar, centsSoFar] = [0, 0]
  return happened
    .sort((a, b) => a.at - b.at)
    .map(({ at, fanId, cents }) => {
      if (cents === undefined) subsSoFar += 1
      centsSoFar += cents ?? 0
      return { at, fanId, subsSoFar, centsSoFar, isPayment: cents !== undefined }
    })
}

/** The places of the first event of the window and of the first one after it. */
function placesOf(events: readonly LinkEvent[], { start = -Infinity, end = Infinity }: OpenWindow): [from: number, to: number] {
  const from = partition(events, ({ at }) => at >= start)
  return [
    from,
    Math.max(
      from,
      partition(events, ({ at }) => at > end),
    ),
  ]
}

function sum(events: readonly LinkEvent[], from: number, to: number): LinkTotals {
  const { subsSoFar: subsBefore = 0, centsSoFar: centsBefore = 0 } = events[from - 1] ?? {}
  const { subsSoFar = 0, centsSoFar = 0 } = events[to - 1] ?? {}
  const spenders = new Set<number>()
  for (let place = from; place < to; place += 1) {
    const event = events[place]
    if (event?.isPayment === true) spenders.add(event.fanId)
  }
  return { subs: subsSoFar - subsBefore, revenue: (centsSoFar - centsBefore) / 100, spenders: spenders.size }
}

function startOfMonth(epochMs: number): number {
  const date = new Date(epochMs)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1)
}
