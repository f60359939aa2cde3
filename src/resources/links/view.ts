import type { JsonFragment } from '../../lib/json-fragment.ts'
import { parseIso, toPlatformTime, truncateToSecond, toUtcDay } from '../../lib/time.ts'
import type { Span } from '../../api/lists/windows.ts'
import type { World } from '../world.ts'
import { isShareActive, listLinkShares } from '../link-shares/link-shares.ts'
import type { TrackingLink } from '../tracking-links/tracking-links.table.ts'
import type { TrialLink } from '../trial-links/trial-links.table.ts'
import { computeLinkTotals, getLinkCounts, sumLinkRevenue } from './link-totals.ts'
import type { LinkTotals } from './link-totals.ts'
import { getClickCount, listClaimers } from './links.ts'
import type { Link } from './links.ts'
import {
  getBucketStart,
  chooseBucketWidth,
  buildDailyCountChart,
  countByDay,
  computeTrend,
} from '../../api/lists/day-counts.ts'
import type { SortedList } from '../../data/sorted-list.ts'
import type { Account } from '../../world/tenancy/tenancy.table.ts'
import type { Subscription } from '../subscribers/subscriptions.table.ts'
import type { LinkKind } from './links.table.ts'

/** Converts a link to its API form. */
export function toLinkItem(world: World, link: Link) {
  return link.kind === 'tracking' ? toTrackingItem(world, link) : toTrialItem(world, link)
}

/** Converts a tracking link to its API form. */
export function toTrackingItem(world: World, link: TrackingLink) {
  return addCalculationTime(world, link, world.json(serialiseTrackingItem, link))
}

/** Converts a trial link to its API form. */
export function toTrialItem(world: World, link: TrialLink) {
  return addCalculationTime(world, link, world.json(serialiseTrialItem, link))
}

/**
 * Placeholder for the time when the revenue was calculated. It is replaced with the response time.
 */
const calculatedMark = 'yyyy-mm-ddThh:mm:ss.sssZ'

/**
 * Replaces the placeholder with the time when the revenue was calculated. Only the last placeholder
 * is replaced, because earlier occurrences could be part of a user's text.
 */
function addCalculationTime<Item>(
  world: World,
  link: Link,
  item: JsonFragment<Item>,
): JsonFragment<Item> {
  return getLinkCounts(world, link).subs === 0
    ? item
    : item.replaceLast(calculatedMark, world.clock.iso())
}

function serialiseTrackingItem(world: World, link: TrackingLink) {
  const totals = computeLinkTotals(world, link)
  const { id, campaignName, campaignCode, campaignUrl, countTransitions, createdAt, endDate } = link
  const { isLoading, calculatedAt, ...revenue } = toRevenue(totals)
  return {
    id,
    campaignName,
    campaignCode: String(campaignCode),
    campaignUrl,
    countTransitions,
    countSubscribers: totals.subs,
    createdAt,
    endDate,
    ...toSharedFields(world, link, totals),
    revenue: {
      ...revenue,
      revenuePerClick: computeAmountPerUnit(totals.revenue, countTransitions) ?? 0,
      calculatedAt,
      isLoading,
    },
  }
}

function serialiseTrialItem(world: World, link: TrialLink) {
  const { accountId } = link
  const totals = computeLinkTotals(world, link)
  return {
    id: link.id,
    trialLinkName: link.trialLinkName,
    url: link.url,
    subscribeDays: link.subscribeDays,
    subscribeCounts: link.subscribeCounts,
    claimCounts: totals.subs,
    clicksCounts: link.clicksCounts,
    isFinished: link.finishedAt !== null,
    createdAt: link.createdAt,
    expiredAt: link.expiredAt,
    user: { id: accountId, username: world.db.accounts.get(accountId)?.username ?? '' },
    sharedWith: listLinkShares(world, link).flatMap((share) =>
      isShareActive(world, share) && share.label ? share.label : [],
    ),
    ...toSharedFields(world, link, totals),
    revenue: toRevenue(totals),
  }
}

/**
 * Converts a tracking link to a row of the platform's list. If a window is given, the row counts
 * only subscribers and clicks in that window.
 */
