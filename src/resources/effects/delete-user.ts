import { createDeletedFields, toFanKey } from '../fans/fans.table.ts'
import { findChatWith } from '../chats/chats.ts'
import type { World } from '../world.ts'
import { endSubscription } from './fan-activity.ts'

/**
 * Deletes the profile of a user. Their subscriptions end, and lists, marks, names and notes of all
 * accounts are removed. Their payments, messages, comments and claims stay.
 */
export function deleteUser(world: World, userId: number): void {
  const { db } = world
  for (const subscription of db.subscriptions.in('byFanAcrossAccounts', userId).slice()) {
    if (!subscription.isExpired) endSubscription(world, subscription)
    db.subscriptions.update(subscription.id, { notice: '', displayName: '', isAutoprolong: false })
  }
  for (const { id: accountId } of db.accounts.all()) {
    const key = toFanKey(accountId, userId)
    db.userListMembers.removeMany(
      db.userListMembers
        .in('byUser', key)
        .slice()
        .map(({ id }) => id),
    )
    db.follows.removeMany(
      db.follows
        .in('byUser', key)
        .slice()
        .map(({ id }) => id),
    )
    db.userMarks.remove(key)
    const chat = findChatWith(world, accountId, userId)
    if (chat?.isMuted === true) db.chats.update(chat.id, { isMuted: false })
  }
  for (const { id } of db.referrals.where({ userId }))
    db.referrals.update(id, { name: '', username: `u${userId}` })
  db.fans.update(userId, createDeletedFields(userId))
}
