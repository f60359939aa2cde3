import type { z } from 'zod'
import { bucketWidth, bucketStart } from '../../engine/buckets.ts'
import { toCents } from '../../engine/money.ts'
import type { TableWatcher } from '../../engine/store/table.ts'
import { dayMs, fromIso, toDay, toPlatformTime } from '../../engine/time.ts'
import type { PlatformTime } from '../../engine/time.ts'
import { inUnits } from '../../engine/work.ts'
import type { Work } from '../../engine/work.ts'
import type { World } from '../../world/world.ts'
import type { TransactionCategory } from '../fans/schemas.ts'
import type { Transaction } from '../payments/transactions.table.ts'
import { dayOf, earningKind, earningKinds, undated } from './earnings.table.ts'
import type { EarningDay, EarningKind } from './earnings.table.ts'

/** Sums of earnings, in cents. */
export interface EarningSums {
  /** What fans paid. */
  gross: number
  /** What the creator receives. */
  net: number
  /** The part of `net` that the platform still holds. */
  held: number
  /** How many payments. */
  count: number
}

/**
 * Which earnings to sum. Epoch ms, both ends inclusive; an end that is left out is open. Rows without a time count only when both ends
 * are open.
 */
export interface EarningFilter {
  start?: number
  end?: number
  /** The kinds or categories to count; all when left out. */
  categories?: readonly (EarningKind | z.infer<typeof TransactionCategory>)[]
}

/** One bucket of a chart: what was earned in the part of it that lies in the window. */
export interface EarningBucket extends EarningSums {
  /** The start of the bucket. */
  date: PlatformTime
}

/** Sums what the account earned. It reads whole UTC days from the table earningDays, and the partial days at the ends row by row. */
export function sumEarnings(world: World, accountId: number, filter: EarningFilter = {}): EarningSums {
  const sums = { gross: 0, net: 0, held: 0, count: 0 }
  for (const part of sumParts(world, accountId, filter)) add(sums, part)
  return sums
}

/** Sums what the account earned in a window by UTC hour, day or month. It leaves out buckets without earnings; the oldest comes first. */
export function chartEarnings(world: World, accountId: number, filter: EarningFilter & { start: number; end: number }): EarningBucket[] {
  const width = bucketWidth(filter)
  const parts = width === 'hour' ? rowParts(world, accountId, filter) : sumParts(world, accountId, filter)
  const buckets = new Map<number, EarningSums>()
  for (const part of parts) {
    const start = bucketStart(part.at, width)
    const sums = buckets.get(start) ?? { gross: 0, net: 0, held: 0, count: 0 }
    buckets.set(start, sums)
    add(sums, part)
  }
  return [...buckets].toSorted(([a], [b]) => a - b).map(([start, sums]) => ({ date: toPlatformTime(start), ...sums }))
}

/** The rows of an account in the window that are earnings, newest first. Refunds and rows without a time are not. */
export function* earningRows(
  world: World,
  accountId: number,
  { start, end }: Pick<EarningFilter, 'start' | 'end'>,
): Generator<Transaction> {
  const firstDay = start === undefined ? undated : toDay(start)
  const lastDay = end === undefined ? undefined : toDay(end)
  const list = world.db.transactions.in('byAccount', accountId)
  for (const row of list.walk(lastDay === undefined ? 0 : list.rank((each) => dayOf(each) <= lastDay))) {
    const time = row.transaction_created_at
    // Rows without a time come last.
    if (time === null || dayOf(row) < firstDay) return
    const at = fromIso(time)
    if (row.status !== 'undo' && at >= (start ?? -Infinity) && at <= (end ?? Infinity)) yield row
  }
}

/** Keeps the table earningDays in step with the transactions. */
export function watchEarnings(world: World): TableWatcher<Transaction> {
  world.db.earningDays.derive(() => sumDays(world))
  return {
    keeps: world.db.earningDays,
    change(before, after) {
      if (before !== undefined) addToDay(world, before, -1)
      if (after !== undefined) addToDay(world, after, 1)
    },
  }
}

function* sumDays(world: World): Work<EarningDay[]> {
  const byAccount = new Map<number, Map<string, z.infer<typeof EarningDay>[]>>()
  yield* inUnits(world.db.transactions.all(), (row) => {
    if (row.status === 'undo') return
    const days = byAccount.get(row.accountId) ?? new Map<string, z.infer<typeof EarningDay>[]>()
    if (days.size === 0) byAccount.set(row.accountId, days)
    const day = days.get(dayOf(row)) ?? []
    if (day.length === 0) days.set(dayOf(row), day)
    const kind = earningKind(row)
    const known = day.find((each) => each.kind === kind)
    if (known === undefined) day.push(addRow(emptyDay(row, kind), row, 1))
    else addRow(known, row, 1)
  })
  return sortById(byAccount)
}

