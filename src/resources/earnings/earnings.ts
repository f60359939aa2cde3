import type { z } from 'zod'
import { getBucketStart, chooseBucketWidth, splitIntoBuckets } from '../../api/lists/day-counts.ts'
import type { ChangeListener } from '../../data/change-log.ts'
import type { Account } from '../../world/tenancy/tenancy.table.ts'
import { dayMs, parseIso, toUtcDay, toPlatformTime } from '../../lib/time.ts'
import type { PlatformTime } from '../../lib/time.ts'
import type { World } from '../world.ts'
import type { TransactionCategory } from '../fans/schemas.ts'
import { toCentAmounts } from '../payments/transactions.table.ts'
import type { Transaction } from '../payments/transactions.table.ts'
import { getEarningDay, getEarningKind, earningKinds, undated } from './earnings.table.ts'
import type { EarningDay, EarningKind } from './earnings.table.ts'
import { getRunningSums, undatedAt } from './running-sums.ts'
import type { EarningSums } from './running-sums.ts'

/**
 * Selects the earnings to add up. Times are epoch ms. Both ends are inclusive and optional. Rows
 * without a time are included only if both ends are omitted.
 */
interface EarningFilter {
  start?: number
  end?: number
  /**
   * Kinds or categories to count.
   * @default all
   */
  categories?: readonly (EarningKind | z.infer<typeof TransactionCategory>)[]
}

/** One bucket of a chart. Includes only earnings within the window. */
export interface EarningBucket extends EarningSums {
  /** The start of the bucket. */
  date: PlatformTime
}

/**
 * Adds up an account's earnings. Uses running sums for whole UTC days, and the rows of the payments
 * for partial days.
 */
export function sumEarnings(
  world: World,
  accountId: number,
  filter: EarningFilter = {},
): EarningSums {
  const kinds = filter.categories && toKinds(filter.categories)
  const { days, ends } = splitAtDays(filter)
  const sums =
    days === undefined
      ? createEmptySums()
      : getRunningSums(world, accountId).sum(days.from, days.to, kinds)
  for (const end of ends)
    for (const part of listRowParts(world, accountId, { ...filter, ...end })) add(sums, part)
  return sums
}

/**
 * Adds up an account's earnings in a window by UTC hour, day or month, oldest first. Empty buckets
 * are omitted.
 */
function sumEarningsByBucket(
  world: World,
  accountId: number,
  filter: EarningFilter & { start: number; end: number },
): EarningBucket[] {
  const { categories } = filter
  if (chooseBucketWidth(filter) === 'hour') return sumHours(world, accountId, filter)
  const { bounds } = getRunningSums(world, accountId)
  if (bounds === undefined) return []
  return splitIntoBuckets(filter, { start: bounds.start, end: bounds.end + dayMs - 1 })
    .map(({ date, start, end }) => ({
      date: toPlatformTime(date),
      ...sumEarnings(world, accountId, { start, end, categories }),
    }))
    .filter(({ count }) => count > 0)
}

/**
 * The window and filter of an earnings chart. Always pass the same `by` object, because it is used
 * as a cache key.
 */
type EarningChart = Required<Pick<EarningFilter, 'start' | 'end'>> & {
  categories: EarningFilter['categories']
}

/** Returns the net amounts of a window as a chart, dollars. */
export function toAmountChart(world: World, { id }: Account, chart: EarningChart) {
  return sumEarningsByBucket(world, id, chart).map(({ date, net }) => ({ date, count: net / 100 }))
}

/** Returns the number of payments in each bucket of a window's chart. */
export function toPaymentCountChart(world: World, { id }: Account, chart: EarningChart) {
  return sumEarningsByBucket(world, id, chart).map(({ date, count }) => ({ date, count }))
}

