import { findViolations } from '../../world/invariant.ts'
import type { Invariant } from '../../world/invariant.ts'
import type { World } from '../world.ts'
import { newestFirst } from '../messages/messages.table.ts'
import { computeChatSpending } from './chats.ts'

export const chatInvariants: readonly Invariant<World>[] = [
  {
    name: 'the unread count of a chat is the number of messages of the fan after the last read one',
    check: findMiscounted,
  },
  { name: 'the last message of a chat is its newest one', check: findOutdated },
  { name: 'the flags of chats for paid and tipped match the payments', check: findUnknownSpenders },
]

function findMiscounted({ db }: World): string[] {
  return findViolations(db.chats.all(), ({ id, unreadCount, lastReadMessageId }) => {
    const broken: string[] = []
    const lastRead = db.messages.get(lastReadMessageId)
    if (lastReadMessageId !== 0 && lastRead?.chatId !== id)
      broken.push(
        `The last read message of chat ${id} is ${lastReadMessageId}, which does not exist.`,
      )
    let count = 0
    for (const message of db.messages.in('byChat', id).walk()) {
      if (lastRead !== undefined && newestFirst(message, lastRead) >= 0) break
      count += Number(message.isFromFan)
    }
    if (count !== unreadCount)
      broken.push(
        `The chat ${id} has ${unreadCount} unread messages, but the fan wrote ${count} since ` +
          `${lastReadMessageId}.`,
      )
    return broken
  })
}

function findOutdated({ db }: World): string[] {
  return findViolations(db.chats.all(), ({ id, lastMessageId, lastMessageAt }) => {
    const broken: string[] = []
    const newest = db.messages.in('byChat', id).at(0)
    if (lastMessageId !== (newest?.id ?? 0))
      broken.push(
        `The last message of chat ${id} is ${lastMessageId}, but the newest one is ` +
          `${newest?.id ?? 'none'}.`,
      )
    if (newest !== undefined && newest.createdAt !== lastMessageAt)
      broken.push(
        `The last message of chat ${id} was sent at ${newest.createdAt}, not ${lastMessageAt}.`,
      )
    return broken
  })
}

function findUnknownSpenders(world: World): string[] {
  return findViolations(world.db.chats.all(), ({ id, accountId, fanId, hasSpent, hasTipped }) => {
    const spending = computeChatSpending(world, accountId, fanId)
    if (spending.hasSpent === hasSpent && spending.hasTipped === hasTipped) return []
    return [
      `The chat ${id} has hasSpent ${hasSpent} and hasTipped ${hasTipped}, but its payments ` +
        `require ${spending.hasSpent} and ${spending.hasTipped}.`,
    ]
  })
}
