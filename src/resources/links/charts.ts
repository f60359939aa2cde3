import { getBucketStart, chooseBucketWidth } from '../../api/lists/buckets.ts'
import { buildDailyCountChart, countByDay, computeTrend } from '../../api/lists/day-counts.ts'
import type { SortedList } from '../../data/sorted-list.ts'
import type { Account } from '../../world/tenancy/tenancy.table.ts'
import { toUtcDay } from '../../lib/time.ts'
import type { Span } from '../../api/lists/window.ts'
import type { World } from '../world.ts'
import type { Subscription } from '../subscribers/subscriptions.table.ts'
import { sumLinkRevenue } from './link-totals.ts'
import type { LinkKind } from './links.table.ts'
import { listClaimers } from './links.ts'
import type { Link } from './links.ts'

/** Returns a link's claims in a window by UTC day, and the payments of the claimers. */
export function buildLinkChart(world: World, link: Link, { start, end }: Span) {
  return world.json(toLinkChart, link, { start, end })
}

function toLinkChart(world: World, link: Link, window: Span) {
  return {
    ...buildDailyCountChart(listClaimers(world, link), window, claimedAt),
    gross: sumLinkRevenue(world, link, window),
  }
}

/**
 * Counts the links of one kind that were created in a window, and the fans who claimed them.
 * Includes a chart of the claims.
 */
export function summariseLinks(
  world: World,
  { account, kind }: { account: Account; kind: LinkKind },
  { start, end }: Span,
) {
  return world.json(toOverview, account, { kind, start, end })
}

function toOverview(
  world: World,
  account: Account,
  { kind, ...window }: Span & { kind: LinkKind },
) {
  const claims = world.db.subscriptions.in('byLinkKind', `${kind}:${account.id}`)
  const { trackingLinks, trialLinks } = world.db
  const links =
    kind === 'tracking'
      ? trackingLinks.in('byAccount', account.id)
      : trialLinks.in('byAccount', account.id)
  const linkTrend = computeTrend<Link>(links as SortedList<Link>, window, createdAt)
  const claimTrend = computeTrend(claims, window, claimedAt)
  return {
    hasStatistic: linkTrend.total + claimTrend.total > 0,
    offers: linkTrend,
    claims: claimTrend,
    chartData: countByDayOrMonth(claims, window).map(({ start, count }) => ({
      date: toUtcDay(start),
      count,
    })),
  }
}

const claimedAt = ({ subscribedAt }: Subscription) => subscribedAt
const createdAt = (link: Link) => link.createdAt

/**
 * Counts the claims by day, or by month in a long window, oldest first. Empty buckets are omitted.
 */
function countByDayOrMonth(
  claims: SortedList<Subscription>,
  window: Span,
): { start: number; count: number }[] {
  // The chart shows dates without a time, so its buckets are never hourly.
  const width = chooseBucketWidth(window) === 'month' ? 'month' : 'day'
  const buckets = new Map<number, number>()
  for (const { day, count } of countByDay(claims, window, claimedAt)) {
    const start = getBucketStart(day, width)
    buckets.set(start, (buckets.get(start) ?? 0) + count)
  }
  return [...buckets].map(([start, count]) => ({ start, count }))
}
