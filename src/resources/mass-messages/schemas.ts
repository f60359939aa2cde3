import { z } from 'zod'
import {
  bodyId,
  bodyTimestamp,
  ChartPoint,
  markAsInferred,
  platformTime,
  percentChange,
  lazyInferredObject,
  lazyObject,
} from '../../lib/fields.ts'
import { createBoundedJsonSchema } from '../../lib/schema-parts.ts'
import { MediaType } from '../media/schemas.ts'
import { MessageBody, MessageTag } from '../messages/schemas.ts'

const maxLists = 100
const maxUsers = 10_000

/** A user list in a request body: the id of a custom list, or the slug of a built-in list. */
export const ListReference = markAsInferred(
  z.union([z.int(), z.enum(['fans', 'following', 'friends', 'muted', 'recent', 'tagged'])]),
)
export type ListReference = z.infer<typeof ListReference>

const lists = () => z.array(ListReference).max(maxLists)
const recipients = () => ({
  userLists: lists().describe(
    'Lists of recipients: ids of custom lists, and slugs of built-in lists.',
  ),
  userIds: z.array(bodyId).max(maxUsers).describe('The ids of additional recipients.'),
  excludedLists: lists().describe('Lists whose members do not receive the message.'),
  scheduledDate: bodyTimestamp
    .describe('Send time, with time of day and zone.')
    .meta({ examples: ['2026-10-01T09:00:00Z'] }),
})

const unread = () =>
  markAsInferred(createBoundedJsonSchema(10_000))
    .optional()
    .describe('Has no effect in the sandbox.')
const narrowing = () => ({ filters: unread(), recommenders: unread() })

/** The request body for creating a mass message. */
export const MassMessageBody = z.lazy(() => {
  const { userLists, userIds, excludedLists, scheduledDate } = recipients()
  return MessageBody.unwrap().extend({
    userLists: userLists.default([]),
    userIds: userIds.default([]),
    excludedLists: excludedLists.default([]),
    scheduledDate: scheduledDate
      .optional()
      .describe('Send time, with time of day and zone. Default: immediately.'),
    ...narrowing(),
  })
})
export type MassMessageBody = z.infer<typeof MassMessageBody>

/** Removes the default of a field, so that an update does not reset a field that it omits. */
const withoutDefault = <Schema extends z.ZodType>(schema: z.ZodDefault<Schema>) =>
  schema.unwrap().optional()

/** Changes to a queued mass message. Omitted fields do not change. */
export const MassMessageChanges = z.lazy(() => {
  const { shape } = MessageBody.unwrap()
  const { userLists, userIds, excludedLists, scheduledDate } = recipients()
  return z.object({
    text: shape.text.optional(),
    lockedText: withoutDefault(shape.lockedText),
    price: withoutDefault(shape.price),
    mediaFiles: withoutDefault(shape.mediaFiles),
    previews: withoutDefault(shape.previews),
    giphyId: shape.giphyId,
    rfTag: withoutDefault(shape.rfTag),
    rfPartner: withoutDefault(shape.rfPartner),
    rfGuest: withoutDefault(shape.rfGuest),
    userLists: userLists.optional(),
    userIds: userIds.optional(),
    excludedLists: excludedLists.optional(),
    scheduledDate: scheduledDate.optional(),
    ...narrowing(),
  })
})
export type MassMessageChanges = z.infer<typeof MassMessageChanges>

const unsending = () => ({
  isCanceled: z.boolean(),
  canUnsend: z.boolean().describe('True if the message can still be cancelled or unsent.'),
  unsendSeconds: z
    .int()
    .describe('Seconds left to unsend the message. 0 if the message can no longer be unsent.'),
})

/** A mass message, as returned by the queue and after creation. */
export const MassMessageItem = lazyInferredObject(() => ({
  id: z.int(),
  date: platformTime.describe('Send time, past or scheduled.'),
  isReady: z.boolean().describe('True if all attached media are transcoded.'),
  isDone: z.boolean().describe('True if the message was sent.'),
  hasError: z.boolean(),
  ...unsending(),
  isCouplePeopleMedia: z.boolean(),
  total: z.int().describe('Number of recipients. -1 until the message is sent.'),
  pending: z.int().describe('Number of recipients who have not received the message yet.'),
}))

/** The queued mass messages. */
export const MassMessageQueue = lazyInferredObject(() => ({
  list: z.array(MassMessageItem),
  hasMore: z.boolean().describe('Always false, because the list is the whole queue.'),
}))

/** The details of a mass message. */
export const MassMessageDetails = lazyInferredObject(() => ({
  success: z.literal(true),
  queue: z.object({
    id: z.int(),
    date: platformTime,
    text: z.string().describe('HTML.'),
    giphyId: z.string().nullable(),
    textCropped: z.string().describe('The beginning of the text, without markup.'),
    isFree: z.boolean(),
    sentCount: z.int(),
    viewedCount: z
      .int()
      .describe(
        'Number of recipients who read or bought the message, including recipients whose ' +
          'copy was removed.',
      ),
    ...unsending(),
    mediaTypes: z.array(MediaType).nullable(),
    hasError: z.boolean(),
    releaseForms: z.array(MessageTag),
  }),
}))

/** A row of the statistics on sent messages. */
export const MassMessageStats = lazyInferredObject(() => ({
  id: z.int(),
  date: platformTime.describe('Send time.'),
  text: z.string().describe('HTML.'),
  sentCount: z.int(),
  viewedCount: z.int(),
  mediaCount: z.int(),
  price: z.number().describe('Price to unlock the message, in dollars. 0: free.'),
  isFree: z.boolean(),
}))

/** A list of fans that can receive a mass message. */
export const FanListItem = lazyInferredObject(() => ({
  id: z.union([z.int(), z.string()]),
  type: z.string(),
  name: z.string(),
  usersCount: z.int(),
}))

/** A page of the lists of fans that can receive a mass message. */
export const FanListPage = lazyInferredObject(() => ({
  list: z.array(FanListItem),
  hasMore: z.boolean(),
}))

/** A number for each day. */
export const DailySeries = lazyObject(() => ({
  chart: z.array(ChartPoint).describe('UTC days without activity are omitted.'),
  total: z.int(),
  delta: percentChange,
}))

/** An amount for each day. Dollars. */
export const DailyMoney = lazyObject(() => ({
  chart: z
    .array(z.object({ date: platformTime, count: z.number() }))
    .describe('Dollars by UTC day. Days without payments are omitted.'),
  total: z.number(),
  delta: percentChange,
}))

/** Sent mass messages and their purchases, by day. */
export const MassMessageChart = lazyInferredObject(() => ({
  group_messages: DailySeries,
  group_messages_purchases: DailyMoney,
}))

/** A page of the ids of fans who bought a mass message. */
export const MassMessageBuyers = lazyObject(() => ({
  list: z.array(z.object({ id: z.int() })),
  hasMore: markAsInferred(z.boolean()),
  marker: markAsInferred(z.int().describe('Send this marker unchanged with the next page.')),
}))
