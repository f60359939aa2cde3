import { getBucketStart } from '../../api/lists/day-counts.ts'
import type { JsonFragment } from '../../lib/json-fragment.ts'
import { toCents } from '../../lib/money.ts'
import { defineService } from '../../world/service.ts'
import { filterItems, takeWhile, findPartitionPoint } from '../../lib/iterables.ts'
import { parseIso, toIsoTime } from '../../lib/time.ts'
import type { World } from '../world.ts'
import { toFanKey } from '../fans/fans.table.ts'
import type { Transaction } from '../payments/transactions.table.ts'
import type { Subscription } from '../subscribers/subscriptions.table.ts'
import { toLinkKey, toScopeKey } from './links.table.ts'
import type { LinkMetrics, LinkKind, LinkScope, linkMetrics } from './links.table.ts'
import { listClaimers, getClickCount, isClosedLink, getPlatformLinkName } from './links.ts'
import type { Link } from './links.ts'
import type { z } from 'zod'
import type { SortedList } from '../../data/sorted-list.ts'

/** An event of a link: a claim, or a later payment of the claimer. */
interface LinkEvent {
  /** Epoch ms. */
  at: number
  fanId: number
  /** Number of claims up to and including this event. */
  subsSoFar: number
  /** Claimers' payments up to and including this event, cents. */
  centsSoFar: number
  isPayment: boolean
}

/**
 * Totals of a link in a period: subscribers, revenue in dollars, and the number of claimers who
 * paid.
 */
export interface LinkTotals {
  subs: number
  revenue: number
  spenders: number
}

/** Totals of one UTC day or month, and cumulative totals since the link was created. */
interface LinkBucket extends LinkTotals {
  timestamp: string
  cumulative_subs: number
  cumulative_revenue: number
}

/** A time window, epoch ms. Both ends are inclusive and optional. */
export interface OpenEndedWindow {
  start?: number
  end?: number
}

/** The events of a link, oldest first, and the days and months with events. */
interface LinkHistory {
  events: readonly LinkEvent[]
  day: readonly BucketRange[]
  month: readonly BucketRange[]
}

/** A range of events: the index of the first event, and the index after the last event. */
interface EventRange {
  from: number
  to: number
}

/** The events of one day or month, and their totals. */
interface BucketRange extends EventRange {
  bucket: LinkBucket
}

/**
 * Returns the totals of a link in a window. By default, the window begins at the link's creation.
 */
export function computeLinkTotals(
  world: World,
  link: Link,
  window: OpenEndedWindow = {},
): LinkTotals {
  if (window.start === undefined && window.end === undefined) {
    const { subs, cents, spenders } = getLinkCounts(world, link)
    return { subs, revenue: cents / 100, spenders }
  }
  return world.cached(getTotals, link, findEventRange(getHistory(world, link).events, window))
}

function getTotals(world: World, link: Link, range: EventRange): LinkTotals {
  return sumRange(getHistory(world, link).events, range)
}

/** Returns the claimers' payments in the window, dollars. */
export function sumLinkRevenue(
  world: World,
  link: Link,
  { start = -Infinity, end = Infinity }: OpenEndedWindow,
): number {
  const { events } = getHistory(world, link)
  const { from, to } = findEventRange(events, { start, end })
  return ((events[to - 1]?.centsSoFar ?? 0) - (events[from - 1]?.centsSoFar ?? 0)) / 100
}

/**
 * Returns the totals of a link from its creation to a time, epoch ms (inclusive).
 * @default now
 */
export function computeLinkTotalsUntil(
  world: World,
  link: Link,
  end: number | undefined,
): Omit<LinkTotals, 'spenders'> {
  if (end === undefined) return computeLinkTotals(world, link)
  const { events } = getHistory(world, link)
  const { subsSoFar = 0, centsSoFar = 0 } = events[findEventRange(events, { end }).to - 1] ?? {}
  return { subs: subsSoFar, revenue: centsSoFar / 100 }
}

