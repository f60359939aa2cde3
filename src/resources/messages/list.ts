import { readPage, readIterablePage } from '../../api/lists/paging.ts'
import type { ListPage, PageQuery } from '../../api/lists/paging.ts'
import { defineService } from '../../world/service.ts'
import { filterItems } from '../../lib/iterables.ts'
import type { SortedList } from '../../data/sorted-list.ts'
import { TextSearch } from '../../data/text-search.ts'
import { toPlainText } from '../../lib/text.ts'
import { createQueryParameterError } from '../../errors.ts'
import type { World } from '../world.ts'
import type { Chat } from '../chats/chats.table.ts'
import type { MediaType } from '../vault/vault.table.ts'
import type { Message } from './messages.table.ts'
import { isMessageRead } from './messages.ts'

/** Full-text index of messages by their plain text. */
export const messageTexts = defineService(
  () => new TextSearch<Message>((message) => toPlainText(message.text)),
)

/** Query parameters of the message list. */
export interface MessageQuery {
  order: 'desc' | 'asc'
  isPinned: boolean
  limit: number
  /** Id of the last message on the previous page. */
  id?: number
  /** With order=desc: id of the first message on the page. Older messages follow. */
  firstId?: number
  /** With order=asc: id of the first message on the page. Newer messages follow. */
  lastId?: number
}

/**
 * Returns one page of the chat's messages, sorted by time.
 * @throws {ApiError} parameter_invalid for the id of a message in another chat
 */
export function readMessages(world: World, chat: Chat, query: MessageQuery): ListPage<Message> {
  const { order, limit, id, firstId, lastId } = query
  const rows = world.db.messages.in(query.isPinned ? 'pinned' : 'byChat', chat.id)
  let from =
    firstId === undefined
      ? 0
      : findMessageRange(world, rows, { chat, id: firstId, name: 'first_id' }).from
  let to =
    lastId === undefined
      ? rows.size
      : findMessageRange(world, rows, { chat, id: lastId, name: 'last_id' }).to
  if (id !== undefined) {
    const seen = findMessageRange(world, rows, { chat, id, name: 'id' })
    if (order === 'desc') from = Math.max(from, seen.to)
    else to = Math.min(to, seen.from)
  }
  return readPage(rows, { offset: 0, limit }, { from, to, backwards: order === 'asc' })
}

/** Query parameters of the list of messages with media. Omitted parameters do not filter. */
export interface MediaQuery {
  limit: number
  /** Id of the last message on the previous page. */
  lastId?: number
  types?: readonly MediaType[]
  /** Returns only opened messages. */
  isOpened: boolean
  /** Returns only purchased messages. */
  isPurchased: boolean
  /** Id of the user who purchased the messages. Used only with `isPurchased`. */
  buyer?: number
}

/**
 * Returns one page of the chat's messages with media, newest first.
 * @throws {ApiError} parameter_invalid for the id of a message in another chat.
 */
export function readMediaMessages(world: World, chat: Chat, query: MediaQuery): ListPage<Message> {
  const rows = world.db.messages.in('media', chat.id)
  const start =
    query.lastId === undefined
      ? 0
      : findMessageRange(world, rows, { chat, id: query.lastId, name: 'last_id' }).to
  return readIterablePage(filterItems(rows.walk(start), createMediaFilter(world, query)), {
    offset: 0,
    limit: query.limit,
  })
}

/**
 * Returns one page of the chat's messages whose plain text contains `text`, ignoring case, newest
 * first.
 */
export function searchMessages(
  world: World,
  chat: Chat,
  { text, ...query }: PageQuery & { text: string },
): ListPage<Message> {
  return readIterablePage(
    world.service(messageTexts).walk(world.db.messages.in('byChat', chat.id), text),
    query,
  )
}

/**
 * Finds a message in a list sorted newest first. `from` is the index of the first row that is not
 * newer, and `to` is the index of the first row that is older. They are equal if the list does not
 * contain the message.
 */
function findMessageRange(
  world: World,
  rows: SortedList<Message>,
  { chat, id, name }: { chat: Chat; id: number; name: string },
): { from: number; to: number } {
  const message = world.db.messages.get(id)
  if (message !== undefined && message.chatId !== chat.id)
    throw createQueryParameterError({ [name]: id }, 'it must be the id of a message in this chat')
  if (message !== undefined) {
    const from = rows.findRank(message)
    return { from, to: rows.at(from) === message ? from + 1 : from }
  }
  // The message has been deleted. The id still determines its position, because ids increase with
  // time.
  const from = rows.findPartitionPoint((row) => row.id < id)
  return { from, to: from }
}

/** Returns a predicate for the filters of the query. */
function createMediaFilter(
  world: World,
  { types, isOpened, isPurchased, buyer }: MediaQuery,
): (message: Message) => boolean {
  const hasType = (message: Message) =>
    message.mediaFiles.some((id) => types?.includes(world.db.vaultMedia.get(id)?.type ?? 'photo'))
  return (message) =>
    (types === undefined || hasType(message)) &&
    (!isOpened || isMessageRead(world, message)) &&
    (!isPurchased ||
      (message.purchasedAt !== null && (buyer === undefined || message.fanId === buyer)))
}
