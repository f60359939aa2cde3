import { lazyStrictObject } from '../../lib/fields.ts'
import { accountId, requireAccount } from '../../api/action.ts'
import { defineAction } from '../define.ts'
import { chooseFan, fanId, getFanName } from '../effects/pick-records.ts'
import { createDeletedFields, toFanKey } from '../fans/fans.table.ts'
import { findChatWith } from '../chats/chats.ts'
import type { World } from '../world.ts'
import { endSubscription } from '../effects/fan-activity.ts'

/** Deletes the profile of a fan. */
export const deleteProfile = defineAction({
  type: 'user.delete',
  summary:
    'A fan deletes their profile. Only the id is left: lists of subscribers omit the fan, and ' +
    'writing to the fan returns 403. Payments, messages and comments stay',
  schema: lazyStrictObject(() => ({ account_id: accountId, fan_id: fanId })),
  effect(world, { account_id, fan_id }) {
    const account = requireAccount(world, account_id)
    const { fanId: fan } = chooseFan(world, account, { fan_id })
    const name = getFanName(world, fan)
    deleteUser(world, fan)
    return { happened: `${name} deleted their profile`, ids: { account: account.id, fan } }
  },
})

/**
 * Deletes the profile of a user. Their subscriptions end, and lists, marks, names and notes of all
 * accounts are removed. Their payments, messages, comments and claims stay.
 */
export function deleteUser(world: World, userId: number): void {
  const { db } = world
  for (const subscription of db.subscriptions.list('byFanAcrossAccounts', userId)) {
    if (!subscription.isExpired) endSubscription(world, subscription)
    db.subscriptions.update(subscription.id, { notice: '', displayName: '', isAutoprolong: false })
  }
  for (const { id: accountId } of db.accounts.all()) {
    const key = toFanKey(accountId, userId)
    db.userListMembers.removeMany(db.userListMembers.list('byUser', key).map(({ id }) => id))
    db.follows.removeMany(db.follows.list('byUser', key).map(({ id }) => id))
    db.userMarks.remove(key)
    const chat = findChatWith(world, accountId, userId)
    if (chat?.isMuted === true) db.chats.update(chat.id, { isMuted: false })
  }
  for (const { id } of db.referrals.where({ userId }))
    db.referrals.update(id, { name: '', username: `u${userId}` })
  db.fans.update(userId, createDeletedFields(userId))
}
