import { toCents } from '../../lib/money.ts'
import { filterItems, mergeSorted, takeWhile } from '../../lib/iterables.ts'
import type { ChangeListener } from '../../data/change-log.ts'
import { dayMs, parseIso, toIsoTime } from '../../lib/time.ts'
import { readOpenEndedWindow } from '../../api/lists/windows.ts'
import type { World } from '../world.ts'
import { getEarningKind } from '../earnings/earnings.table.ts'
import type { EarningKind } from '../earnings/earnings.table.ts'
import { toFanKey } from '../fans/fans.table.ts'
import { newestFirst } from './transactions.table.ts'
import type { Transaction, FanSpend } from './transactions.table.ts'

/** The field of FanSpend to which each kind of earnings is added. The total includes all kinds. */
export const spendParts = {
  new_subscription: 'subscribes',
  recurring_subscription: 'subscribes',
  message: 'messages',
  unlock_post: 'posts',
  unlock_stream: 'streams',
  tip_profile: 'tips',
  tip_post: 'tips',
  tip_chat: 'tips',
  tip_stream: 'tips',
  tip_story: 'tips',
  unknown: 'others',
} as const satisfies Record<EarningKind, keyof FanSpend>

/**
 * Filter for a fan's transactions. Omitted and empty fields match all transactions. Times are epoch
 * ms. Both ends are inclusive.
 */
export interface TransactionFilter {
  categories?: readonly string[]
  statuses?: readonly string[]
  from?: number
  to?: number
}

/**
 * Reads the filter of a request.
 * @throws {ApiError} window_reversed
 */
export function readTransactionFilter(
  {
    categories,
    statuses,
    ...window
  }: { categories: readonly string[]; statuses: readonly string[]; from?: string; to?: string },
  now: number,
): TransactionFilter {
  const { start: from, end: to } = readOpenEndedWindow(
    { from: { name: 'from', value: window.from }, to: { name: 'to', value: window.to } },
    now,
  )
  return { categories, statuses, from, to }
}

/**
 * Counts a fan's transactions that match the filter, in total, by category and by status. Rows
 * without a category count as unknown.
 */
export function countTransactions(
  world: World,
  fanId: number,
  accountIds: readonly number[],
  filter: TransactionFilter,
) {
  const counts = {
    all: 0,
    categories: new Map<string, number>(),
    statuses: new Map<string, number>(),
  }
  for (const { category, status } of listFanTransactions(world, fanId, accountIds, filter)) {
    counts.all += 1
    counts.categories.set(
      category ?? 'unknown',
      (counts.categories.get(category ?? 'unknown') ?? 0) + 1,
    )
    counts.statuses.set(status, (counts.statuses.get(status) ?? 0) + 1)
  }
  return counts
}

/** Iterates over a fan's transactions on these accounts that match the filter, newest first. */
export function listFanTransactions(
  world: World,
  fanId: number,
  accountIds: readonly number[],
  filter: TransactionFilter,
): Iterable<Transaction> {
  const to = filter.to === undefined ? undefined : toIsoTime(filter.to)
  const walks = accountIds.map((accountId) => {
    const list = world.db.transactions.in('byFan', toFanKey(accountId, fanId))
    return list.walk(
      to === undefined
        ? 0
        : list.findPartitionPoint((row) => (row.transaction_created_at ?? '') <= to),
    )
  })
  const all = mergeSorted(walks, newestFirst)
  const isBounded = filter.from !== undefined || filter.to !== undefined
  const from = filter.from === undefined ? '' : toIsoTime(filter.from)
  const inTime = isBounded
    ? takeWhile(all, ({ transaction_created_at: time }) => time !== null && time >= from)
    : all
  const { categories = [], statuses = [] } = filter
  return isBounded || categories.length + statuses.length > 0
    ? filterItems(inTime, matchesFilter(filter))
    : inTime
}

/** Returns the fan's spending on the account. Undefined if there are no purchases. */
export function findFanSpend(world: World, accountId: number, fanId: number): FanSpend | undefined {
  return world.db.fanSpend.get(toFanKey(accountId, fanId))
}

/** Keeps the table fanSpend in sync with transactions. */
export function createFanSpendUpdater(world: World): ChangeListener<Transaction> {
  const { db } = world
  db.fanSpend.derive(() => sumSpendOfFans(db.transactions.all()))
  const update: ChangeListener<Transaction> = (before, after) => {
    if (isSamePayment(before, after)) return
    const row = after ?? before
    if (row === undefined) return
    if (before === undefined) return addPayment(world, row)
    const spend = sumFanSpend(
      db.transactions.in('byFan', toFanKey(row.accountId, row.fanId)).walk(),
    )
    db.fanSpend.remove(toFanKey(row.accountId, row.fanId))
    if (spend !== undefined) db.fanSpend.insert(spend)
    // An update may change the fan of a transaction, so both fans are updated.
    const hasMoved =
      before !== undefined &&
      after !== undefined &&
      toFanKey(before.accountId, before.fanId) !== toFanKey(after.accountId, after.fanId)
    if (hasMoved) update(before, undefined)
  }
  return update
}

