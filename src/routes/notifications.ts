import { z } from 'zod'
import { orderTabs, updateToggles } from '../model/notifications.ts'
import { defineRoute } from '../route.ts'
import { NotificationChannels, NotificationSettingsAnswer, NotificationTab } from '../schemas/notifications.ts'

const updateSettings = defineRoute({
  method: 'PATCH',
  path: '/v1/:account_id/notifications/settings',
  group: 'Notifications',
  permission: 'api_notifications_update_settings',
  kind: 'relay',
  source: 'reference §4 Notifications',
  summary: 'Update notification toggles',
  rules: ['Only the toggles that are sent change; an unknown channel or code is 400 and changes nothing.', 'The answer holds the full settings.'],
  body: z.object({ notifications: NotificationChannels.describe('Toggles by channel, such as message.') }),
  data: NotificationSettingsAnswer,
  handle({ world, account, body }) {
    return { notifications: updateToggles(world, account, body.notifications).notifications }
  },
})

const updateTabsOrder = defineRoute({
  method: 'PUT',
  path: '/v1/:account_id/notifications/tabs-order',
  group: 'Notifications',
  permission: 'api_notifications_update_tabs_order',
  kind: 'relay',
  source: 'reference §4 Notifications',
  summary: 'Set the order of the notification tabs',
  rules: ['The names must be known and distinct.'],
  body: z.array(NotificationTab).refine((tabs) => new Set(tabs).size === tabs.length, { error: 'its names must be distinct' }),
  data: z.array(NotificationTab),
  handle({ world, account, body }) {
    return [...orderTabs(world, account, body).tabsOrder]
  },
})

export const notificationRoutes = [updateSettings, updateTabsOrder]