/** Returns the totals of each UTC day or month with events in the window, oldest first. */
export function computeLinkTotalsByBucket(
  world: World,
  link: Link,
  { by, ...window }: OpenEndedWindow & { by: 'day' | 'month' },
): JsonFragment<LinkBucket[]> {
  // The cache key is the range of events, because a window that ends now is different each time.
  return world.json(toBuckets, link, {
    by,
    ...findEventRange(getHistory(world, link).events, window),
  })
}

function toBuckets(
  world: World,
  link: Link,
  { by, ...inWindow }: EventRange & { by: 'day' | 'month' },
): LinkBucket[] {
  if (inWindow.from === inWindow.to) return []
  const history = getHistory(world, link)
  const ranges = history[by]
  const first = findPartitionPoint(ranges, ({ to }) => to > inWindow.from)
  const end = findPartitionPoint(ranges, ({ from }) => from >= inWindow.to)
  return ranges.slice(first, end).map(({ from, to, bucket }) => {
    if (from >= inWindow.from && to <= inWindow.to) return bucket
    const cut = { from: Math.max(from, inWindow.from), to: Math.min(to, inWindow.to) }
    return toBucket(history.events, cut, bucket.timestamp)
  })
}

/**
 * Iterates lazily over a claimer's payments since the claim, newest first. Skips refunds and rows
 * without a time.
 */
export function listClaimPayments(world: World, claim: Subscription): Iterable<Transaction> {
  const ofFan = world.db.transactions.in('byFan', toFanKey(claim.accountId, claim.fanId))
  const since = takeWhile(
    ofFan.walk(),
    ({ transaction_created_at: time }) => time !== null && time >= claim.subscribedAt,
  )
  return filterItems(since, (row) => isClaimPayment(row, claim))
}

/** Counts a claimer's payments since the claim, and adds up their amounts. */
export function sumClaimPayments(
  world: World,
  claim: Subscription,
): { count: number; cents: number } {
  let count = 0
  let cents = 0
  for (const row of listClaimPayments(world, claim)) {
    count += 1
    cents += toCents(row.amount ?? 0)
  }
  return { count, cents }
}

/**
 * True if a transaction counts for the claimer's link, because it was made after the claim and was
 * not refunded.
 */
export function isClaimPayment(
  row: Transaction | undefined,
  { accountId, fanId, subscribedAt }: Subscription,
): row is Transaction {
  if (row?.fanId !== fanId || row.accountId !== accountId || row.status === 'undo') return false
  return row.transaction_created_at !== null && row.transaction_created_at >= subscribedAt
}

/**
 * Caches link histories. The cache keys are metrics records, because a metrics record is replaced
 * when its link, claims or payments change.
 */
const histories = defineService(() => new WeakMap<LinkMetrics, LinkHistory>())

/** Returns the history of a link from the cache, or computes it. */
function getHistory(world: World, link: Link): LinkHistory {
  const metrics = world.db.linkMetrics.get(toLinkKey(link.kind, link.id))
  const known = metrics && world.service(histories).get(metrics)
  if (known !== undefined) return known
  const events = collectEvents(world, link)
  const history = { events, day: bucketEvents(events, 'day'), month: bucketEvents(events, 'month') }
  if (metrics !== undefined) world.service(histories).set(metrics, history)
  return history
}

function bucketEvents(events: readonly LinkEvent[], width: 'day' | 'month'): BucketRange[] {
  const startOf = (event: LinkEvent | undefined) => getBucketStart(event?.at ?? 0, width)
  const ranges: BucketRange[] = []
  for (let from = 0; from < events.length;) {
    const start = startOf(events[from])
    let to = from + 1
    while (to < events.length && startOf(events[to]) === start) to += 1
    ranges.push({ from, to, bucket: toBucket(events, { from, to }, toIsoTime(start)) })
    from = to
  }
  return ranges
}

function toBucket(events: readonly LinkEvent[], range: EventRange, timestamp: string): LinkBucket {
  const { subsSoFar = 0, centsSoFar = 0 } = events[range.to - 1] ?? {}
  return {
    timestamp,
    ...sumRange(events, range),
    cumulative_subs: subsSoFar,
    cumulative_revenue: centsSoFar / 100,
  }
}

