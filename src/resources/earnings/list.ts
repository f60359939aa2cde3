import { mergeSorted } from '../../lib/iterables.ts'
import type { SortedList } from '../../data/sorted-list.ts'
import { parseIso, toUtcDay } from '../../lib/time.ts'
import type { World } from '../world.ts'
import { newestFirst } from '../payments/transactions.table.ts'
import type { Transaction } from '../payments/transactions.table.ts'
import { getEarningDay, toEarningKey, earningKinds } from './earnings.table.ts'
import type { EarningKind } from './earnings.table.ts'

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
export const kindsOfSource = {
  profile: ['tip_profile'],
  post_all: ['tip_post'],
  chat: ['tip_chat'],
  stream: ['tip_stream'],
  story: ['tip_story'],
} as const satisfies Record<string, readonly EarningKind[]>
export type TipsSourceName = keyof typeof kindsOfSource

/** Query of the list of payments. Both ends of the window are inclusive, epoch ms. */
export interface EarningQuery {
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
    list.walk(list.rank((row) => isAfterMarker(row, query)))
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
