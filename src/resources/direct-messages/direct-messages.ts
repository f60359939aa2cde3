import { pageOf, pageOfWalk } from '../../engine/paging.ts'
import type { PageOf } from '../../engine/paging.ts'
import type { Account } from '../../engine/tenancy/tenancy.table.ts'
import { toPlainText } from '../../engine/text.ts'
import { toIso } from '../../engine/time.ts'
import { endsAtInstant } from '../../engine/window.ts'
import type { Window } from '../../engine/window.ts'
import type { World } from '../../world/world.ts'
import { chartByDay } from '../mass-messages/stats.ts'
import { messageTexts } from '../messages/list.ts'
import type { Message } from '../messages/messages.table.ts'
import { unsendSeconds } from '../messages/messages.ts'
import { purchaseSource } from '../messages/purchases.table.ts'
import { messageItem } from '../messages/view.ts'

/** Which of the messages to single fans are wanted. */
export interface DirectQuery {
  window: Window
  limit: number
  /** Of the messages at the very end of the window, those with a smaller id. */
  beforeId?: number
  /** Case-insensitive part of the plain text, and how many of those that have it to skip. */
  text?: string
  offset?: number
}

/**
 * One page of the messages that the account sent to single fans, newest first. An end given as an instant leaves out what was sent at
 * that very time, unless `beforeId` says which of it: it is the date of the last row of the page before.
 */
export function readDirect(
  world: World,
  account: Account,
  { window, limit, beforeId, text = '', offset = 0 }: DirectQuery,
): PageOf<Message> {
  const rows = world.db.messages.in('direct', account.id)
  const [first, last] = [toIso(window.start), toIso(window.end)]
  const isIn = ({ createdAt, id }: Message) =>
    createdAt < last || (createdAt === last && (beforeId === undefined ? !endsAtInstant(window) : id < beforeId))
  const [from, to] = [rows.rank(isIn), rows.rank(({ createdAt }) => createdAt < first)]
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

/** How many messages the account sent to single fans in the window, and how many were bought, by UTC day. */
export function chartDirect(world: World, account: Account, window: { start: number; end: number }) {
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