/** A part of the earnings of a window: a whole day of one kind, or one row. */
interface EarningPart extends EarningSums {
  /** The start of the day, or the time of the row. Epoch ms. */
  at: number
}

/** The parts of a window: its whole days, and row by row the partial days at its ends. */
function* sumParts(world: World, accountId: number, filter: EarningFilter): Generator<EarningPart> {
  const { start, end } = filter
  const wholeFrom = start === undefined ? undefined : Math.ceil(start / dayMs) * dayMs
  const wholeTo = end === undefined ? undefined : Math.floor((end + 1) / dayMs) * dayMs
  if (wholeFrom !== undefined && wholeTo !== undefined && wholeFrom >= wholeTo) {
    yield* rowParts(world, accountId, filter)
    return
  }
  if (wholeFrom !== undefined && start !== undefined && start < wholeFrom)
    yield* rowParts(world, accountId, { ...filter, end: wholeFrom - 1 })
  yield* dayParts(world, accountId, { ...filter, start: wholeFrom, end: wholeTo === undefined ? undefined : wholeTo - dayMs })
  if (wholeTo !== undefined && end !== undefined && wholeTo <= end) yield* rowParts(world, accountId, { ...filter, start: wholeTo })
}

function* dayParts(world: World, accountId: number, { start, end, categories }: EarningFilter): Generator<EarningPart> {
  const list = world.db.earningDays.in('byAccount', accountId)
  const firstDay = start === undefined ? undated : toDay(start)
  const lastDay = end === undefined ? undefined : toDay(end)
  const hasUndated = start === undefined && end === undefined
  const kinds = toKinds(categories)
  for (const row of list.walk(list.rank(({ day }) => day >= firstDay))) {
    if (row.day === undated && !hasUndated) continue
    if (lastDay !== undefined && row.day > lastDay) return
    if (!kinds.has(row.kind)) continue
    yield { at: fromIso(row.day), gross: row.grossCents, net: row.netCents, held: row.heldCents, count: row.count }
  }
}

function* rowParts(world: World, accountId: number, { categories, ...window }: EarningFilter): Generator<EarningPart> {
  const kinds = toKinds(categories)
  for (const row of earningRows(world, accountId, window)) {
    if (kinds.has(earningKind(row))) yield { at: fromIso(row.transaction_created_at ?? ''), ...centsOf(row), count: 1 }
  }
}

/** The kinds of these categories: `tip` stands for all kinds of tips, such as `tip_post`. */
function toKinds(categories: EarningFilter['categories']): ReadonlySet<EarningKind> {
  if (categories === undefined) return new Set(earningKinds)
  return new Set(earningKinds.filter((kind) => categories.some((category) => kind === category || kind.startsWith(`${category}_`))))
}

/** The rows sorted by their ids. It sorts accounts, days and kinds one after the other, as sorting thousands of ids is slow. */
function sortById(byAccount: ReadonlyMap<number, ReadonlyMap<string, EarningDay[]>>): EarningDay[] {
  const rows: EarningDay[] = []
  for (const [, days] of [...byAccount].toSorted(([a], [b]) => (`${a}:` < `${b}:` ? -1 : 1))) {
    for (const day of [...days.keys()].toSorted()) rows.push(...(days.get(day) ?? []).toSorted((a, b) => (a.id < b.id ? -1 : 1)))
  }
  return rows
}

function add(sums: EarningSums, { gross, net, held, count }: EarningSums): void {
  sums.gross += gross
  sums.net += net
  sums.held += held
  sums.count += count
}

/** Adds a transaction to the row of its day and kind, or takes it off. A row without payments is removed. */
function addToDay(world: World, row: Transaction, sign: 1 | -1): void {
  if (row.status === 'undo') return
  const kind = earningKind(row)
  const table = world.db.earningDays
  const id = idOf(row, kind)
  const before = table.remove(id)
  const day = addRow({ ...(before ?? emptyDay(row, kind)) }, row, sign)
  if (day.count > 0) table.insert(day)
}

function addRow(day: z.infer<typeof EarningDay>, row: Transaction, sign: 1 | -1): z.infer<typeof EarningDay> {
  const { gross, net, held } = centsOf(row)
  day.grossCents += sign * gross
  day.netCents += sign * net
  day.heldCents += sign * held
  day.count += sign
  return day
}

function centsOf({ amount, net, status }: Transaction): { gross: number; net: number; held: number } {
  const cents = toCents(net)
  return { gross: toCents(amount ?? 0), net: cents, held: status === 'done' ? 0 : cents }
}

function emptyDay(row: Transaction, kind: EarningKind): z.infer<typeof EarningDay> {
  return { id: idOf(row, kind), accountId: row.accountId, day: dayOf(row), kind, grossCents: 0, netCents: 0, heldCents: 0, count: 0 }
}

function idOf(row: Transaction, kind: EarningKind): string {
  return `${row.accountId}:${dayOf(row)}:${kind}`
}
