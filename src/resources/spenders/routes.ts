import { z } from 'zod'
import { pathId, createQueryIntegerSchema } from '../../lib/fields.ts'
import { createPage } from '../../api/route.ts'
import { requireOwnAccount } from '../../world/tenancy/tenancy.ts'
import { defineRoute } from '../define.ts'
import type { World } from '../world.ts'
import {
  FanListBody,
  SpenderPage,
  TransactionCategory,
  TransactionCounts,
  TransactionsBody,
  TransactionStatus,
} from '../fans/schemas.ts'
import type { FanSpend } from '../payments/transactions.table.ts'
import { countTransactions, readTransactionFilter } from '../payments/transactions.ts'
import { fanMeasures, rankFans } from './fan-ranking.ts'
import type { FanMeasure, FanSort } from './fan-ranking.ts'

const evidence = 'named in reference §4 Routes named without shapes; path and keys by analogy'

const listFans = defineRoute({
  method: 'POST',
  path: '/v1/fans',
  isRead: true,
  group: 'Fans',
  permission: 'api_fans_list',
  kind: 'service',
  source: 'inferred',
  evidence,
  summary: 'List the fans who paid more than one account',
  errors: ['account_unknown'],
  rules: [
    'Filters are combined with AND. Returns one row per fan and account.',
    'average_weekly_spend is 0 if days_active is a week or less.',
    'next_page is a URL. POST the same body to that URL. limit and offset in the query ' +
      'replace limit and offset in the body.',
  ],
  pagination: { next: 'address', last: 'omitted' },
  query: () =>
    z.object({
      limit: createQueryIntegerSchema({ min: 1, max: 100 })
        .optional()
        .describe('Rows per page. Default: limit in the body.'),
      offset: createQueryIntegerSchema({ min: 0 })
        .optional()
        .describe('Number of rows to skip. Default: offset in the body.'),
    }),
  body: () => FanListBody,
  data: SpenderPage,
  handle({ world, organisation, query, body }) {
    for (const id of body.account_ids) requireOwnAccount(world, organisation, id)
    const ranges = Object.fromEntries(
      (Object.keys(fanMeasures) as FanMeasure[]).flatMap((measure) =>
        body[measure] === undefined ? [] : [[measure, body[measure]]],
      ),
    )
    const { rows, next } = rankFans(world, {
      accountIds: body.account_ids,
      ranges,
      lastPurchaseWithinDays: body.last_purchase_within_days,
      sort: body.sort.replace(/_(asc|desc)$/, '') as FanSort,
      isAscending: body.sort.endsWith('_asc'),
      offset: query.offset ?? body.offset,
      limit: query.limit ?? body.limit,
    })
    return createPage({ fans: rows.map((row) => world.json(toRow, row)) }, next)
  },
})

const countFanTransactions = defineRoute({
  method: 'POST',
  path: '/v1/fans/:fan_id/transactions/counts',
  isRead: true,
  group: 'Fans',
  permission: 'api_fans_read_transactions',
  kind: 'service',
  source: 'inferred',
  evidence,
  summary: "Count a fan's purchases by category and status",
  errors: ['account_unknown', 'window_reversed'],
  rules: [
    'The body has the same fields as in the list of purchases, but limit and offset are ignored.',
    'The parts of each breakdown add up to its all field. Rows without a category count as ' +
      'unknown.',
  ],
  params: () => z.object({ fan_id: pathId }),
  body: () => TransactionsBody,
  data: TransactionCounts,
  handle({ world, organisation, params, body }) {
    // Validates the filter before checking access to the accounts.
    const filter = readTransactionFilter(body, world.clock.now())
    for (const id of body.account_ids) requireOwnAccount(world, organisation, id)
    const rows = countTransactions(world, params.fan_id, body.account_ids, filter)
    const count = <Name extends string>(
      names: readonly Name[],
      counts: ReadonlyMap<string, number>,
    ) =>
      Object.fromEntries(names.map((name) => [name, counts.get(name) ?? 0])) as Record<Name, number>
    return {
      all: rows.all,
      categories: count(TransactionCategory.options, rows.categories),
      statuses: count(TransactionStatus.options, rows.statuses),
    }
  },
})

export const spenderRoutes = [listFans, countFanTransactions]

function toRow(
  _world: World,
  { accountId, fanId, total, count, average, averageWeekly, daysActive, last }: FanSpend,
) {
  return {
    fan_id: String(fanId),
    account_id: String(accountId),
    total_spend: total,
    purchase_count: count,
    average_purchase: average,
    average_weekly_spend: averageWeekly,
    days_active: daysActive,
    last_purchase_at: last,
  }
}
