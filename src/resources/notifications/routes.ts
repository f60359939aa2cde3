import { z } from 'zod'
import { createTextSchema, listLimit, optionalInteger } from '../../lib/fields.ts'
import { Page } from '../../api/route.ts'
import { estimateJsonSize } from '../../lib/plain-json.ts'
import { toPlatformTime } from '../../lib/time.ts'
import { createRouteDefiner } from '../define.ts'
import type { World } from '../world.ts'
import { toUserView } from '../users/users.ts'
import type { Notification } from './notifications.table.ts'
import {
  channelsRule,
  countUnreadNotifications,
  markAllNotificationsAsRead,
  maxNotifications,
  setTabOrder,
  readNotifications,
  getNotificationSettings,
  updateNotificationToggles,
} from './notifications.ts'
import {
  MessageSettings,
  NotificationChannels,
  NotificationCounts,
  NotificationPage,
  NotificationTab,
} from './schemas.ts'

const defineRoute = createRouteDefiner({ group: 'Notifications' })

const listNotifications = defineRoute({
  id: 'GET /v1/:account_id/notifications',
  newestFirst: 'createdAt',
  permission: 'api_notifications_list',
  evidence: 'a sibling service; the tab names of reference §4 Notifications',
  summary: 'List notifications',
  rules: [
    'Newest first. from_id is the last id of the previous page. from_id still works if its ' +
      'notification has been deleted.',
    'The tab named all also contains notifications from the platform (type system).',
    `Only the newest ${maxNotifications} notifications are kept. Notifications of types that ` +
      'are disabled in the site channel are not created.',
  ],
  pagination: { next: 'address', last: 'omitted' },
  query: () => ({
    type: NotificationTab.default('all').describe('The tab of the notification page.'),
    limit: listLimit,
    from_id: optionalInteger.describe('The id of the last notification on the previous page.'),
    skip_users: z
      .enum(['all', 'none'])
      .default('all')
      .describe('all: users have only an id. none: users have all fields.'),
  }),
  data: NotificationPage,
  handle({ world, account, query }) {
    const { rows, hasMore } = readNotifications(world, account, {
      tab: query.type,
      fromId: query.from_id,
      limit: query.limit,
    })
    const last = rows.at(-1)
    return new Page(
      { list: rows.map((row) => world.json(toItem, row, query.skip_users)), hasMore },
      hasMore && last !== undefined ? { from_id: last.id } : null,
    )
  },
})

const readCounts = defineRoute({
  id: 'GET /v1/:account_id/notifications/counts',
  permission: 'api_notifications_read_counts',
  evidence: 'a sibling service; the tab names of reference §4 Notifications',
  summary: 'Count the unread notifications of each tab',
  rules: ['The count for the tab all includes notifications of type system.'],
  data: NotificationCounts,
  handle({ world, account }) {
    const count = (tab: Parameters<typeof countUnreadNotifications>[2]) =>
      countUnreadNotifications(world, account.id, tab)
    return {
      all: count('all'),
      subscribed: count('subscribed'),
      purchases: count('purchases'),
      tip: count('tip'),
      tags: count('tags'),
      commented: count('commented'),
      mentioned: count('mentioned'),
      favorited: count('favorited'),
      deactivated_media: count('deactivated_media'),
      message: count('message'),
      system: count('system'),
    }
  },
})

const markRead = defineRoute({
  id: 'POST /v1/:account_id/notifications/mark-all-as-read',
  permission: 'api_notifications_mark_read',
  evidence: 'a sibling service',
  summary: 'Mark all notifications as read',
  handle({ world, account }) {
    markAllNotificationsAsRead(world, account)
  },
})

/** Maximum length of an update of the toggles, in characters of JSON. */
const maxSettingsLength = 20_000

/**
 * Schema for updates of the toggles. First rejects the key `__proto__`, which a zod record would
 * drop silently.
 */
const channelUpdates = () =>
  z.preprocess((value, context) => {
    if (typeof value === 'object' && value !== null && Object.hasOwn(value, '__proto__'))
      context.addIssue({ code: 'custom', message: channelsRule })
    // Checks the size first, because a zod record would validate all keys before checking their
    // number.
    if (estimateJsonSize(value, maxSettingsLength) > maxSettingsLength) {
      context.addIssue({
        code: 'custom',
        message: `it must have at most ${maxSettingsLength} characters as JSON`,
      })
      return z.NEVER
    }
    return value
  }, NotificationChannels)

const updateSettings = defineRoute({
  id: 'PATCH /v1/:account_id/notifications/settings',
  permission: 'api_notifications_update_settings',
  source: 'reference §4 Notifications',
  summary: 'Update notification toggles',
  rules: [
    'Changes only the given toggles. An unknown channel or code returns 400 and changes nothing.',
    'Read the settings with GET notifications/settings/message.',
  ],
  body: () =>
    z.object({ notifications: channelUpdates().describe('Toggles by channel, such as message.') }),
  handle({ world, account, body }) {
    updateNotificationToggles(world, account, body.notifications)
  },
})

const updateTabsOrder = defineRoute({
  id: 'PUT /v1/:account_id/notifications/tabs-order',
  permission: 'api_notifications_update_tabs_order',
  source: 'reference §4 Notifications',
  summary: 'Set the order of the notification tabs',
  rules: ['Each name must be known and occur only once.'],
  body: () =>
    z
      .array(NotificationTab)
      .max(100)
      .refine((tabs) => new Set(tabs).size === tabs.length, {
        error: 'its names must be different',
      })
      .meta({ uniqueItems: true, examples: [['all', 'tags', 'commented']] }),
  data: z.array(NotificationTab),
  handle({ world, account, body }) {
    return [...setTabOrder(world, account, body).tabsOrder]
  },
})

const readTabsOrder = defineRoute({
  id: 'GET /v1/:account_id/notifications/tabs-order',
  permission: 'api_notifications_read_tabs_order',
  evidence: 'by analogy with the documented write',
  summary: 'Read the order of the notification tabs',
  data: z.array(NotificationTab),
  handle: ({ world, account }) => [...getNotificationSettings(world, account).tabsOrder],
})

const readMessageSettings = defineRoute({
  id: 'GET /v1/:account_id/notifications/settings/message',
  withoutEffect: { group: 'the sandbox has only one group for all names' },
  permission: 'api_notifications_read_settings',
  source: 'published',
  summary: 'Read the notification toggles of the message channel',
  rules: ['Returns the notification settings that the documented update route can change.'],
  query: () => ({
    group: createTextSchema(200)
      .default('1')
      .describe('The settings group. The sandbox ignores this parameter.'),
  }),
  data: MessageSettings,
  handle({ world, account }) {
    const toggles = getNotificationSettings(world, account).notifications['message'] ?? []
    return [
      {
        code: 'message',
        name: 'Messages',
        items: toggles.map(({ code, value }) => ({ code, name: toTitle(code), value })),
      },
    ]
  },
})

export const notificationRoutes = [
  listNotifications,
  readCounts,
  markRead,
  updateSettings,
  readMessageSettings,
  updateTabsOrder,
  readTabsOrder,
]

function toItem(
  world: World,
  { accountId, fanId, createdAt, ...notification }: Notification,
  skipUsers: 'all' | 'none',
) {
  return {
    ...notification,
    createdAt: toPlatformTime(createdAt),
    user: toUserView(world, accountId, fanId ?? accountId, skipUsers),
  }
}

/** Converts a code to a title: `new_message` becomes `New message`. */
function toTitle(code: string): string {
  const words = code.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
