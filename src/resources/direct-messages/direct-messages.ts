import { chartByDay, sumByDay } from '../../engine/day-counts.ts'
import { pageOfWalk } from '../../engine/paging.ts'
import type { SortedList } from '../../engine/store/sorted-list.ts'
import type { Account } from '../../engine/tenancy/tenancy.table.ts'
import { toIso } from '../../engine/time.ts'
import { endsAtInstant } from '../../engine/window.ts'
import type { Span, Window } from '../../engine/window.ts'
import type { World } from '../../world/world.ts'
import { messageTexts } from '../messages/list.ts'
import type { Message } from '../messages/messages.table.ts'
import { purchaseSource } from '../messages/purchases.table.ts'
import { purchaseSums } from '../messages/purchases.ts'
import { messageItem } from '../messages/view.ts'

/** The query of the list of messages to single fans. */
export interface DirectQuery {
  window: Window
  limit: number
}

/** One page of the messages that the account sent to single fans, and the parameters of the next one. */
export interface DirectPage {
  rows: Message[]
  hasMore: boolean
  next: Readonly<Record<string, string | number>> | null
}

/**
 * One page of the messages that the account sent to single fans, newest first. It ends with a whole second, since the next page names
 * the second of its last row: it may be shorter than the limit, and is longer where one second alone has more.
 */
export function readDirect(world: World, account: Account, { window, limit }: DirectQuery): DirectPage {
  const rows = world.db.messages.in('direct', account.id)
  const { from, to } = rangeOf(rows, window)
  const cut = from + limit
  if (cut >= to) return { rows: rows.slice(from, to), hasMore: false, next: null }
  const second = secondOf(rows.at(cut))
  const first = Math.max(
    from,
    rows.rank((message) => secondOf(message) <= second),
  )
  const end =
    first > from
      ? first
      : Math.min(
          to,
          rows.rank((message) => secondOf(message) < second),
        )
  const shown = rows.slice(from, end)
  return { rows: shown, hasMore: end < to, next: end < to ? { end_date: secondOf(shown.at(-1)).replace('T', ' ') } : null }
}

/** One page of those that have `text` in their plain text, whatever its case, newest first. */
export function searchDirect(
  world: World,
  account: Account,
  { window, limit, text, offset = 0 }: DirectQuery & { text: string; offset?: number },
): DirectPage {
  const rows = world.db.messages.in('direct', account.id)
  const found = world.part(messageTexts).walk(rows, text, rangeOf(rows, window).from)
  return pageOfWalk(sentSince(toIso(window.start), found), { offset, limit })
}

/** Where the messages of a window stand in the list, newest first. An end that is an instant is exclusive. */
function rangeOf(rows: SortedList<Message>, window: Window): { from: number; to: number } {
  // An end to the second leaves all of that second out, as the page before has shown it.
  const isSecond = /:\d{2}$/.test(window.end_date)
  const end = isSecond ? toIso(window.end).replace(/\.\d+Z$/, '.000Z') : toIso(window.end)
  const start = toIso(window.start)
  return {
    from: rows.rank(({ createdAt }) => createdAt < end || (createdAt === end && !endsAtInstant(window))),
    to: rows.rank(({ createdAt }) => createdAt < start),
  }
}

/** The second of a message, such as `2026-03-01T09:00:00`. */
function secondOf(message: Message | undefined): string {
  return message?.createdAt.slice(0, 19) ?? ''
}

/** The message as a row of the statistics. */
export function toDirectStats(world: World, message: Message) {
  const { mediaCount, isFree, isTip } = messageItem(world, message)
  const { id, createdAt: date, text, isViewed } = message
  return { id, date, text, sentCount: 1, viewedCount: isViewed ? 1 : 0, mediaCount, isFree, isTip }
}

/** Counts the messages that the account sent to single fans in the window, and sums what was paid for such, by UTC day. */
export function chartDirect(world: World, account: Account, window: Span) {
  const { messages, messagePurchases } = world.db
  return {
    direct_messages: chartByDay(messages.in('direct', account.id), window, (message) => message.createdAt),
    direct_messages_purchases: sumByDay(messagePurchases.in('bySource', purchaseSource(account.id, 'direct')), window, purchaseSums(world)),
  }
}

function* sentSince(first: string, newestFirst: Iterable<Message>): Generator<Message, void, void> {
  for (const message of newestFirst) {
    if (message.createdAt < first) return
    yield message
  }
}
