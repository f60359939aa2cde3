import { z } from 'zod'
import { inferred } from './common.ts'

/** One notification toggle. */
export const NotificationToggle = z.object({ code: z.string(), value: z.boolean() })

/** Toggles by channel. */
export const NotificationChannels = z.record(z.string(), z.array(NotificationToggle))

/** The full settings, as the update answers them; the reference leaves the answer open. */
export const NotificationSettingsAnswer = inferred(z.object({ notifications: NotificationChannels }))

/** The tabs of the notification page. */
export const NotificationTab = z.enum(['all', 'subscribed', 'purchases', 'tip', 'tags', 'commented', 'mentioned', 'favorited', 'deactivated_media', 'message'])

/** The message settings in groups, with names to show. */
export const MessageSettings = inferred(
  z.array(z.object({ code: z.string(), name: z.string(), items: z.array(z.object({ code: z.string(), name: z.string(), value: z.boolean() })) })),
)
