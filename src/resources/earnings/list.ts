import { mergeSorted } from '../../lib/iterables.ts'
import type { SortedList } from '../../data/sorted-list.ts'
import { parseIso, toUtcDay, toPlatformTime } from '../../lib/time.ts'
import type { PlatformTime } from '../../lib/time.ts'
import type { World } from '../world.ts'
import { newestFirst } from '../payments/transactions.table.ts'
import type { Transaction } from '../payments/transactions.table.ts'
import { getEarningDay, toEarningKey, earningKinds, undated } from './earnings.table.ts'
import type { EarningKind, EarningDay } from './earnings.table.ts'
import type { Account } from '../../world/tenancy/tenancy.table.ts'
import { sumEarnings } from './earnings.ts'

/** Kinds of earnings by the `type` filter of the list and the chart. */
export const kindsOfType = {
  subscribes: ['new_subscription', 'recurring_subscription'],
  tips: ['tip_profile', 'tip_post', 'tip_chat', 'tip_stream', 'tip_story'],
  post: ['unlock_post'],
  chat_messages: ['message'],
  stream: ['unlock_stream'],
} as const satisfies Record<string, readonly EarningKind[]>
export type EarningTypeName = keyof typeof kindsOfType

/** Kinds of tips by the `tips_source` filter. */
const kindsOfSource = {
  profile: ['tip_profile'],
  post_all: ['tip_post'],
  chat: ['tip_chat'],
  stream: ['tip_stream'],
  story: ['tip_story'],
} as const satisfies Record<string, readonly EarningKind[]>
type TipsSourceName = keyof typeof kindsOfSource

/** Query of the list of payments. Both ends of the window are inclusive, epoch ms. */
interface EarningQuery {
  start: number
  end: number
  type?: EarningTypeName
  source?: TipsSourceName
  /** Lists only payments before this second, epoch seconds. */
  marker?: number
  limit: number
}

/**
 * Returns a page of the payments to an account, newest first. Includes refunds, but excludes rows
 * without a time. Markers are whole seconds. All payments of a second are on the same page, so a
 * page may exceed the limit.
 */
export function listEarnings(
  world: World,
  accountId: number,
  query: EarningQuery,
): { rows: Transaction[]; hasMore: boolean } {
  const rows: Transaction[] = []
  for (const row of iteratePayments(world, accountId, query)) {
    const time = row.transaction_created_at
    if (time === null || parseIso(time) < query.start) break
    if (parseIso(time) > query.end) continue
    const last = rows.at(-1)
    if (rows.length >= query.limit && last !== undefined && toPageMarker(row) < toPageMarker(last))
      return { rows, hasMore: true }
    rows.push(row)
  }
  return { rows, hasMore: false }
}

/** Returns the marker of the page that follows a row. It is the second of the payment. */
export function toPageMarker({ transaction_created_at: time }: Transaction): number {
  return Math.floor(parseIso(time ?? '') / 1000)
}

/**
 * Iterates over the payments that match the query, newest first. Starts on the last day of the
 * window, or on the day of the marker if it is earlier.
 */
function iteratePayments(
  world: World,
  accountId: number,
  query: EarningQuery,
): Iterable<Transaction> {
  const { transactions } = world.db
  const walk = (list: SortedList<Transaction>) =>
    list.walk(list.findPartitionPoint((row) => isAfterMarker(row, query)))
  const kinds = getEarningKinds(query)
  if (kinds.length === earningKinds.length) return walk(transactions.in('byAccount', accountId))
  return mergeSorted(
    kinds.map((kind) => walk(transactions.in('byEarning', toEarningKey(accountId, kind)))),
    newestFirst,
  )
}

/**
 * True if a row is within the window and before the marker's second. In this case, the page may
 * include this row and all older rows.
 */
function isAfterMarker(row: Transaction, { end, marker }: EarningQuery): boolean {
  if (getEarningDay(row) > toUtcDay(end)) return false
  return marker === undefined || row.transaction_created_at === null || toPageMarker(row) < marker
}

function getEarningKinds({ type, source }: EarningQuery): readonly EarningKind[] {
  const ofType: readonly EarningKind[] | undefined =
    type === undefined ? undefined : kindsOfType[type]
  return type === 'tips' && source !== undefined ? kindsOfSource[source] : (ofType ?? earningKinds)
}

/** Amounts before and after the platform fee is deducted. Dollars. */
interface Totals {
  total_gross: number
  total_net: number
}

interface Month extends Totals {
  subscribes: (Totals & { date: PlatformTime })[]
  tips: (Totals & { date: PlatformTime })[]
}

/**
 * Returns an account's lifetime earnings by month and in total. Rows without a time count only
 * towards the total.
 */
export function computeEarningStatistics(world: World, { id: accountId }: Account) {
  const byMonth = new Map<string, EarningDay[]>()
  for (const row of world.db.earningDays.in('byAccount', accountId).walk()) {
    if (row.day === undated) continue
    const month = row.day.slice(0, 'YYYY-MM'.length)
    const rows = byMonth.get(month)
    if (rows === undefined) byMonth.set(month, [row])
    else rows.push(row)
  }
  const total = (categories?: readonly EarningKind[]) => {
    const { gross, net } = sumEarnings(world, accountId, { categories })
    return { total_gross: gross / 100, total_net: net / 100 }
  }
  return {
    months: Object.fromEntries([...byMonth].map(([month, rows]) => [month, toMonth(rows)])),
    total: {
      all: total(),
      subscribes: total(kindsOfType.subscribes),
      tips: total(kindsOfType.tips),
      post: total(kindsOfType.post),
      chat_messages: total(kindsOfType.chat_messages),
      stream: total(kindsOfType.stream),
      unknown: total(['unknown']),
    },
  }
}

function toMonth(rows: readonly EarningDay[]): Month {
  return {
    subscribes: groupByDay(rows, kindsOfType.subscribes),
    tips: groupByDay(rows, kindsOfType.tips),
    ...toTotals(rows),
  }
}

function groupByDay(rows: readonly EarningDay[], kinds: readonly EarningKind[]) {
  const byDate = new Map<string, EarningDay[]>()
  for (const row of rows)
    if (kinds.includes(row.kind)) byDate.set(row.day, [...(byDate.get(row.day) ?? []), row])
  return [...byDate].map(([day, ofDay]) => ({
    date: toPlatformTime(parseIso(day)),
    ...toTotals(ofDay),
  }))
}

function toTotals(rows: readonly EarningDay[]): Totals {
  const sum = (field: 'grossCents' | 'netCents') =>
    rows.reduce((cents, row) => cents + row[field], 0) / 100
  return { total_gross: sum('grossCents'), total_net: sum('netCents') }
}