function sumHours(world: World, accountId: number, filter: EarningFilter): EarningBucket[] {
  const buckets = new Map<number, EarningSums>()
  for (const part of listRowParts(world, accountId, filter)) {
    const start = getBucketStart(part.at, 'hour')
    const sums = buckets.get(start) ?? createEmptySums()
    buckets.set(start, sums)
    add(sums, part)
  }
  return [...buckets]
    .toSorted(([a], [b]) => a - b)
    .map(([start, sums]) => ({ date: toPlatformTime(start), ...sums }))
}

/**
 * Returns an account's payments in the window, newest first, excluding refunds and rows without a
 * time.
 */
export function listEarningRows(
  world: World,
  accountId: number,
  { start, end }: Pick<EarningFilter, 'start' | 'end'>,
): Transaction[] {
  const rows: Transaction[] = []
  const firstDay = start === undefined ? undated : toUtcDay(start)
  const lastDay = end === undefined ? undefined : toUtcDay(end)
  const list = world.db.transactions.in('byAccount', accountId)
  for (const row of list.walk(
    lastDay === undefined ? 0 : list.findPartitionPoint((each) => getEarningDay(each) <= lastDay),
  )) {
    const time = row.transaction_created_at
    // Rows without a time are last.
    if (time === null || getEarningDay(row) < firstDay) break
    const at = parseIso(time)
    if (row.status !== 'undo' && at >= (start ?? -Infinity) && at <= (end ?? Infinity))
      rows.push(row)
  }
  return rows
}

/** Keeps the table earningDays in sync with transactions. */
export function createEarningDayUpdater(world: World): ChangeListener<Transaction> {
  world.db.earningDays.derive(() => sumDays(world))
  return (before, after) => {
    if (before !== undefined) addToDay(world, before, -1)
    if (after !== undefined) addToDay(world, after, 1)
  }
}

function sumDays(world: World): EarningDay[] {
  const byAccount = new Map<number, Map<string, z.infer<typeof EarningDay>[]>>()
  for (const row of world.db.transactions.all()) {
    if (row.status === 'undo') continue
    const days = byAccount.get(row.accountId) ?? new Map<string, z.infer<typeof EarningDay>[]>()
    if (days.size === 0) byAccount.set(row.accountId, days)
    const date = getEarningDay(row)
    const day = days.get(date) ?? []
    if (day.length === 0) days.set(date, day)
    const kind = getEarningKind(row)
    const known = day.find((each) => each.kind === kind)
    if (known === undefined) day.push(addRow(createEmptyDay(row, kind), row, 1))
    else addRow(known, row, 1)
  }
  return sortById(byAccount)
}

/** Splits a window into its whole days and the partial days at both ends. Times are epoch ms. */
function splitAtDays({ start, end }: Pick<EarningFilter, 'start' | 'end'>): {
  days?: { from: number; to: number }
  ends: { start?: number; end?: number }[]
} {
  const wholeFrom = start === undefined ? undefined : Math.ceil(start / dayMs) * dayMs
  const wholeTo = end === undefined ? undefined : Math.floor((end + 1) / dayMs) * dayMs
  if (wholeFrom !== undefined && wholeTo !== undefined && wholeFrom >= wholeTo)
    return { ends: [{ start, end }] }
  const ends: { start?: number; end?: number }[] = []
  if (wholeFrom !== undefined && start !== undefined && start < wholeFrom)
    ends.push({ start, end: wholeFrom - 1 })
  if (wholeTo !== undefined && end !== undefined && wholeTo <= end)
    ends.push({ start: wholeTo, end })
  const earliest = end === undefined ? undatedAt : earliestDay
  return { days: { from: wholeFrom ?? earliest, to: wholeTo ?? Infinity }, ends }
}

/**
 * Lower bound for the days of a window without a start, epoch ms. Sorts before all real days, but
 * after `undatedAt`.
 */
const earliestDay = -8.64e15

/** The amounts and the time of a payment. */
interface EarningPart extends EarningSums {
  /** Epoch ms. */
  at: number
}

