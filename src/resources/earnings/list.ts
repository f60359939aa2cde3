import { mergeSorted } from '../../engine/store/sorted-list.ts'
import type { SortedList } from '../../engine/store/sorted-list.ts'
import { fromIso, toDay } from '../../engine/time.ts'
import type { World } from '../../world/world.ts'
import { newestFirst } from '../payments/transactions.table.ts'
import type { Transaction } from '../payments/transactions.table.ts'
import { dayOf, earningKey, earningKinds } from './earnings.table.ts'
import type { EarningKind } from './earnings.table.ts'

/** The kinds of earnings of each type that the list and the chart can be filtered by. */
export const kindsOfType = {
  subscribes: ['new_subscription', 'recurring_subscription'],
  tips: ['tip_profile', 'tip_post', 'tip_chat', 'tip_stream', 'tip_story'],
  post: ['unlock_post'],
  chat_messages: ['message'],
  stream: ['unlock_stream'],
} as const satisfies Record<string, readonly EarningKind[]>
export type EarningTypeName = keyof typeof kindsOfType

/** The kind of tips of each source. */
export const kindsOfSource = {
  profile: ['tip_profile'],
  post_all: ['tip_post'],
  chat: ['tip_chat'],
  stream: ['tip_stream'],
  story: ['tip_story'],
} as const satisfies Record<string, readonly EarningKind[]>
export type TipsSourceName = keyof typeof kindsOfSource

/** The query of the list of payments: a window, epoch ms, both ends inclusive. With a marker, the list begins after its row. */
export interface EarningQuery {
  start: number
  end: number
  type?: EarningTypeName
  source?: TipsSourceName
  marker?: EarningMarker
  limit: number
}

/** The position of a row in the list. */
export interface EarningMarker {
  time: string
  id: string
}

/** A page of the payments to an account, newest first, with refunds and without rows that have no time. */
export function listEarnings(world: World, accountId: number, query: EarningQuery): { rows: Transaction[]; hasMore: boolean } {
  const rows: Transaction[] = []
  for (const row of paymentsFrom(world, accountId, query)) {
    const time = row.transaction_created_at
    if (time === null || fromIso(time) < query.start) break
    if (fromIso(time) > query.end) continue
    if (rows.length === query.limit) return { rows, hasMore: true }
    rows.push(row)
  }
  return { rows, hasMore: false }
}

/** Writes the position of a row as a marker: its time and its id, such as `2026-03-01T09:00:00.000Z_704310000217`. */
export function toMarker({ transaction_created_at: time, id }: Transaction): string {
  return `${time}_${id}`
}

/** Reads a marker; undefined when the text is not one. */
export function parseMarker(text: string): EarningMarker | undefined {
  const match = /^(\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?Z)_(.{1,200})$/.exec(text)
  return match === null ? undefined : { time: match[1] ?? '', id: match[2] ?? '' }
}

/** Walks the payments of the kinds of the query, from the last day of its window or its marker back in time. */
function paymentsFrom(world: World, accountId: number, query: EarningQuery): Iterable<Transaction> {
  const { transactions } = world.db
  const walk = (list: SortedList<Transaction>) => list.walk(list.rank((row) => isAfterMarker(row, query)))
  const kinds = kindsOf(query)
  if (kinds.length === earningKinds.length) return walk(transactions.in('byAccount', accountId))
  return mergeSorted(
    kinds.map((kind) => walk(transactions.in('byEarning', earningKey(accountId, kind)))),
    newestFirst,
  )
}

/** Whether a row, newest first, comes after the days that follow the window, and after the row of the marker. */
function isAfterMarker(row: Transaction, { end, marker }: EarningQuery): boolean {
  if (dayOf(row) > toDay(end)) return false
  const time = row.transaction_created_at ?? ''
  return marker === undefined || time < marker.time || (time === marker.time && row.id > marker.id)
}

function kindsOf({ type, source }: EarningQuery): readonly EarningKind[] {
  const ofType: readonly EarningKind[] | undefined = type === undefined ? undefined : kindsOfType[type]
  const ofSource: readonly EarningKind[] | undefined = source === undefined ? undefined : kindsOfSource[source]
  return (ofType ?? earningKinds).filter((kind) => ofSource === undefined || ofSource.includes(kind))
}
