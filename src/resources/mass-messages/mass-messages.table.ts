import { z } from 'zod'
import { lazyObject } from '../../lib/fields.ts'
import {
  compareAscending,
  defineTable,
  compareDescending,
  recordTime,
} from '../../data/define-table.ts'
import { Message } from '../messages/messages.table.ts'
import { ListReference } from './schemas.ts'
import { count, defineSize } from '../../api/sizes.ts'
import type { SizeValues } from '../../api/sizes.ts'

/**
 * A message to many fans. Sending it creates one message per recipient. Each of these copies refers
 * to the mass message by `queueId`.
 */
export const MassMessage = lazyObject(() => ({
  id: z.int(),
  accountId: z.int(),
  /** `cancelled` means removed from the queue before sending, or unsent within 24 hours. */
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
  /** Lists of recipients: ids of custom lists, and slugs of built-in lists. */
  userLists: z.array(ListReference).default([]),
  /** Ids of individual recipients, in addition to the lists. */
  userIds: z.array(z.int()).default([]),
  /** Lists of excluded fans. */
  excludedLists: z.array(ListReference).default([]),
  /**
   * Ids of fans who were members of an excluded list when it was deleted. These fans stay
   * excluded.
   */
  excludedIds: z.array(z.int()).default([]),
  createdAt: recordTime,
  /** Scheduled send time. Null if it was sent immediately. */
  scheduledDate: recordTime.nullable().default(null),
  /** Time when the message was sent. Null if not sent yet. */
  sentAt: recordTime.nullable().default(null),
  /**
   * Why the sandbox cancelled the message in the queue: what it needs was deleted. Absent
   * otherwise.
   */
  cancelReason: z.enum(['media_deleted', 'recipients_deleted']).optional(),
  /** Number of recipients. */
  sentCount: z.int().default(0),
  /** Number of recipients who viewed their copy before the copy was removed. */
  goneViews: z.int().default(0),
}))
export type MassMessage = Readonly<z.infer<typeof MassMessage>>

/** Returns the time when a queued message is due. Without a date, it is due immediately. */
export function getDueTime({ scheduledDate, createdAt }: MassMessage): string {
  return scheduledDate ?? createdAt
}

const soonestFirst = compareAscending<MassMessage>(getDueTime, (item) => item.id)

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
    /** Sent messages, newest first, including messages that were cancelled later. */
    sent: {
      group: (item) => (item.sentAt === null ? null : item.accountId),
      order: compareDescending(
        (item) => item.sentAt ?? '',
        (item) => item.id,
      ),
    },
    queued: { group: (item) => (isQueued(item) ? item.accountId : null), order: soonestFirst },
    byMedia: { group: (item) => item.mediaFiles, order: soonestFirst },
    /** Queued messages of all accounts. */
    waiting: { group: (item) => (isQueued(item) ? 'all' : null), order: soonestFirst },
  },
})

/** Scenario settings for the mass messages of an account. */
export const massMessageSizes = {
  massMessages: defineSize(
    () =>
      count
        .max(2000)
        .describe(
          'Number of sent mass messages. Each message has at most 200 recipients: ' +
            'subscribers, best customers or lapsed fans of the account. Some paid messages are ' +
            'sent again to fans who did not buy.',
        ),
    0,
  ),
  queuedMassMessages: defineSize(
    () =>
      count
        .max(1000)
        .describe(
          'Number of mass messages that are scheduled for after the start time. For ' +
            'every four of these messages, one cancelled message is added.',
        ),
    0,
  ),
}
export type MassMessageSizes = SizeValues<typeof massMessageSizes>
