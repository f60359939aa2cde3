import { z } from 'zod'
import { invalidParameter } from '../errors.ts'
import { NotificationChannels, NotificationTab } from '../schemas/notifications.ts'
import type { NotificationToggle } from '../schemas/notifications.ts'
import type { Account } from './organisations.ts'
import { defineTable } from './table.ts'
import type { World } from './world.ts'

/** Every toggle, by channel; a new account has them on. The codes are inferred: the reference names only the channel message. */
export const notificationToggles = {
  message: ['new_message', 'tip_received', 'ppv_unlocked'],
  push: ['new_subscriber', 'new_message', 'new_comment', 'new_like', 'new_tip', 'new_purchase'],
  email: ['monthly_summary', 'new_subscriber', 'new_message', 'payout_sent'],
  site: ['new_subscriber', 'new_comment', 'new_like', 'new_tip', 'new_purchase', 'deactivated_media'],
} as const satisfies Record<string, readonly string[]>

/** The notification settings of an account; the id is the account's. */
export const NotificationSettings = z.object({
  id: z.int(),
  accountId: z.int(),
  notifications: NotificationChannels,
  tabsOrder: z.array(NotificationTab),
})
export type NotificationSettings = Readonly<z.infer<typeof NotificationSettings>>

export const notificationSettings = defineTable({ schema: NotificationSettings, indexes: {} })

/** The settings of a new account: every toggle on, the tabs in the platform's order. */
export function defaultSettings(accountId: number): NotificationSettings {
  const notifications = Object.entries(notificationToggles).map(([channel, codes]) => [channel, codes.map((code) => ({ code, value: true }))])
  return { id: accountId, accountId, notifications: Object.fromEntries(notifications), tabsOrder: [...NotificationTab.options] }
}

/** The account's settings. */
export function settingsOf(world: World, account: Account): NotificationSettings {
  return world.db.notificationSettings.get(account.id) ?? world.db.notificationSettings.insert(defaultSettings(account.id))
}

/** Sets the toggles that are given and leaves the others. @throws {ApiError} parameter_invalid for an unknown channel or code; then nothing changes. */
export function updateToggles(world: World, account: Account, changes: Record<string, readonly z.infer<typeof NotificationToggle>[]>): NotificationSettings {
  const { notifications } = settingsOf(world, account)
  const next = new Map(Object.entries(notifications))
  for (const [channel, toggles] of Object.entries(changes)) {
    const known = next.get(channel)
    if (known === undefined) {
      throw invalidParameter('Body field', 'notifications', channel, `its keys must be channels: ${Object.keys(notifications).join(', ')}`)
    }
    next.set(channel, toggles.reduce((list, toggle) => flip(list, toggle, channel), known))
  }
  return world.db.notificationSettings.update(account.id, { notifications: Object.fromEntries(next) })
}

/** Sets the order of the tabs. */
export function orderTabs(world: World, account: Account, tabsOrder: z.infer<typeof NotificationTab>[]): NotificationSettings {
  settingsOf(world, account)
  return world.db.notificationSettings.update(account.id, { tabsOrder })
}

function flip(list: readonly z.infer<typeof NotificationToggle>[], { code, value }: z.infer<typeof NotificationToggle>, channel: string): z.infer<typeof NotificationToggle>[] {
  if (!list.some((toggle) => toggle.code === code)) {
    throw invalidParameter('Body field', `notifications.${channel}`, code, `a code must be one of ${list.map((toggle) => toggle.code).join(', ')}`)
  }
  return list.map((toggle) => (toggle.code === code ? { code, value } : toggle))
}
