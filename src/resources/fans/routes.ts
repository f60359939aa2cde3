import { z } from 'zod'
import { parseId, createQueryValueSchema } from '../../lib/fields.ts'
import type { JsonFragment } from '../../lib/json-fragment.ts'
import { readIterablePage } from '../../api/lists/paging.ts'
import { toClientUrl } from '../../world/public-files.ts'
import { Page } from '../../api/route.ts'
import type { Account } from '../../world/tenancy/tenancy.table.ts'
import { requireOwnAccount } from '../../api/admission.ts'
import { toPlatformTime } from '../../lib/time.ts'
import { createRouteDefiner } from '../define.ts'
import type { World } from '../world.ts'
import type { Transaction } from '../payments/transactions.table.ts'
import {
  listFanTransactions,
  readTransactionFilter,
  findFanSpend,
} from '../payments/transactions.ts'
import { findSubscription, requireSubscription } from '../subscribers/find-subscription.ts'
import type { Subscription } from '../subscribers/subscriptions.table.ts'
import { formatSubscriptionMonths, listPeriods } from '../subscribers/subscriptions.ts'
import type { Fan } from './fans.table.ts'
import { getVisibleLastSeen } from './fan-values.ts'
import { accountIds, FanDetails, FanStats, FanTransactions, TransactionsBody } from './schemas.ts'
import { SubscriptionHistory } from '../subscribers/schemas.ts'
import { UserObject } from '../users/schemas.ts'
import { serialiseUser } from '../users/users.ts'

const defineRoute = createRouteDefiner({ group: 'Fans', source: 'reference §4 Fans' })

const readTransactions = defineRoute({
  id: 'POST /v1/fans/:fan_id/transactions',
  newestFirst: 'transaction_created_at',
  isRead: true,
  permission: 'api_fans_read_transactions',
  kind: 'service',
  summary: "List a fan's purchases on several accounts",
  errors: ['account_unknown', 'window_reversed'],
  rules: [
    'Newest first. Rows without a time come last. Includes refunds and chargebacks.',
    'Filters are combined with AND, and multiple values of one filter with OR. A date filter ' +
      'excludes rows without a time.',
    'next_page is an offset as a string. Send this offset in the same body.',
    'Returns an empty list for an unknown fan.',
  ],
  pagination: { next: 'bare', last: 'omitted' },
  body: () => TransactionsBody,
  data: FanTransactions,
  handle({ world, organisation, params, body }) {
    // Validates the filter before checking access to the accounts.
    const filter = readTransactionFilter(body, world.clock.now())
    const accounts = body.account_ids.map((id) => requireOwnAccount(world, organisation, id))
    const names = new Map(accounts.map((account) => [account.id, account.username]))
    const all = listFanTransactions(world, params.fan_id, body.account_ids, filter)
    const { rows, next } = readIterablePage(all, body)
    return new Page(
      {
        transactions: rows.map((row) => world.json(toWire, row, names.get(row.accountId) ?? '')),
      },
      next,
    )
  },
})

const readStats = defineRoute({
  id: 'POST /v1/fans/:fan_id/stats',
  isRead: true,
  permission: 'api_fans_read_stats',
  kind: 'service',
  summary: "Add up a fan's spending on several accounts",
  errors: ['account_unknown'],
  rules: [
    'Returns one row per account, highest spending first. A row without purchases has zeros ' +
      'and null dates.',
    'Excludes rows with status undo.',
  ],
  body: () => z.object({ account_ids: accountIds }),
  data: z.object({ stats: z.array(FanStats) }),
  handle({ world, organisation, params, body }) {
    const accounts = body.account_ids.map((id) => requireOwnAccount(world, organisation, id))
    const stats = accounts.map((account) => toStats(world, account, params.fan_id))
    return {
      stats: stats.toSorted(
        (a, b) => b.total_spend - a.total_spend || Number(a.account_id) - Number(b.account_id),
      ),
    }
  },
})

const maxBatch = 1000
/** Maximum length of an id plus a comma, characters. */
const maxIdLength = String(Number.MAX_SAFE_INTEGER).length + 1