/** Adds up the transactions of each fan on each account. */
function sumSpendOfFans(rows: readonly Transaction[]): FanSpend[] {
  const byFan = new Map<string, { fan: Transaction; sums: SpendSums }>()
  for (const row of rows) {
    const key = toFanKey(row.accountId, row.fanId)
    const known = byFan.get(key)
    if (known === undefined) byFan.set(key, { fan: row, sums: addTo(createEmptySpendSums(), row) })
    else addTo(known.sums, row)
  }
  const spends: FanSpend[] = []
  for (const { fan, sums } of byFan.values()) {
    if (sums.count > 0) spends.push(toSpend(fan, sums))
  }
  return spends
}

/**
 * Adds a new payment to the fan's stored spending. So the fan's other payments do not have to be
 * read.
 */
function addPayment(world: World, row: Transaction): void {
  const added = sumFanSpend([row])
  if (added === undefined) return
  const known = world.db.fanSpend.get(added.id)
  if (known === undefined) {
    world.db.fanSpend.insert(added)
    return
  }
  world.db.fanSpend.update(
    added.id,
    toSpend(known, {
      cents: toCents(known.total) + toCents(added.total),
      parts: Object.fromEntries(
        partNames.map((part) => [part, toCents(known[part]) + toCents(added[part])]),
      ) as Record<SpendPart, number>,
      count: known.count + added.count,
      tipCount: known.tipCount + added.tipCount,
      largest: Math.max(known.largest, added.largest),
      first: getEarlierTime(known.first, added.first),
      last: getLaterTime(known.last, added.last),
    }),
  )
}

/** True if both versions of a transaction have the same effect on the fan's spending. */
function isSamePayment(before: Transaction | undefined, after: Transaction | undefined): boolean {
  if (
    before === undefined ||
    after === undefined ||
    (before.status === 'undo') !== (after.status === 'undo')
  )
    return false
  const isSame = (field: keyof Transaction) => before[field] === after[field]
  return countedFields.every(isSame) && getEarningKind(before) === getEarningKind(after)
}

const countedFields = [
  'accountId',
  'fanId',
  'amount',
  'category',
  'transaction_created_at',
] as const

type SpendPart = (typeof spendParts)[EarningKind]

const partNames = [...new Set(Object.values(spendParts))]

/** Running totals of a fan's transactions. Amounts are in cents, except `largest`. */
interface SpendSums {
  cents: number
  parts: Record<SpendPart, number>
  count: number
  tipCount: number
  largest: number
  first: string | null
  last: string | null
}

/**
 * Adds up the transactions of one fan on one account. Undefined if all transactions were refunded.
 */
function sumFanSpend(rows: Iterable<Transaction>): FanSpend | undefined {
  const sums = createEmptySpendSums()
  let fan: Transaction | undefined
  for (const row of rows) {
    fan = row
    addTo(sums, row)
  }
  return fan === undefined || sums.count === 0 ? undefined : toSpend(fan, sums)
}

function createEmptySpendSums(): SpendSums {
  const parts = { tips: 0, subscribes: 0, messages: 0, posts: 0, streams: 0, others: 0 }
  return { cents: 0, parts, count: 0, tipCount: 0, largest: 0, first: null, last: null }
}

/** Adds a payment to the running totals, unless it was refunded. */
function addTo(sums: SpendSums, row: Transaction): SpendSums {
  if (row.status === 'undo') return sums
  const amount = row.amount ?? 0
  const time = row.transaction_created_at
  sums.count += 1
  sums.cents += toCents(amount)
  sums.tipCount += Number(row.category === 'tip')
  sums.parts[spendParts[getEarningKind(row)]] += toCents(amount)
  if (amount > sums.largest) sums.largest = amount
  sums.first = getEarlierTime(sums.first, time)
  sums.last = getLaterTime(sums.last, time)
  return sums
}

function toSpend(
  { accountId, fanId }: Pick<FanSpend, 'accountId' | 'fanId'>,
  { cents, parts, count, tipCount, largest, first, last }: SpendSums,
): FanSpend {
  const daysActive =
    first === null || last === null ? 0 : Math.ceil((parseIso(last) - parseIso(first)) / dayMs)
  return {
    id: toFanKey(accountId, fanId),
    accountId,
    fanId,
    total: cents / 100,
    tips: parts.tips / 100,
    subscribes: parts.subscribes / 100,
    messages: parts.messages / 100,
    posts: parts.posts / 100,
    streams: parts.streams / 100,
    others: parts.others / 100,
    count,
    tipCount,
    largest,
    first,
    last,
    average: Math.round(cents / count) / 100,
    daysActive,
    averageWeekly: daysActive <= 7 ? 0 : Math.round((cents * 7) / daysActive) / 100,
  }
}

/** Returns the earlier of two times. If one is null, returns the other. */
function getEarlierTime(a: string | null, b: string | null): string | null {
  if (a === null || b === null) return a ?? b
  return a < b ? a : b
}

function getLaterTime(a: string | null, b: string | null): string | null {
  if (a === null || b === null) return a ?? b
  return a > b ? a : b
}

/** True if a transaction has one of the categories and one of the statuses. */
function matchesFilter({
  categories = [],
  statuses = [],
}: TransactionFilter): (row: Transaction) => boolean {
  return (row) =>
    (categories.length === 0 || categories.includes(row.category ?? 'unknown')) &&
    (statuses.length === 0 || statuses.includes(row.status))
}
