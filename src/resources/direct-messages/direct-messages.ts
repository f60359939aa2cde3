import { chartByDay } from '../../engine/day-counts.ts'
import { pageOf, pageOfWalk } from '../../engine/paging.ts'
import type { PageOf } from '../../engine/paging.ts'
import type { Account } from '../../engine/tenancy/tenancy.table.ts'
import { toPlainText } from '../../engine/text.ts'
import { toIso } from '../../engine/time.ts'
import { endsAtInstant } from '../../engine/window.ts'
import type { Span, Window } from '../../engine/window.ts'
import type { World } from '../../world/world.ts'
import { messageTexts } from '../messages/list.ts'
import type { Message } from '../messages/messages.table.ts'
import { unsendSeconds } from '../messages/messages.ts'
import { purchaseSource } from '../messages/purchases.table.ts'
import { messageItem } from '../messages/view.ts'

/** The query of the list of messages to single fans. */
export interface DirectQuery {
  window: Window
  limit: number
  /** Of the messages sent at the very end of the window, only those with a smaller id. */
  beforeId?: number
  /** A part of the plain text; case does not matter. */
  text?: string
  /** How many of the messages with that text to skip. */
  offset?: number
}

/**
 * One page of the messages that the account sent to single fans, newest first. An `end_date` that is an instant, such as
 * `2026-03-01T09:00:00.000Z`, is the date of the last row of the page before. It leaves out the messages sent at that very time, or,
 * with `beforeId`, only those with the same or a larger id.
 */
export function readDirect(
  world: World,
  account: Account,
  { window, limit, beforeId, text = '', offset = 0 }: DirectQuery,
): PageOf<Message> {
  const rows = world.db.messages.in('direct', account.id)
  const [first, last] = [toIso(window.start), toIso(window.end)]
  const isWithinAtEnd = ({ id }: Message) => (beforeId === undefined ? !endsAtInstant(window) : id < beforeId)
  const from = rows.rank((message) => message.createdAt < last || (message.createdAt === last && isWithinAtEnd(message)))
  const to = rows.rank(({ createdAt }) => createdAt < first)
  return text === ''
    ? pageOf(rows, { offset, limit }, { from, to })
    : pageOfWalk(sentSince(first, world.part(messageTexts).walk(rows, text, from)), { offset, limit })
}

/** The message as a row of the statistics. */
export function toDirectStats(world: World, message: Message) {
  const { media, mediaCount, previews, isFree, price } = messageItem(world, message)
  const seconds = unsendSeconds(world, message)
  const purchasedCount = message.purchasedAt === null ? 0 : 1
  return {
    id: message.id,
    date: message.createdAt,
    text: message.text,
    rawText: toPlainText(message.text),
    giphyId: message.giphyId,
    isFree,
    price,
    sentCount: 1,
    viewedCount: message.isViewed ? 1 : 0,
    purchasedCount,
    mediaCount,
    media,
    previews,
    isCanceled: false,
    canUnsend: seconds > 0,
    unsendSeconds: seconds,
    canSendMessageToBuyers: purchasedCount > 0,
  }
}

/** Counts the messages that the account sent to single fans in the window, and those that were bought, by UTC day. */
export function chartDirect(world: World, account: Account, window: Span) {
  const { messages, messagePurchases } = world.db
  return {
    direct_messages: chartByDay(messages.in('direct', account.id), window, (message) => message.createdAt),
    direct_messages_purchases: chartByDay(messagePurchases.in('bySource', purchaseSource(account.id, 'direct')), window, (row) => row.at),
  }
}

function* sentSince(first: string, newestFirst: Iterable<Message>): Generator<Message, void, void> {
  for (const message of newestFirst) {
    if (message.createdAt < first) return
    yield message
  }
}
