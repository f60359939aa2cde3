import type { Invariant } from '../../engine/invariant.ts'
import type { World } from '../../world/world.ts'
import { newestFirst } from '../messages/messages.table.ts'
import { spendingOf } from './chats.ts'

/** What always holds of chats. */
export const chatInvariants: readonly Invariant<World>[] = [
  { name: 'unread are the messages of the fan since the last one read', check: findMiscounted },
  { name: 'the last message of a chat is its newest one', check: findOutdated },
  { name: 'the filters of chats know who paid and tipped', check: findUnknownSpenders },
]

function* findMiscounted({ db }: World): Generator<string> {
  for (const { id, unreadCount, lastReadMessageId } of db.chats.all()) {
    const lastRead = db.messages.get(lastReadMessageId)
    if (lastReadMessageId !== 0 && lastRead?.chatId !== id)
      yield `In chat ${id} the last message read is ${lastReadMessageId}, which is not there.`
    let count = 0
    for (const message of db.messages.in('byChat', id).walk()) {
      if (lastRead !== undefined && newestFirst(message, lastRead) >= 0) break
      count += Number(message.isFromFan)
    }
    if (count !== unreadCount)
      yield (
        `In chat ${id} unread are ${unreadCount} messages, but the fan wrote ${count} since ` +
          `${lastReadMessageId}.`
      )
  }
}

function* findOutdated({ db }: World): Generator<string> {
  for (const { id, lastMessageId, lastMessageAt } of db.chats.all()) {
    const newest = db.messages.in('byChat', id).at(0)
    if (lastMessageId !== (newest?.id ?? 0))
      yield (
        `In chat ${id} the last message is ${lastMessageId}, but the newest is ` +
          `${newest?.id ?? 'none'}.`
      )
    if (newest !== undefined && newest.createdAt !== lastMessageAt)
      yield `The last message of chat ${id} is of ${newest.createdAt}, not ${lastMessageAt}.`
  }
}

function* findUnknownSpenders(world: World): Generator<string> {
  for (const { id, accountId, fanId, hasSpent, hasTipped } of world.db.chats.all()) {
    const spending = spendingOf(world, accountId, fanId)
    if (spending.hasSpent !== hasSpent || spending.hasTipped !== hasTipped)
      yield (
        `The chat ${id} says that the fan paid: ${hasSpent}, tipped: ${hasTipped}; the payments ` +
          `say ${spending.hasSpent} and ` +
          `${spending.hasTipped}.`
      )
  }
}
