import { z } from 'zod'
import { ascending, defineTable, descending, orderBy } from '../../engine/store/table.ts'
import { Message } from '../messages/messages.table.ts'
import { ListReference } from './schemas.ts'

/** A message to many fans. Once it is sent, each recipient has a message of their own that carries its id as `queueId`. */
export const MassMessage = z.object({
  id: z.int(),
  accountId: z.int(),
  /** queued until its time comes, then sent; cancelled: taken out of the queue, or taken back within a day. */
  state: z.enum(['queued', 'sent', 'cancelled']),
  ...Message.pick({
    text: true,
    lockedText: true,
    price: true,
    mediaFiles: true,
    previews: true,
    giphyId: true,
    rfTag: true,
    rfPartner: true,
    rfGuest: true,
  }).shape,
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
  firstId: 74_200_000,
  indexes: {
    /** Those that went out, also when they were taken back since: newest first. */
    sent: {
      group: (item) => (item.sentAt === null ? null : item.accountId),
      order: orderBy(
        descending((item) => item.sentAt ?? ''),
        descending((item) => item.id),
      ),
    },
    queued: { group: (item) => (isQueued(item) ? item.accountId : null), order: soonestFirst },
    byMedia: { group: (item) => item.mediaFiles, order: soonestFirst },
    /** Those whose media were transcoded for them, or are being. */
    withNewMedia: { group: (item) => (item.mediaReadyAt === null ? null : item.accountId), order: ascending((item) => item.id) },
    waiting: { group: (item) => (isQueued(item) ? 'all' : null), order: soonestFirst },
  },
})