export function toTrackingRow(world: World, link: TrackingLink, window?: Span) {
  if (window === undefined)
    return addCalculationTime(world, link, world.json(serialiseTrackingRow, link))
  const row = world.cached(serialiseTrackingRow, link)
  const countSubscribers = computeLinkTotals(world, link, window).subs
  const calculatedAt = row.revenue.calculatedAt && world.clock.iso()
  return {
    ...row,
    countSubscribers,
    countTransitions: Math.max(countSubscribers, estimateClicks(world, link, window)),
    revenue: { ...row.revenue, calculatedAt },
  }
}

/** Converts a trial link to a row of the platform's list. */
export function toTrialRow(world: World, link: TrialLink) {
  return addCalculationTime(world, link, world.json(serialiseTrialRow, link))
}

function serialiseTrackingRow(world: World, link: TrackingLink) {
  const { createdAt, endDate, ...item } = serialiseTrackingItem(world, link)
  const deletedAt = toPlatformTime(endDate)
  return { ...item, createdAt: toPlatformTime(createdAt), endDate: deletedAt, deletedAt }
}

function serialiseTrialRow(world: World, link: TrialLink) {
  const { createdAt, expiredAt, ...item } = serialiseTrialItem(world, link)
  return { ...item, createdAt: truncateToSecond(createdAt), expiredAt: truncateToSecond(expiredAt) }
}

/**
 * Estimates the clicks in a window, assuming that they are evenly distributed over the life of the
 * link.
 */
function estimateClicks(
  world: World,
  { createdAt, endDate, countTransitions }: TrackingLink,
  { start, end }: Span,
): number {
  const first = parseIso(createdAt)
  const last = endDate === null ? world.clock.now() : parseIso(endDate)
  const lifetime = last - first
  const shared = Math.min(end, last) - Math.max(start, first)
  if (shared < 0) return 0
  return lifetime <= 0 ? countTransitions : Math.round((countTransitions * shared) / lifetime)
}

/**
 * Returns the fields that both kinds of links have in API responses: service fields, costs, and
 * related URLs.
 */
function toSharedFields(world: World, link: Link, { subs }: LinkTotals) {
  const { id, kind, accountId, customName, note, customSourceUrl, promoCost, isHidden, tags } = link
  const clicks = getClickCount(link)
  const address = `/v1/${accountId}/${kind}-links/${id}`
  return {
    customName,
    note,
    customSourceUrl,
    promoCost,
    isHidden,
    cost: {
      inputMode: promoCost === null ? null : 'promo',
      inputValue: promoCost,
      perSub: computeAmountPerUnit(promoCost, subs),
      perPromo: promoCost,
      perClick: computeAmountPerUnit(promoCost, clicks),
      subscriberSourceCount: subs,
      clickSourceCount: clicks,
    },
    tags: tags
      .flatMap((tagId) => world.db.tags.get(tagId) ?? [])
      .map(({ id: tagId, name, color }) => ({ id: tagId, name, color })),
    links: {
      related: {
        claimers: `${address}/${kind === 'tracking' ? 'claimers' : 'subscribers'}`,
        stats: `${address}/stats`,
      },
    },
  }
}

/** The function `addCalculationTime` fills in `calculatedAt` later. */
function toRevenue({ subs, revenue, spenders }: LinkTotals) {
  return {
    total: revenue,
    revenuePerSubscriber: computeAmountPerUnit(revenue, subs) ?? 0,
    spendersCount: spenders,
    calculatedAt: subs === 0 ? null : calculatedMark,
    isLoading: false,
  }
}

/**
 * Divides an amount in dollars by a number of units, and rounds the result to cents. Null if the
 * amount is null or there are no units.
 */
function computeAmountPerUnit(amount: number | null, units: number): number | null {
  return amount === null || units === 0 ? null : Math.round((amount / units) * 100) / 100
}

/**
 * Returns the ids of an example link and its public page. Prefers links that have a public page.
 */
export function findExampleLinkIds(
  share: Readonly<Record<string, unknown>>,
  link: Readonly<Record<string, unknown>>,
): { link_id: unknown; share_id: unknown } {
  return { link_id: share['linkId'] ?? link['id'], share_id: share['id'] }
}

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