function collectEvents(world: World, link: Link): LinkEvent[] {
  const found: { at: number; fanId: number; cents?: number }[] = []
  for (const claim of listClaimers(world, link).walk()) {
    found.push({ at: parseIso(claim.subscribedAt), fanId: claim.fanId })
    for (const row of listClaimPayments(world, claim)) {
      found.push({
        at: parseIso(row.transaction_created_at ?? ''),
        fanId: claim.fanId,
        cents: toCents(row.amount ?? 0),
      })
    }
  }
  let subsSoFar = 0
  let centsSoFar = 0
  return found
    .sort((a, b) => a.at - b.at)
    .map(({ at, fanId, cents }) => {
      if (cents === undefined) subsSoFar += 1
      centsSoFar += cents ?? 0
      return { at, fanId, subsSoFar, centsSoFar, isPayment: cents !== undefined }
    })
}

/** Returns the range of the events in the window. */
function findEventRange(
  events: readonly LinkEvent[],
  { start = -Infinity, end = Infinity }: OpenEndedWindow,
): EventRange {
  const from = findPartitionPoint(events, ({ at }) => at >= start)
  const to = findPartitionPoint(events, ({ at }) => at > end)
  return { from, to: Math.max(from, to) }
}

function sumRange(events: readonly LinkEvent[], { from, to }: EventRange): LinkTotals {
  const { subsSoFar: subsBefore = 0, centsSoFar: centsBefore = 0 } = events[from - 1] ?? {}
  const { subsSoFar = 0, centsSoFar = 0 } = events[to - 1] ?? {}
  const spenders = new Set<number>()
  for (let index = from; index < to; index += 1) {
    const event = events[index]
    if (event?.isPayment === true) spenders.add(event.fanId)
  }
  return {
    subs: subsSoFar - subsBefore,
    revenue: (centsSoFar - centsBefore) / 100,
    spenders: spenders.size,
  }
}

/** Sort fields of links. */
export type LinkSort = keyof typeof linkMetrics.indexes

/** Counts of a link that are derived from its claims, payments and shares. */
export type LinkCounts = Pick<z.infer<typeof LinkMetrics>, 'subs' | 'cents' | 'spenders' | 'shares'>

const zeroCounts: LinkCounts = { subs: 0, cents: 0, spenders: 0, shares: 0 }

/** Returns the counts of a link. */
export function getLinkCounts(world: World, { kind, id }: Pick<Link, 'kind' | 'id'>): LinkCounts {
  return world.db.linkMetrics.get(toLinkKey(kind, id)) ?? zeroCounts
}

/** Returns the metrics of the account's links in a scope, in descending order of `sort`. */
export function rankLinks(
  world: World,
  { kind, accountId, sort }: { kind: LinkKind; accountId: number; sort: LinkSort },
  scope: LinkScope,
): SortedList<LinkMetrics> {
  return world.db.linkMetrics.in(sort, toScopeKey(kind, accountId, scope))
}

/** Sorts after all times, because every time begins with a digit. */
const neverExpires = 'never'

/** Returns the metrics record of a link with these counts. */
export function toLinkMetrics(link: Link, counts: LinkCounts = zeroCounts): LinkMetrics {
  const { kind, id, accountId, isHidden, createdAt } = link
  const { subs, cents, spenders, shares } = counts
  return {
    id: toLinkKey(kind, id),
    kind,
    linkId: id,
    accountId,
    isHidden,
    isOver: isClosedLink(link),
    createdAt,
    name: getPlatformLinkName(link).toLowerCase(),
    clicks: getClickCount(link),
    expiresAt: (link.kind === 'trial' ? link.expiredAt : null) ?? neverExpires,
    days: link.kind === 'trial' ? link.subscribeDays : 0,
    limit: link.kind === 'trial' ? link.subscribeCounts : 0,
    subs,
    cents,
    spenders,
    shares,
  }
}
