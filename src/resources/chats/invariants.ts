import { findBroken } from '../../world/invariant.ts'
import type { Invariant } from '../../world/invariant.ts'
import type { World } from '../world.ts'
import { newestFirst } from '../messages/messages.table.ts'
import { spendingOf } from './chats.ts'

export const chatInvariants: readonly Invariant<World>[] = [
  { name: 'unread are the messages of the fan since the last one read', check: findMiscounted },
  { name: 'the last message of a chat is its newest one', check: findOutdated },
  { name: 'the filters of chats know who paid and tipped', check: findUnknownSpenders },
]

function findMiscounted({ db }: World): string[] {
  return findBroken(db.chats.all(), ({ id, unreadCount, lastReadMessageId }) => {
    const broken: string[] = []
    const lastRead = db.messages.get(lastReadMessageId)
    if (lastReadMessageId !== 0 && lastRead?.chatId !== id)
      broken.push(`Chat ${id}: the last read message ${lastReadMessageId} does not exist.`)
    let count = 0
    for (const message of db.messages.in('byChat', id).walk()) {
      if (lastRead !== undefined && newestFirst(message, lastRead) >= 0) break
      count += Number(message.isFromFan)
    }
    if (count !== unreadCount)
      broken.push(
        `Chat ${id}: unreadCount is ${unreadCount}, but the fan wrote ${count} messages since ` +
          `${lastReadMessageId}.`,
      )
    return broken
  })
}

function findOutdated({ db }: World): string[] {
  return findBroken(db.chats.all(), ({ id, lastMessageId, lastMessageAt }) => {
    const broken: string[] = []
    const newest = db.messages.in('byChat', id).at(0)
    if (lastMessageId !== (newest?.id ?? 0))
      broken.push(
        `Chat ${id}: lastMessageId is ${lastMessageId}, but the newest message is ` +
          `${newest?.id ?? 'none'}.`,
      )
    if (newest !== undefined && newest.createdAt !== lastMessageAt)
      broken.push(`Chat ${id}: lastMessageAt is ${lastMessageAt}, not ${newest.createdAt}.`)
    return broken
  })
}

function findUnknownSpenders(world: World): string[] {
  return findBroken(world.db.chats.all(), ({ id, accountId, fanId, hasSpent, hasTipped }) => {
    const spending = spendingOf(world, accountId, fanId)
    if (spending.hasSpent === hasSpent && spending.hasTipped === hasTipped) return []
    return [
      `Chat ${id}: hasSpent is ${hasSpent} and hasTipped ${hasTipped}, but its payments ` +
        `give ${spending.hasSpent} and ${spending.hasTipped}.`,
    ]
  })
}
