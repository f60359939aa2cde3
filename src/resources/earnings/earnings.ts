import type { z } from 'zod'
import { bucketWidth, bucketStart } from '../../engine/buckets.ts'
import { toCents } from '../../engine/money.ts'
import type { TableWatcher } from '../../engine/store/table.ts'
import { dayMs, fromIso, toDay, toIso } from '../../engine/time.ts'
import type { World } from '../../world/world.ts'
import type { TransactionCategory } from '../fans/schemas.ts'
import type { Transaction } from '../payments/transactions.table.ts'
import { earningKind, earningKinds } from './earnings.table.ts'
import type { EarningDay, EarningKind } from './earnings.table.ts'

/** Sums of earnings, in cents: `gross` is what fans paid, `net` what the creator receives, `held` what of it the platform still holds. */
export interface EarningSums {
  gross: number
  net: number
  held: number
  count: number
}

/** Which earnings are wanted. Epoch ms, both ends inclusive; an end that is left out is open, and without both rows without a time belong too. */
export interface EarningFilter {
  start?: number
  end?: number
  /** Left out: all. */
  categories?: readonly (EarningKind | z.infer<typeof TransactionCategory>)[]
}

/** One bucket of a chart: where it begins, and what was earned in it within the window. */
export interface EarningBucket extends EarningSums {
  date: string
}

/** Sums what the account earned: whole UTC days by the table earningDays, the ragged ends of the window row by row. */
export function sumEarnings(world: World, accountId: number, filter: EarningFilter = {}): EarningSums {
  const sums = { gross: 0, net: 0, held: 0, count: 0 }
  for (const piece of piecesOf(world, accountId, filter)) add(sums, piece)
  return sums
}

/** Cuts what the account earned in a window into hours, days or months, on whole UTC boundaries; only those with earnings, oldest first. */
export function chartEarnings(world: World, accountId: number, filter: EarningFilter & { start: number; end: number }): EarningBucket[] {
  const width = bucketWidth(filter)
  const pieces = width === 'hour' ? rowsBetween(world, accountId, filter) : piecesOf(world, accountId, filter)
  const buckets = new Map<number, EarningSums>()
  for (const piece of pieces) {
    const start = bucketStart(piece.at, width)
    const sums = buckets.get(start) ?? { gross: 0, net: 0, held: 0, count: 0 }
    buckets.set(start, sums)
    add(sums, piece)
  }
  return [...buckets].toSorted(([a], [b]) => a - b).map(([start, sums]) => ({ date: toIso(start), ...sums }))
}

/** The rows of an account in the window that count as earnings, newest first: refunds and rows without a time are none. */
export function* earningRows(
  world: World,
  accountId: number,
  { start = -Infinity, end = Infinity }: Pick<EarningFilter, 'start' | 'end'>,
): Generator<Transaction> {
  const [first, last] = [start === -Infinity ? '0' : toDay(start), end === Infinity ? '9' : toDay(end)]
  const list = world.db.transactions.in('byAccount', accountId)
  for (const row of list.walk(list.rank((each) => dayOf(each) <= last))) {
    const time = row.transaction_created_at
    if (time === null || dayOf(row) < first) return
    const at = fromIso(time)
    if (row.status !== 'undo' && at >= start && at <= end) yield row
  }
}

/** Keeps the table earningDays in agreement with the transactions. */
export function watchEarnings(world: World): TableWatcher<Transaction> {
  world.db.earningDays.derive(() => sumDays(world))
  return {
    keeps: world.db.earningDays,
    change(before, after) {
      if (before !== undefined) move(world, before, -1)
      if (after !== undefined) move(world, after, 1)
    },
  }
}

function sumDays(world: World): EarningDay[] {
  const byAccount = new Map<number, Map<string, z.infer<typeof EarningDay>[]>>()
  for (const row of world.db.transactions.all()) {
    if (row.status === 'undo') continue
    const days = byAccount.get(row.accountId) ?? new Map<string, z.infer<typeof EarningDay>[]>()
    if (days.size === 0) byAccount.set(row.accountId, days)
    const day = days.get(dayOf(row)) ?? []
    if (day.length === 0) days.set(dayOf(row), day)
    const kind = earningKind(row)
    const known = day.find((each) => each.kind === kind)
    if (known === undefined) day.push(applied(emptyDay(row, kind), row, 1))
    else applied(known, row, 1)
  }
  return inOrderOfIds(byAccount)
}

