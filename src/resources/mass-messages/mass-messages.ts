import type { TableWatcher } from '../../engine/store/table.ts'
import type { Account } from '../../engine/tenancy/tenancy.table.ts'
import { fromIso } from '../../engine/time.ts'
import { apiError } from '../../errors.ts'
import type { World } from '../../world/world.ts'
import type { Message } from '../messages/messages.table.ts'
import { unsendMs } from '../messages/messages.ts'
import type { MassMessage } from './mass-messages.table.ts'

/** The mass message of that id on the account. @throws {ApiError} mass_message_unknown */
export function requireMassMessage(world: World, account: Account, id: number): MassMessage {
  const item = world.db.massMessages.get(id)
  if (item?.accountId !== account.id) throw apiError('mass_message_unknown', { message_id: id, account_id: account.id })
  return item
}

/** How many recipients have ever viewed it, also those who no longer have it. */
export function viewsOf(world: World, { id, goneViews }: MassMessage): number {
  return world.db.messages.in('viewedOfQueue', id).size + goneViews
}

/** How many recipients have bought it, refunds left out. */
export function purchasesOf(world: World, { id }: MassMessage): number {
  return world.db.messagePurchases.in('bought', id).size
}

/** Keeps excluding who is in a list that is about to go. */
export function keepExcluded(
  world: World,
  { accountId, listId, members }: { accountId: number; listId: number; members: readonly number[] },
): void {
  for (const { id, excludedLists, excludedIds } of world.db.massMessages.in('queued', accountId).slice()) {
    if (!excludedLists.includes(listId)) continue
    const lists = excludedLists.filter((list) => list !== listId)
    world.db.massMessages.update(id, { excludedLists: lists, excludedIds: [...new Set([...excludedIds, ...members])] })
  }
}

/** Keeps the views of the messages that go. */
export function watchViews(world: World): TableWatcher<Message> {
  return {
    change(before, after) {
      if (after !== undefined || before?.isViewed !== true || before.queueId === null) return
      const item = world.db.massMessages.get(before.queueId)
      if (item !== undefined) world.db.massMessages.update(item.id, { goneViews: item.goneViews + 1 })
    },
  }
}

/** How many seconds are left to take it back; 0 when it is too late or already done. Until it is sent, the whole time. */
export function unsendSecondsOf(world: World, { state, sentAt }: MassMessage): number {
  if (state === 'cancelled') return 0
  if (sentAt === null) return unsendMs / 1000
  const left = Math.min(unsendMs, fromIso(sentAt) + unsendMs - world.clock.now())
  return Math.max(0, Math.ceil(left / 1000))
}
