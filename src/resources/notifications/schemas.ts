import { z } from 'zod'
import {
  markAsInferred,
  platformTime,
  lazyInferredObject,
  lazyObject,
  lazyInferredList,
} from '../../lib/fields.ts'
import { UserView } from '../users/schemas.ts'

/** One notification toggle. */
export const NotificationToggle = lazyObject(() => ({
  code: z.string().max(100),
  value: z.boolean(),
}))

/** Maximum number of channels in an update. */
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

/** The settings of the channel `message`, in groups with display names. */
export const MessageSettings = z.lazy(() =>
  markAsInferred(
    z.array(
      z.object({
        code: z.string(),
        name: z.string(),
        items: z.array(z.object({ code: z.string(), name: z.string(), value: z.boolean() })),
      }),
    ),
  ),
)

/**
 * The type of a notification: any tab except `all`, or `system` for notifications from the
 * platform.
 */
export const NotificationType = z.enum([...NotificationTab.exclude(['all']).options, 'system'])

/** Number of unread notifications by tab. Omits `system`, because it is not a tab. */
export const NotificationCounts = lazyInferredObject(() => ({
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
}))

/** One notification. */
export const NotificationItem = lazyInferredObject(() => ({
  id: z.int(),
  type: NotificationType,
  subType: z.string().nullable(),
  text: z.string().describe('Text with placeholders such as {PRICE}.'),
  replacePairs: z.record(z.string(), z.string()).nullable().describe('Values of the placeholders.'),
  createdAt: platformTime,
  isRead: z.boolean(),
  canGoToProfile: z.boolean(),
  user: UserView.describe(
    'The user who caused the notification, or the account itself if the platform caused it.',
  ),
}))

/** One page of notifications. */
export const NotificationPage = lazyInferredList(NotificationItem)