interface Piece extends EarningSums {
  at: number
}

/** What belongs to the window: each whole day of a kind as one piece, each row of the ragged ends as one. */
function* piecesOf(world: World, accountId: number, filter: EarningFilter): Generator<Piece> {
  const { start, end } = filter
  const wholeFrom = start === undefined ? undefined : Math.ceil(start / dayMs) * dayMs
  const wholeTo = end === undefined ? undefined : Math.floor((end + 1) / dayMs) * dayMs
  if (wholeFrom !== undefined && wholeTo !== undefined && wholeFrom >= wholeTo) {
    yield* rowsBetween(world, accountId, filter)
    return
  }
  if (wholeFrom !== undefined && start !== undefined && start < wholeFrom)
    yield* rowsBetween(world, accountId, { ...filter, end: wholeFrom - 1 })
  yield* wholeDays(world, accountId, { ...filter, start: wholeFrom, end: wholeTo === undefined ? undefined : wholeTo - dayMs })
  if (wholeTo !== undefined && end !== undefined && wholeTo <= end) yield* rowsBetween(world, accountId, { ...filter, start: wholeTo })
}

function* wholeDays(world: World, accountId: number, { start, end, categories }: EarningFilter): Generator<Piece> {
  const list = world.db.earningDays.in('byAccount', accountId)
  // Rows without a time stand on the day '', before all others.
  const first = start === undefined ? (end === undefined ? '' : '0') : toDay(start)
  const last = end === undefined ? undefined : toDay(end)
  const wanted = toKinds(categories)
  for (const row of list.walk(list.rank(({ day }) => day >= first))) {
    if (last !== undefined && row.day > last) return
    if (!wanted.has(row.kind)) continue
    yield { at: fromIso(row.day), gross: row.grossCents, net: row.netCents, held: row.heldCents, count: row.count }
  }
}

function* rowsBetween(world: World, accountId: number, { categories, ...window }: EarningFilter): Generator<Piece> {
  const wanted = toKinds(categories)
  for (const row of earningRows(world, accountId, window)) {
    if (wanted.has(earningKind(row))) yield { at: fromIso(row.transaction_created_at ?? ''), ...centsOf(row), count: 1 }
  }
}

function toKinds(categories: EarningFilter['categories']): ReadonlySet<EarningKind> {
  if (categories === undefined) return new Set(earningKinds)
  return new Set(earningKinds.filter((kind) => categories.some((category) => kind === category || kind.startsWith(`${category}_`))))
}

/** Sorting thousands of ids would take most of the time: accounts, days and kinds are few. */
function inOrderOfIds(byAccount: ReadonlyMap<number, ReadonlyMap<string, EarningDay[]>>): EarningDay[] {
  const rows: EarningDay[] = []
  for (const [, days] of [...byAccount].toSorted(([a], [b]) => (`${a}:` < `${b}:` ? -1 : 1))) {
    for (const day of [...days.keys()].toSorted())
      for (const row of (days.get(day) ?? []).toSorted((a, b) => (a.id < b.id ? -1 : 1))) rows.push(row)
  }
  return rows
}

function add(sums: EarningSums, { gross, net, held, count }: EarningSums): void {
  sums.gross += gross
  sums.net += net
  sums.held += held
  sums.count += count
}

function move(world: World, row: Transaction, sign: 1 | -1): void {
  if (row.status === 'undo') return
  const kind = earningKind(row)
  const table = world.db.earningDays
  const id = idOf(row, kind)
  const before = table.remove(id)
  const day = applied({ ...(before ?? emptyDay(row, kind)) }, row, sign)
  if (day.count > 0) table.insert(day)
}

function applied(day: z.infer<typeof EarningDay>, row: Transaction, sign: 1 | -1): z.infer<typeof EarningDay> {
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

function dayOf({ transaction_created_at: time }: Transaction): string {
  return time === null ? '' : time.slice(0, 'YYYY-MM-DD'.length)
}
