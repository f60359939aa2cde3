import { z } from 'zod'
import { orderTabs, settingsOf, updateToggles } from '../model/notifications.ts'
import { defineRoute } from '../route.ts'
import { MessageSettings, NotificationChannels, NotificationSettingsAnswer, NotificationTab } from '../schemas/notifications.ts'

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

const readTabsOrder = defineRoute({
  method: 'GET',
  path: '/v1/:account_id/notifications/tabs-order',
  group: 'Notifications',
  permission: 'api_notifications_read_tabs_order',
  kind: 'relay',
  source: 'inferred',
  evidence: 'mirrors the documented write',
  summary: 'Read the order of the notification tabs',
  data: z.array(NotificationTab),
  handle: ({ world, account }) => [...settingsOf(world, account).tabsOrder],
})

const readMessageSettings = defineRoute({
  method: 'GET',
  path: '/v1/:account_id/notifications/settings/message',
  group: 'Notifications',
  permission: 'api_notifications_read_settings',
  kind: 'relay',
  source: 'inferred',
  evidence: "the service's own older reference",
  summary: 'Read the toggles of the channel message',
  rules: ['The toggles are those that the documented update sets.'],
  query: z.object({ group: z.enum(['1']).default('1').describe('The group of settings; only 1 is known.') }),
  data: MessageSettings,
  handle({ world, account }) {
    const toggles = settingsOf(world, account).notifications['message'] ?? []
    return [{ code: 'message', name: 'Messages', items: toggles.map(({ code, value }) => ({ code, name: toTitle(code), value })) }]
  },
})

export const notificationRoutes = [updateSettings, readMessageSettings, updateTabsOrder, readTabsOrder]

/** `new_message` as `New message`. */
function toTitle(code: string): string {
  const words = code.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
