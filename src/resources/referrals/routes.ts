import { z } from 'zod'
import {
  platformTime,
  createWindowSchema,
  listLimit,
  offset,
  lazyInferredObject,
  lazyInferredList,
} from '../../lib/fields.ts'
import { readPage, readPinnedPage } from '../../api/lists/paging.ts'
import {
  readWindow,
  getPrecedingWindow,
  deltaRule,
  computePercentChange,
} from '../../api/lists/windows.ts'
import { Page } from '../../api/route.ts'
import type { Account } from '../../world/tenancy/tenancy.table.ts'
import { toPlatformTime, parseIso } from '../../lib/time.ts'
import type { PlatformTime } from '../../lib/time.ts'
import type { Span } from '../../api/lists/windows.ts'
import { createRouteDefiner } from '../define.ts'
import type { World } from '../world.ts'
import { EarningsChart } from '../earnings/schemas.ts'
import { payoutTerms, toPayoutItem } from '../payouts/payouts.ts'
import { marker, PayoutPage } from '../payouts/schemas.ts'
import type { Referral } from './referrals.table.ts'
import { getBucketStart, chooseBucketWidth, findRowsInSpan } from '../../api/lists/day-counts.ts'
import { toCents } from '../../lib/money.ts'
import type { EarningBucket } from '../earnings/earnings.ts'

/** A creator who joined through the account's referral link. Dollars. */
export const ReferralItem = lazyInferredObject(() => ({
  user: z.object({ id: z.int(), username: z.string(), name: z.string() }),
  createdAt: platformTime,
  earned: z.number().describe("The account's income from this referred creator."),
}))

/** A page of referrals. */
export const ReferralPage = lazyInferredList(ReferralItem)

/** Income from all referrals. Dollars. */
export const ReferralSummary = lazyInferredObject(() => ({
  url: z.url(),
  total_referrals: z.int(),
  total_earned: z.number(),
  currency: z.string(),
}))

const defineRoute = createRouteDefiner({ group: 'Referrals' })
const byAnalogy =
  "the service's own older reference mentions a route in this group; path and keys by analogy"
const rowsPerPage = 10

const listReferrals = defineRoute({
  id: 'GET /v1/:account_id/referrals',
  permission: 'api_referrals_list',
  evidence: byAnalogy,
  summary: 'List the creators who joined through the referral link of an account',
  rules: ['Newest first.'],
  pagination: { next: 'address', last: 'omitted' },
  query: () => ({ limit: listLimit, offset }),
  data: ReferralPage,
  handle({ world, account, query }) {
    const { rows, hasMore, next } = readPage(world.db.referrals.in('byAccount', account.id), query)
    return new Page({ list: rows.map(toReferral), hasMore }, next)
  },
})

const readSummary = defineRoute({
  id: 'GET /v1/:account_id/referrals/summary',
  permission: 'api_referrals_read_summary',
  evidence: byAnalogy,
  summary: 'Read the totals of all referrals of an account',
  rules: ['total_earned is the sum of earned over all referrals.'],
  data: ReferralSummary,
  handle({ world, account }) {
    const { count, earned } = sumReferrals(world, account.id)
    return {
      url: `https://platform.example/?ref=${account.id}`,
      total_referrals: count,
      total_earned: earned,
      currency: payoutTerms.currency,
    }
  },
})

const listPayouts = defineRoute({
  id: 'GET /v1/:account_id/referrals/payouts',
  permission: 'api_referrals_list_payouts',
  source: 'published',
  summary: 'List the referral payouts to an account',
  errors: ['window_reversed'],
  rules: [
    'Newest first, ten rows per page.',
    'marker is the time of the first page. Send marker unchanged with later pages, so newer ' +
      'payouts do not shift the pages.',
  ],
  pagination: { next: 'address', last: 'null' },
  query: () => ({ ...createWindowSchema(), offset, marker: marker() }),
  data: PayoutPage,
  handle({ world, account, query }) {
    const window = readWindow(query, world.clock.now())
    const pinned = readPinnedPage(
      world.db.referralPayouts.in('byAccount', account.id),
      { window, offset: query.offset, limit: rowsPerPage, marker: query.marker },
      world.clock.now(),
    )
    return new Page(
      { list: pinned.rows.map((row) => world.json(toPayoutItem, row)), marker: pinned.marker },
      pinned.next && { ...pinned.next, marker: pinned.marker },
    )
  },
})

const readChart = defineRoute({
  id: 'GET /v1/:account_id/referrals/payouts/chart',
  permission: 'api_referrals_read_chart',
  source: 'published',
  summary: 'Chart the referral payouts to an account',
  errors: ['window_reversed'],
  rules: [
    'Excludes rejected payouts. total equals gross, because there are no fees.',
    'Buckets are defined as in the earnings chart.',
    deltaRule,
  ],
  query: createWindowSchema,
  data: EarningsChart,
  handle({ world, account, query }) {
    const { start, end } = readWindow(query, world.clock.now())
    return world.json(toChart, account, { start, end })
  },
})

export const referralRoutes = [listReferrals, readSummary, listPayouts, readChart]

function toChart(world: World, { id }: Account, window: Span): z.input<typeof EarningsChart> {
  const points = sumReferralPayoutsByBucket(world, id, window)
  const before = sumReferralPayoutsByBucket(world, id, getPrecedingWindow(window))
  const total = sumNet(points) / 100
  return {
    chartAmount: points.map(({ date, net }) => ({ date, count: net / 100 })),
    chartCount: points.map(({ date, count }) => ({ date, count })),
    total,
    gross: total,
    delta: computePercentChange(sumNet(points), sumNet(before)),
  }
}

function toReferral({ userId, username, name, createdAt, earned }: Referral) {
  return { user: { id: userId, username, name }, createdAt: toPlatformTime(createdAt), earned }
}

/** Adds up the net amounts of all points, in cents. */
function sumNet(points: readonly { net: number }[]): number {
  return points.reduce((cents, { net }) => cents + net, 0)
}

/** Counts the referrals of an account and adds up the income from them. Dollars. */
function sumReferrals(world: World, accountId: number): { count: number; earned: number } {
  const list = world.db.referrals.in('byAccount', accountId)
  let cents = 0
  for (const { earned } of list.walk()) cents += toCents(earned)
  return { count: list.size, earned: cents / 100 }
}

/**
 * Adds up the referral payouts in a window by bucket, oldest first, in cents. Excludes rejected
 * payouts. Uses the same buckets as earnings.
 */
function sumReferralPayoutsByBucket(
  world: World,
  accountId: number,
  window: Span,
): Pick<EarningBucket, 'date' | 'net' | 'count'>[] {
  const rows = findRowsInSpan(
    world.db.referralPayouts.in('byAccount', accountId),
    window,
    (row) => row.createdAt,
  )
  const width = chooseBucketWidth(window)
  const buckets = new Map<PlatformTime, { net: number; count: number }>()
  for (const row of rows.toReversed()) {
    if (row.state === 'rejected') continue
    const date = toPlatformTime(getBucketStart(parseIso(row.createdAt), width))
    const bucket = buckets.get(date) ?? { net: 0, count: 0 }
    buckets.set(date, { net: bucket.net + toCents(row.amount), count: bucket.count + 1 })
  }
  return [...buckets].map(([date, sums]) => ({ date, ...sums }))
}
