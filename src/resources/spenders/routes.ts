import { createQueryIntegerSchema, optionalInteger } from '../../lib/fields.ts'
import { Page } from '../../api/route.ts'
import { requireOwnAccount } from '../../api/admission.ts'
import { createRouteDefiner } from '../define.ts'
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
import { readIterablePage } from '../../api/lists/paging.ts'
import type { ListPage, PageQuery } from '../../api/lists/paging.ts'
import { compareIds } from '../../data/rows.ts'
import { filterItems, mergeSorted, takeWhile } from '../../lib/iterables.ts'
import type { SortedList } from '../../data/sorted-list.ts'
import { dayMs, toIsoTime } from '../../lib/time.ts'

const defineRoute = createRouteDefiner({ group: 'Fans', kind: 'service' })

const evidence = 'named in reference §4 Routes named without shapes; path and keys by analogy'

const listFans = defineRoute({
  id: 'POST /v1/fans',
  isRead: true,
  permission: 'api_fans_list',
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
  query: () => ({
    limit: createQueryIntegerSchema({ min: 1, max: 100 })
      .optional()
      .describe('Rows per page. Default: limit in the body.'),
    offset: optionalInteger.describe('Number of rows to skip. Default: offset in the body.'),
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
    return new Page({ fans: rows.map((row) => world.json(toRow, row)) }, next)
  },
})

const countFanTransactions = defineRoute({
  id: 'POST /v1/fans/:fan_id/transactions/counts',
  isRead: true,
  permission: 'api_fans_read_transactions',
  evidence,
  summary: "Count a fan's purchases by category and status",
  errors: ['account_unknown', 'window_reversed'],
  rules: [
    'The body has the same fields as in the list of purchases, but limit and offset are ignored.',
    'The parts of each breakdown add up to its all field. Rows without a category count as ' +
      'unknown.',
  ],
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

/**
 * Fields by which fans can be filtered. Maps the name in the API to the field of FanSpend, which
 * has an index.
 */
const fanMeasures = {
  total_spend: 'total',
  purchase_count: 'count',
  average_purchase: 'average',
  average_weekly_spend: 'averageWeekly',
} as const
type FanMeasure = keyof typeof fanMeasures

/**
 * Fields by which fans can be sorted. Maps the name in the API to the field of FanSpend, which has
 * an index.
 */
const fanSorts = {
  ...fanMeasures,
  days_active: 'daysActive',
  last_purchase_at: 'last',
} as const
type FanSort = keyof typeof fanSorts

/** A range of values. Both ends are inclusive and optional. */
interface Range {
  min?: number
  max?: number
}

/** Filters, sort order and page of the list of spenders. */
interface FanQuery extends PageQuery {
  accountIds: readonly number[]
  ranges: Partial<Record<FanMeasure, Range>>
  lastPurchaseWithinDays?: number
  sort: FanSort
  isAscending: boolean
}

/**
 * Returns one page of the spenders of these accounts that match the filters. A fan has one row per
 * account.
 */
function rankFans(world: World, query: FanQuery): ListPage<FanSpend> {
  return readIterablePage(
    mergeSorted(
      query.accountIds.map((accountId) => readAccount(world, accountId, query)),
      createComparator(query),
    ),
    query,
  )
}

/** Up to this number of matching rows, sorting them is faster than scanning the whole index. */
const fewRows = 1000

/** Returns the spenders of one account that match the filters, in order. */
function readAccount(world: World, accountId: number, query: FanQuery): Iterable<FanSpend> {
  const { ranges, lastPurchaseWithinDays, sort, isAscending } = query
  if (lastPurchaseWithinDays !== undefined || Object.keys(ranges).length > 0)
    return filterAccount(world, accountId, query)
  const ordered = world.db.fanSpend.in(fanSorts[sort], accountId)
  return ordered.walk(isAscending ? ordered.size - 1 : 0, isAscending)
}

/**
 * Applies the filters. Scans the sorted index, or sorts the matching rows if there are only a few.
 */
function filterAccount(world: World, accountId: number, query: FanQuery): Iterable<FanSpend> {
  const { fanSpend } = world.db
  const { lastPurchaseWithinDays: days } = query
  const since = days === undefined ? undefined : toIsoTime(world.clock.now() - days * dayMs)
  const passes = (row: FanSpend) =>
    (since === undefined || (row.last !== null && row.last >= since)) &&
    Object.entries(query.ranges).every(([measure, range]) =>
      isWithin(row[fanMeasures[measure as FanMeasure]], range),
    )
  const spans = Object.entries(query.ranges).map(([measure, range]) =>
    findValueRange(
      fanSpend.in(fanMeasures[measure as FanMeasure], accountId),
      fanMeasures[measure as FanMeasure],
      range,
    ),
  )
  const recent = fanSpend.in('last', accountId)
  if (since !== undefined)
    spans.push({
      list: recent,
      from: 0,
      to: recent.findPartitionPoint((row) => (row.last ?? '') < since),
    })
  const narrowest = spans.toSorted((a, b) => a.to - a.from - (b.to - b.from))[0]
  if (narrowest !== undefined && narrowest.to - narrowest.from <= fewRows)
    return narrowest.list
      .slice(narrowest.from, narrowest.to)
      .filter(passes)
      .toSorted(createComparator(query))
  const ordered = fanSpend.in(fanSorts[query.sort], accountId)
  const { from, to } = spans.find(({ list }) => list === ordered) ?? { from: 0, to: ordered.size }
  let left = to - from
  const walk = ordered.walk(query.isAscending ? to - 1 : from, query.isAscending)
  const inSpan = takeWhile(walk, () => {
    left -= 1
    return left >= 0
  })
  return filterItems(inSpan, passes)
}

/** Returns the positions [from, to) of the index entries whose values are within the range. */
function findValueRange(
  list: SortedList<FanSpend>,
  measure: (typeof fanMeasures)[FanMeasure],
  { min = -Infinity, max = Infinity }: Range,
): { list: SortedList<FanSpend>; from: number; to: number } {
  const from = list.findPartitionPoint((row) => row[measure] <= max)
  return {
    list,
    from,
    to: Math.max(
      from,
      list.findPartitionPoint((row) => row[measure] < min),
    ),
  }
}

function isWithin(value: number, { min = -Infinity, max = Infinity }: Range): boolean {
  return value >= min && value <= max
}

/**
 * Compares rows by the sort value, highest first, then by fan and account. Ascending order is
 * exactly the reverse.
 */
function createComparator({ sort, isAscending }: FanQuery): (a: FanSpend, b: FanSpend) => number {
  const measure = fanSorts[sort]
  const sign = isAscending ? -1 : 1
  return (a, b) => {
    return (
      sign *
      (compareIds(b[measure] ?? '', a[measure] ?? '') ||
        a.fanId - b.fanId ||
        a.accountId - b.accountId)
    )
  }
}