function listRowParts(
  world: World,
  accountId: number,
  { categories, ...window }: EarningFilter,
): EarningPart[] {
  const kinds = toKinds(categories)
  return listEarningRows(world, accountId, window)
    .filter((row) => kinds.has(getEarningKind(row)))
    .map((row) => ({
      at: parseIso(row.transaction_created_at ?? ''),
      ...getAmountParts(row),
      count: 1,
    }))
}

const allKinds: ReadonlySet<EarningKind> = new Set(earningKinds)

/**
 * Expands categories to kinds of earnings. For example, `tip` expands to all kinds of tips, such as
 * `tip_post`.
 */
function toKinds(categories: EarningFilter['categories']): ReadonlySet<EarningKind> {
  if (categories === undefined) return allKinds
  return new Set(
    earningKinds.filter((kind) =>
      categories.some((category) => kind === category || kind.startsWith(`${category}_`)),
    ),
  )
}

/**
 * Returns the rows sorted by id. Sorts accounts, days and kinds separately, because sorting
 * thousands of ids is slow.
 */
function sortById(byAccount: ReadonlyMap<number, ReadonlyMap<string, EarningDay[]>>): EarningDay[] {
  const rows: EarningDay[] = []
  for (const [, days] of [...byAccount].toSorted(([a], [b]) => (`${a}:` < `${b}:` ? -1 : 1))) {
    for (const day of [...days.keys()].toSorted())
      rows.push(...(days.get(day) ?? []).toSorted((a, b) => (a.id < b.id ? -1 : 1)))
  }
  return rows
}

function createEmptySums(): EarningSums {
  return { gross: 0, net: 0, held: 0, count: 0 }
}

function add(sums: EarningSums, { gross, net, held, count }: EarningSums): void {
  sums.gross += gross
  sums.net += net
  sums.held += held
  sums.count += count
}

/**
 * Adds a transaction to the row of its day and kind, or subtracts it. Deletes a row that becomes
 * empty.
 */
function addToDay(world: World, row: Transaction, sign: 1 | -1): void {
  if (row.status === 'undo') return
  const kind = getEarningKind(row)
  const table = world.db.earningDays
  const id = toDayId(row, kind)
  const before = table.remove(id)
  const day = addRow({ ...(before ?? createEmptyDay(row, kind)) }, row, sign)
  if (day.count > 0) table.insert(day)
}

function addRow(
  day: z.infer<typeof EarningDay>,
  row: Transaction,
  sign: 1 | -1,
): z.infer<typeof EarningDay> {
  const { gross, net, held } = getAmountParts(row)
  day.grossCents += sign * gross
  day.netCents += sign * net
  day.heldCents += sign * held
  day.count += sign
  return day
}

function getAmountParts(row: Transaction): { gross: number; net: number; held: number } {
  const cents = toCentAmounts(row)
  return { ...cents, held: row.status === 'done' ? 0 : cents.net }
}

function createEmptyDay(row: Transaction, kind: EarningKind): z.infer<typeof EarningDay> {
  return {
    id: toDayId(row, kind),
    accountId: row.accountId,
    day: getEarningDay(row),
    kind,
    grossCents: 0,
    netCents: 0,
    heldCents: 0,
    count: 0,
  }
}

function toDayId(row: Transaction, kind: EarningKind): string {
  return `${row.accountId}:${getEarningDay(row)}:${kind}`
}

/** Text for the docs. Explains which payments the totals exclude. */
export const sums =
  'Sums exclude refunds (status undo) and rows without a time. total is net, and gross is ' +
  'before fees.'

/** Text for the docs. Explains the buckets of charts. */
export const buckets =
  'Each bucket covers one UTC hour for windows of up to 2 days, one UTC day for windows of ' +
  'up to 100 days, and one UTC month for longer windows. Empty buckets are left out, so use ' +
  'the date of each bucket.'
