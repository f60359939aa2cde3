import { z } from 'zod'
import { inferred, platformTime } from '../../lib/fields.ts'
import { UserView } from '../users/schemas.ts'

/** One notification toggle. */
export const NotificationToggle = z.lazy(() =>
  z.object({ code: z.string().max(100), value: z.boolean() }),
)

/** The most channels of an update. */
const maxChannels = 100

/** Toggles by channel. */
export const NotificationChannels = z.lazy(() =>
  z
    .record(z.string().max(100), z.array(NotificationToggle).max(100))
    .refine((channels) => Object.keys(channels).length <= maxChannels, {
      error: `it must have at most ${maxChannels} channels`,
    })
    .meta({ maxProperties: maxChannels }),
)

/** The tabs of the notification page. */
export const NotificationTab = z.enum([
  'all',
  'subscribed',
  'purchases',
  'tip',
  'tags',
  'commented',
  'mentioned',
  'favorited',
  'deactivated_media',
  'message',
])

/** The settings of the channel `message` in groups, with display names. */
export const MessageSettings = z.lazy(() =>
  inferred(
    z.array(
      z.object({
        code: z.string(),
        name: z.string(),
        items: z.array(z.object({ code: z.string(), name: z.string(), value: z.boolean() })),
      }),
    ),
  ),
)

/** The type of a notification: a tab other than `all`, or `system` for the platform's own. */
export const NotificationType = z.enum([...NotificationTab.exclude(['all']).options, 'system'])

/** How many notifications are unread, by tab; `system` has no tab of its own. */
export const NotificationCounts = z.lazy(() =>
  inferred(
    z.object({
      all: z.int(),
      subscribed: z.int(),
      purchases: z.int(),
      tip: z.int(),
      tags: z.int(),
      commented: z.int(),
      mentioned: z.int(),
      favorited: z.int(),
      deactivated_media: z.int(),
      message: z.int(),
      system: z.int(),
    }),
  ),
)

/** One notification. */
export const NotificationItem = z.lazy(() =>
  inferred(
    z.object({
      id: z.int(),
      type: NotificationType,
      subType: z.string().nullable(),
      text: z.string().describe('What happened, with placeholders such as {PRICE}.'),
      replacePairs: z
        .record(z.string(), z.string())
        .nullable()
        .describe('What stands for the placeholders of the text.'),
      createdAt: platformTime,
      isRead: z.boolean(),
      canGoToProfile: z.boolean(),
      user: UserView.describe("Whose doing it is; the account itself for the platform's own."),
    }),
  ),
)

/** One page of notifications. */
export const NotificationPage = z.lazy(() =>
  inferred(z.object({ list: z.array(NotificationItem), hasMore: z.boolean() })),
)
