import { z } from 'zod'
import { defineTable, descending } from '../../engine/store/table.ts'
import { NotificationChannels, NotificationTab, NotificationType } from './schemas.ts'

/** The notification settings of an account; the id is the account's. */
export const NotificationSettings = z.object({
  id: z.int(),
  accountId: z.int(),
  notifications: NotificationChannels,
  tabsOrder: z.array(NotificationTab),
})
export type NotificationSettings = Readonly<z.infer<typeof NotificationSettings>>

/** A line on the notification page of an account. Later ones have larger ids. */
export const Notification = z.object({
  id: z.int(),
  accountId: z.int(),
  type: NotificationType,
  subType: z.string().nullable(),
  text: z.string(),
  /** What stands for the placeholders of the text. */
  replacePairs: z.record(z.string(), z.string()).nullable(),
  createdAt: z.iso.datetime(),
  isRead: z.boolean(),
  canGoToProfile: z.boolean(),
  /** Whose doing it is; null where it is the platform's. */
  fanId: z.int().nullable(),
})
export type Notification = Readonly<z.infer<typeof Notification>>

/** A tab of the notification page, or the platform's own notifications, which have none. */
export type NotificationGroup = z.infer<typeof NotificationTab> | 'system'

/** The tabs that a notification is shown under: its own, and the one of all. */
const tabsOf = ({ accountId, type }: Notification) => [tabKey(accountId, 'all'), tabKey(accountId, type)]

const newestFirst = descending<Notification>((row) => row.id)

export const notificationSettings = defineTable({ schema: NotificationSettings, indexes: {} })

export const notifications = defineTable({
  schema: Notification,
  firstId: 1_980_000_000,
  indexes: {
    byTab: { group: tabsOf, order: newestFirst },
    unread: { group: (row) => (row.isRead ? null : tabsOf(row)), order: newestFirst },
  },
})

/** The group of a tab in the indexes of the notifications. */
export function tabKey(accountId: number, tab: NotificationGroup): string {
  return `${accountId}:${tab}`
}
