import { bucketStart, bucketWidth } from '../../engine/buckets.ts'
import type { SortedList } from '../../engine/store/sorted-list.ts'
import type { Account } from '../../engine/tenancy/tenancy.table.ts'
import { fromIso, startOfDay, toDay, toIso } from '../../engine/time.ts'
import type { Window } from '../../engine/window.ts'
import type { World } from '../../world/world.ts'
import type { Subscription } from '../subscribers/subscriptions.table.ts'
import { sumLink } from './events.ts'
import type { LinkKind } from './links.table.ts'
import { claimersOf } from './links.ts'
import type { Link } from './links.ts'

/** A count in a window, and its change in per cent since the window of the same length before. */
export interface Trend {
  total: number
  delta: number
}

/** The claims of a link in a window, day by day, and what its claimers paid in it. */
export function chartLink(world: World, link: Link, window: Window) {
  const claims = claimersOf(world, link)
  const chart = countDays(claims, window).map(({ day, count }) => ({ date: toIso(day), count }))
  return { chart, ...trendOf(claims, window, claimedAt), gross: sumLink(world, link, window).revenue }
}

/** How the links of a kind did in a window: those made, and the claims of all. */
export function overviewLinks(world: World, { account, kind }: { account: Account; kind: LinkKind }, window: Window) {
  const claims = world.db.subscriptions.in('byLinkKind', `${kind}:${account.id}`)
  const { trackingLinks, trialLinks } = world.db
  const made = kind === 'tracking' ? trackingLinks.in('byAccount', account.id) : trialLinks.in('byAccount', account.id)
  const offers = trendOf<Link>(made as SortedList<Link>, window, createdAt)
  const claimed = trendOf(claims, window, claimedAt)
  return {
    hasStatistic: offers.total + claimed.total > 0,
    offers,
    claims: claimed,
    chartData: countBuckets(claims, window).map(({ start, count }) => ({ date: toDay(start), count })),
  }
}

const claimedAt = ({ subscribedAt }: Subscription) => subscribedAt
const createdAt = (link: Link) => link.createdAt

/** Counts the rows of a window by bisection; the list is newest first. */
function trendOf<Row>(rows: SortedList<Row>, { start, end }: Window, time: (row: Row) => string): Trend {
  const total = countBetween(rows, { start, end }, time)
  const before = countBetween(rows, { start: start - (end - start) - 1, end: start - 1 }, time)
  const growth = before === 0 ? Number(total > 0) : (total - before) / before
  return { total, delta: Math.round(growth * 10_000) / 100 }
}

function countBetween<Row>(rows: SortedList<Row>, { start, end }: { start: number; end: number }, time: (row: Row) => string): number {
  const [from, to] = [toIso(start), toIso(end)]
  return rows.rank((row) => time(row) < from) - rows.rank((row) => time(row) <= to)
}

/** The days on which something was claimed, oldest first: one bisection a day, so that no row in between is read. */
function countDays(claims: SortedList<Subscription>, { start, end }: Window): { day: number; count: number }[] {
  const days: { day: number; count: number }[] = []
  const [from, to] = [toIso(start), toIso(end)]
  let place = claims.rank((row) => row.subscribedAt <= to)
  for (let row = claims.at(place); row !== undefined && row.subscribedAt >= from; row = claims.at(place)) {
    const day = startOfDay(fromIso(row.subscribedAt))
    const dayOrStart = toIso(Math.max(day, start))
    const next = claims.rank((other) => other.subscribedAt < dayOrStart)
    days.push({ day, count: next - place })
    place = next
  }
  return days.toReversed()
}

/** The days, or in a long window the months, in which something was claimed, oldest first. */
function countBuckets(claims: SortedList<Subscription>, window: Window): { start: number; count: number }[] {
  // A date without a time cannot tell hours apart.
  const width = bucketWidth(window) === 'month' ? 'month' : 'day'
  const buckets = new Map<number, number>()
  for (const { day, count } of countDays(claims, window)) {
    const start = bucketStart(day, width)
    buckets.set(start, (buckets.get(start) ?? 0) + count)
  }
  return [...buckets].map(([start, count]) => ({ start, count }))
}
