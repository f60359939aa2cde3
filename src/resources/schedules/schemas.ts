import { z } from 'zod'
import { markAsInferred, platformTime } from '../../lib/fields.ts'
import { ListReference } from '../mass-messages/schemas.ts'
import { MessageItem } from '../messages/schemas.ts'
import { FeedPost } from '../posts/schemas.ts'

/** The types of items that can be scheduled. */
export const scheduleTypes = ['chat', 'post', 'stream'] as const

/** A scheduled post, as it will appear in the feed. */
export const ScheduledPost = z.lazy(() =>
  markAsInferred(FeedPost.unwrap().extend({ scheduledAt: platformTime })),
)

/** A scheduled mass message, as its recipients will receive it. */
export const ScheduledMessage = z.lazy(() =>
  markAsInferred(
    MessageItem.unwrap().extend({
      rawText: z.string().describe('Plain text.'),
      scheduledAt: platformTime,
      userLists: z.array(ListReference),
      sentRulesType: z
        .enum(['lists', 'users', 'lists_and_users'])
        .describe('Type of the recipients.'),
    }),
  ),
)

const item = () => ({
  id: z.int().describe('Id of the scheduled item, not of its post or message.'),
  publishDateTime: platformTime,
  createdDateTime: platformTime,
})

/** A scheduled item. */
export const ScheduleItem = z.lazy(() =>
  markAsInferred(
    z.union([
      z.object({ ...item(), type: z.literal('post'), entity: ScheduledPost }),
      z.object({ ...item(), type: z.literal('chat'), entity: ScheduledMessage }),
    ]),
  ),
)

/** A page of scheduled items. */
export const SchedulePage = z.lazy(() =>
  markAsInferred(z.object({ list: z.array(ScheduleItem), hasMore: z.boolean() })),
)

/** Number of scheduled items by day and type. */
export const ScheduleCounters = z.lazy(() =>
  markAsInferred(
    z.object({
      list: z
        .record(
          z.string(),
          z.object({
            post: z.int().optional(),
            chat: z.int().optional(),
            stream: z.int().optional(),
          }),
        )
        .describe('By day, YYYY-MM-DD. Days and types without items are omitted.'),
    }),
  ),
)
