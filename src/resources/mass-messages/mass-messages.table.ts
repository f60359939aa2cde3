import { z } from 'zod'
import { ascending, defineTable, descending, orderBy } from '../../data/define-table.ts'
import { Message } from '../messages/messages.table.ts'
import { ListReference } from './schemas.ts'

/**
 * A message to many fans. Its sending makes one message for each recipient, with its id as
 * `queueId`.
 */
export const MassMessage = z.lazy(() =>
  z.object({
    id: z.int(),
    accountId: z.int(),
    /**
     * queued: waits for its date. sent: went out. cancelled: removed from the queue, or unsent
     * within a day after it went out.
     */
    state: z.enum(['queued', 'sent', 'cancelled']),
    ...Message.unwrap().pick({
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
    /** The lists whose members get it: ids of custom lists, slugs of built-in ones. */
    userLists: z.array(ListReference).default([]),
    /** Fans who get it besides those members. */
    userIds: z.array(z.int()).default([]),
    /** The lists whose members do not get it. */
    excludedLists: z.array(ListReference).default([]),
    /** The members of excluded lists that were deleted; they do not get it either. */
    excludedIds: z.array(z.int()).default([]),
    createdAt: z.iso.datetime(),
    /** The date it is scheduled for; null when it went out at once. */
    scheduledDate: z.iso.datetime().nullable().default(null),
    /** When it went out, unique on the account; null until then. */
    sentAt: z.iso.datetime().nullable().default(null),
    /** How many fans it went to. */
    sentCount: z.int().default(0),
    /** How many of them had viewed their message before it was removed. */
    goneViews: z.int().default(0),
  }),
)
export type MassMessage = Readonly<z.infer<typeof MassMessage>>

const soonestFirst = orderBy<MassMessage>(
  ascending((item) => item.scheduledDate ?? ''),
  ascending((item) => item.id),
)

const isQueued = (item: MassMessage) => item.state === 'queued'

export const massMessages = defineTable({
  schema: MassMessage,
  references: {
    accountId: 'accounts',
    mediaFiles: 'vaultMedia',
    previews: 'vaultMedia',
    userIds: ['fans', 'accounts'],
    excludedIds: ['fans', 'accounts'],
  },
  firstId: 74_200_000,
  indexes: {
    /** Those that went out, newest first. It includes those that were cancelled since. */
    sent: {
      group: (item) => (item.sentAt === null ? null : item.accountId),
      order: orderBy(
        descending((item) => item.sentAt ?? ''),
        descending((item) => item.id),
      ),
    },
    queued: { group: (item) => (isQueued(item) ? item.accountId : null), order: soonestFirst },
    byMedia: { group: (item) => item.mediaFiles, order: soonestFirst },
    /** The queued ones of all accounts. */
    waiting: { group: (item) => (isQueued(item) ? 'all' : null), order: soonestFirst },
  },
})
