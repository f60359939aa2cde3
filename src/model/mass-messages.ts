import { z } from 'zod'
import { apiError } from '../errors.ts'
import { ListReference } from '../schemas/mass-messages.ts'
import { fromIso } from '../schemas/time.ts'
import { Message, unsendMs } from './messages.ts'
import type { Account } from './organisations.ts'
import { ascending, defineTable, descending, orderBy } from './table.ts'
import type { TableWatcher } from './table.ts'
import type { World } from './world.ts'

/** A message to many fans. Once it is sent, each recipient has a message of their own that carries its id as `queueId`. */
export const MassMessage = z.object({
  id: z.int(),
  accountId: z.int(),
  /** queued until its time comes, then sent; cancelled: taken out of the queue, or taken back within a day. */
  state: z.enum(['queued', 'sent', 'cancelled']),
  ...Message.pick({ text: true, lockedText: true, price: true, mediaFiles: true, previews: true, giphyId: true, rfTag: true, rfPartner: true, rfGuest: true }).shape,
  /** Whose members get it: ids of custom lists, slugs of the built-in ones. */
  userLists: z.array(ListReference),
  /** Fans who get it besides. */
  userIds: z.array(z.int()),
  /** Whose members never get it. */
  excludedLists: z.array(ListReference),
  /** Who was in excluded lists that are gone; they never get it either. */
  excludedIds: z.array(z.int()),
  /** When its media will be transcoded, for all who get it; null when nothing has to be. */
  mediaReadyAt: z.iso.datetime().nullable(),
  createdAt: z.iso.datetime(),
  /** When it is to go out; null when it went out at once. */
  scheduledDate: z.iso.datetime().nullable(),
  /** When it went out; unique on the account. */
  sentAt: z.iso.datetime().nullable(),
  /** How many fans it went to. */
  sentCount: z.int(),
  /** How many of them had viewed a message that is gone by now. */
  goneViews: z.int(),
})
export type MassMessage = Readonly<z.infer<typeof MassMessage>>

const soonestFirst = orderBy<MassMessage>(
  ascending((item) => item.scheduledDate ?? ''),
  ascending((item) => item.id),
)
const isQueued = (item: MassMessage) => item.state === 'queued'

export const massMessages = defineTable({
  schema: MassMessage,
  indexes: {
    /** Those that went out, also when they were taken back since: newest first. */
    sent: { group: (item) => (item.sentAt === null ? null : item.accountId), order: orderBy(descending((item) => item.sentAt ?? ''), descending((item) => item.id)) },
    queued: { group: (item) => (isQueued(item) ? item.accountId : null), order: soonestFirst },
    byMedia: { group: (item) => item.mediaFiles, order: soonestFirst },
    /** Those whose media were transcoded for them, or are being. */
    withNewMedia: { group: (item) => (item.mediaReadyAt === null ? null : item.accountId), order: ascending((item) => item.id) },
    waiting: { group: (item) => (isQueued(item) ? 'all' : null), order: soonestFirst },
  },
})

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
export function keepExcluded(world: World, { accountId, listId, members }: { accountId: number; listId: number; members: readonly number[] }): void {
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
