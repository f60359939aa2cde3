import { z } from 'zod'
import { lazyObject } from '../../lib/fields.ts'
import { compareDescending, defineTable, recordTime } from '../../data/define-table.ts'
import { NotificationChannels, NotificationTab, NotificationType } from './schemas.ts'
import { count, defineSize } from '../../api/sizes.ts'
import type { SizeValues } from '../../api/sizes.ts'

/** Notification settings of an account. The id is the id of the account. */
export const NotificationSettings = lazyObject(() => ({
  id: z.int(),
  accountId: z.int(),
  notifications: NotificationChannels,
  tabsOrder: z.array(NotificationTab),
}))
export type NotificationSettings = Readonly<z.infer<typeof NotificationSettings>>

/** An entry on the notification page of an account. */
export const Notification = lazyObject(() => ({
  id: z.int(),
  accountId: z.int(),
  type: NotificationType,
  subType: z.string().nullable().default(null),
  text: z.string(),
  /** Values of the placeholders in the text, such as `{PRICE}`. */
  replacePairs: z.record(z.string(), z.string()).nullable().default(null),
  createdAt: recordTime,
  isRead: z.boolean().default(false),
  canGoToProfile: z.boolean().default(true),
  /** The fan whose activity caused the notification. Null for notifications from the platform. */
  fanId: z.int().nullable().default(null),
}))
export type Notification = Readonly<z.infer<typeof Notification>>

/**
 * A tab of the notification page, or `system` for notifications from the platform, which have no
 * tab.
 */
export type NotificationGroup = z.infer<typeof NotificationTab> | 'system'

/** Returns the keys of a notification in the index of tabs: one for its type, and one for `all`. */
const tabKeysOf = ({ accountId, type }: Notification) => [
  toTabKey(accountId, 'all'),
  toTabKey(accountId, type),
]

/** Sorts notifications newest first. If times are equal, the one with the higher id comes first. */
export const newestFirst = compareDescending<Notification>(
  (row) => row.createdAt,
  (row) => row.id,
)

export const notificationSettings = defineTable({
  schema: NotificationSettings,
  references: { id: 'accounts', accountId: 'accounts' },
  indexes: {},
})

export const notifications = defineTable({
  schema: Notification,
  references: { accountId: 'accounts', fanId: 'fans' },
  firstId: 1_980_000_000,
  indexes: {
    byTab: { group: tabKeysOf, order: newestFirst },
    unread: { group: (row) => (row.isRead ? null : tabKeysOf(row)), order: newestFirst },
  },
})

/** Returns the index key of a tab, such as `310240117:tip`. */
export function toTabKey(accountId: number, tab: NotificationGroup): string {
  return `${accountId}:${tab}`
}

/** Scenario settings for notifications. */
export const notificationSizes = {
  notifications: defineSize(
    () =>
      count
        .max(1000)
        .describe(
          'Maximum number of notifications about fan activity. Only the newest notifications are ' +
            'kept. Default: 150.',
        ),
    150,
  ),
}
export type NotificationSizes = SizeValues<typeof notificationSizes>