const lookUpFans = defineRoute({
  id: 'GET /v1/:account_id/fans',
  permission: 'api_fans_read',
  summary: 'Look up fans by their ids',
  rules: [
    'The response maps each id to a fan. Ids of users who are not fans of the account are left ' +
      'out.',
  ],
  query: () => ({
    ids: createQueryValueSchema(
      `it must be 1 to ${maxBatch} comma-separated user ids`,
      { type: 'string' },
      (text) => {
        const ids = text.split(',').map(parseId)
        return ids.length <= maxBatch && ids.every((id) => id !== undefined) ? ids : undefined
      },
      { maxLength: maxBatch * maxIdLength },
    ).describe('Comma-separated user ids.'),
  }),
  data: z.record(z.string(), FanDetails),
  handle({ world, account, query }) {
    const details: Record<string, JsonFragment<z.input<typeof FanDetails>>> = {}
    for (const id of query.ids.toSorted((a, b) => a - b)) {
      const fan = world.db.fans.get(id)
      const subscription = findSubscription(world, account.id, id)
      if (fan !== undefined && subscription !== undefined)
        details[id] = world.json(toDetails, fan, subscription)
    }
    return details
  },
})

export const fanRoutes = [readTransactions, readStats, lookUpFans]

function toWire(_world: World, row: Transaction, accountName: string) {
  const { id, transaction_created_at, amount, fee, vat_amount, net, currency, category, status } =
    row
  return {
    id,
    transaction_created_at,
    account_id: String(row.accountId),
    account_name: accountName,
    amount,
    fee,
    vat_amount,
    net,
    currency,
    category,
    status,
  }
}

function toStats(world: World, account: Account, fanId: number) {
  const spend = findFanSpend(world, account.id, fanId)
  return {
    account_id: String(account.id),
    account_name: account.username,
    total_spend: spend?.total ?? 0,
    purchase_count: spend?.count ?? 0,
    largest_purchase: spend?.largest ?? 0,
    average_purchase: spend?.average ?? 0,
    first_purchase_at: spend?.first ?? null,
    last_purchase_at: spend?.last ?? null,
  }
}

function toDetails(world: World, fan: Fan, subscription: Subscription) {
  const spend = findFanSpend(world, subscription.accountId, fan.id)
  return {
    id: fan.id,
    name: fan.name,
    username: fan.username,
    avatar: toClientUrl(world, fan.avatar) ?? '',
    subscribedOnData: {
      totalSumm: spend?.total ?? 0,
      tipsSumm: spend?.tips ?? 0,
      duration: formatSubscriptionMonths(subscription, world.clock),
      expiredAt: toPlatformTime(subscription.expiredAt),
    },
    notice: subscription.notice,
    displayName: subscription.displayName,
    lastSeen: getVisibleLastSeen(fan),
  }
}

const readFan = defineRoute({
  id: 'GET /v1/:account_id/fans/:user_id',
  permission: 'api_fans_read',
  source: 'inferred',
  evidence: 'named in reference §4 Fans; path and shape by analogy',
  summary: 'Read the details of a fan',
  errors: ['user_unknown'],
  rules: [
    'For a user who never subscribed to the account, subscribedOn is false and subscribedOnData ' +
      'is null. The user can also be another account. An unknown id returns 404.',
  ],
  data: UserObject,
  handle: ({ world, account, params }) => serialiseUser(world, account.id, params.user_id),
})

const readHistory = defineRoute({
  id: 'GET /v1/:account_id/subscriptions/:user_id/history',
  group: 'Subscriptions',
  permission: 'api_subscriptions_read_history',
  source: 'inferred',
  evidence: 'sibling services',
  summary: "List the periods of a fan's subscription",
  errors: ['fan_unknown'],
  rules: [
    'Newest first. The oldest period begins with the subscription, and the newest ends at ' +
      'expiredAt. The response contains all periods, so hasMore is false.',
    'If a prepaid period was cancelled before it started, its start and its end are both set ' +
      'to the end of the subscription.',
    'Returns 404 if the user is not a fan of the account.',
  ],
  data: SubscriptionHistory,
  handle({ world, account, params }) {
    return world.json(toHistory, requireSubscription(world, account, params.user_id))
  },
})

function toHistory(_world: World, subscription: Subscription): z.input<typeof SubscriptionHistory> {
  const list = listPeriods(subscription).map(({ from, until, price }) => ({
    subscribeDate: toPlatformTime(from),
    expireDate: toPlatformTime(until),
    price,
  }))
  return { list, hasMore: false }
}

export const fanDetailRoutes = [readFan, readHistory]
