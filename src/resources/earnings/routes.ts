import type { WorldClock } from '../../world/world-clock.ts'
import { z } from 'zod'
import { createWindowSchema, createQueryIntegerSchema } from '../../lib/fields.ts'
import { Page } from '../../api/route.ts'
import { dayMs, parseIso, toPlatformTime } from '../../lib/time.ts'
import type { Account } from '../../world/tenancy/tenancy.table.ts'
import { readWindow, deltaRule } from '../../api/lists/windows.ts'
import type { Span } from '../../api/lists/windows.ts'
import { createRouteDefiner } from '../define.ts'
import type { World } from '../world.ts'
import { summariseEarnings } from '../overview/overview.ts'
import type { Transaction } from '../payments/transactions.table.ts'
import { payoutTerms } from '../payouts/payouts.ts'
import { findSubscription } from '../subscribers/find-subscription.ts'
import { findUser } from '../users/marks.ts'
import { isVerifiedUser, shortView } from '../users/users.ts'
import { toAmountChart, toPaymentCountChart, sums, buckets } from './earnings.ts'
import { kindsOfType, listEarnings, toPageMarker } from './list.ts'
import type { EarningTypeName } from './list.ts'
import { EarningPage, EarningsChart, EarningType, TipsSource } from './schemas.ts'

const defineRoute = createRouteDefiner({ group: 'Earnings Overview', source: 'published' })

const rowsPerPage = 10

const listPayments = defineRoute({
  id: 'GET /v1/:account_id/earnings',
  permission: 'api_earnings_list',
  evidence: 'hasMore by analogy',
  summary: 'List the payments to an account',
  errors: ['window_reversed'],
  rules: [
    'Newest first. A page has ten rows, or more if the following rows fall in the same second ' +
      'as the tenth row. Refunds have status undo. Rows without a time are not listed.',
    'nextMarker is the time of the last row on the page, in whole seconds. marker selects only ' +
      'earlier payments, so new payments do not shift the pages.',
    'tips_source selects tips from one source. tips_source has an effect only with type=tips.',
    'The types post and stream contain purchases of posts and streams. The type tips contains ' +
      'tips from any source.',
    'The type of a payment never changes, even if its post or stream is deleted.',
    'payoutPendingDays is at least 1 for status loading and pending_return, and 0 for undo.',
  ],
  pagination: { next: 'address', last: 'omitted' },
  query: () => ({
    ...createWindowSchema(),
    marker: createQueryIntegerSchema({ min: 0, max: 9_999_999_999 })
      .optional()
      .describe('The nextMarker of the previous page: epoch seconds.'),
    type: EarningType.optional(),
    tips_source: TipsSource.optional(),
  }),
  data: EarningPage,
  handle({ world, account, query }) {
    const { start, end } = readWindow(query, world.clock.now())
    const { rows, hasMore } = listEarnings(world, account.id, {
      start,
      end,
      marker: query.marker,
      type: query.type,
      source: query.tips_source,
      limit: rowsPerPage,
    })
    const last = rows.at(-1)
    const nextMarker = hasMore && last !== undefined ? toPageMarker(last) : null
    return new Page(
      { list: rows.map((row) => world.json(toWire, row)), nextMarker, hasMore },
      nextMarker === null ? null : { marker: nextMarker },
    )
  },
})

const readChart = defineRoute({
  id: 'GET /v1/:account_id/earnings/chart',
  permission: 'api_earnings_read_chart',
  summary: "Chart an account's earnings",
  errors: ['window_reversed'],
  rules: [
    sums,
    deltaRule,
    buckets,
    'Payments of an unknown type are included in total, but not in the sum of any type.',
  ],
  query: () => ({
    ...createWindowSchema(),
    by: z.enum(['total', ...EarningType.options]).default('total'),
  }),
  data: EarningsChart,
  handle({ world, account, query }) {
    const { start, end } = readWindow(query, world.clock.now())
    return world.json(toChart, account, { start, end, by: query.by })
  },
})

export const earningRoutes = [listPayments, readChart]

/** Returns the chart of a window with its totals. */
function toChart(
  world: World,
  account: Account,
  { by, ...window }: Span & { by: 'total' | EarningTypeName },
) {
  const categories = by === 'total' ? undefined : kindsOfType[by]
  return {
    chartAmount: world.json(toAmountChart, account, { ...window, categories }),
    chartCount: world.json(toPaymentCountChart, account, { ...window, categories }),
    ...summariseEarnings(world, account, { ...window, categories }),
  }
}

/**
 * The first words of a payment's description, by category. They are followed by a link to the fan.
 */
const purposes = {
  tip: 'Tip from',
  message: 'Payment for message from',
  unlock: 'Post purchase by',
  new_subscription: 'Subscription from',
  recurring_subscription: 'Recurring subscription from',
  unknown: 'Payment from',
} as const

function toWire(world: World, row: Transaction) {
  const { id, amount, vat_amount: vatAmount, net, fee, currency, status, category } = row
  const createdAt = toPlatformTime(row.transaction_created_at ?? '')
  const { name = '', username = '' } = world.db.fans.get(row.fanId) ?? {}
  return {
    id,
    amount,
    vatAmount,
    taxAmount: 0,
    mediaTaxAmount: 0,
    net,
    fee,
    currency,
    createdAt,
    description: `${purposes[category ?? 'unknown']} ${toLink(username, name)}`,
    status,
    payoutPendingDays: getPendingDays(row, world.clock),
    user: { id: row.fanId, name, username, ...toViewedFan(world, row) },
  }
}

/** Returns the account-specific fields of the fan, without the names. */
function toViewedFan(world: World, { accountId, fanId }: Transaction) {
  const user = findUser(world, fanId)
  const displayName = findSubscription(world, accountId, fanId)?.displayName ?? ''
  return { displayName, view: shortView, isVerified: user !== undefined && isVerifiedUser(user) }
}

/**
 * Returns the number of days until a payment can be paid out: at least 1 while the platform holds
 * the payment, and 0 after a refund.
 */
function getPendingDays(
  { status, transaction_created_at: time }: Transaction,
  clock: WorldClock,
): number {
  if (status === 'undo') return 0
  const { pendingDays } = payoutTerms
  const waited = clock.stepsSince(parseIso(time ?? ''), dayMs)
  return Math.min(pendingDays, Math.max(status === 'done' ? 0 : 1, pendingDays - waited))
}

function toLink(username: string, name: string): string {
  return `<a href="https://platform.example/${encodeURIComponent(username)}">${escapeHtml(name)}</a>`
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)
}
