import { defineFactory } from '../define-factory.ts'
import { createTextSources } from '../../seed/texts.ts'
import { notices } from './notices.ts'
import { createDefaultNotificationSettings, toNotification } from './notifications.ts'
import type { Notice } from './notifications.ts'

/** Default notices for notification types that do not reference other records. */
const noticeOfType: Partial<Record<Notice['type'], Notice>> = {
  subscribed: notices.subscribed(0),
  tip: notices.tipped(20, 'profile'),
  purchases: notices.bought(20),
  commented: notices.commented('🔥'),
  favorited: notices.liked(0),
  message: notices.wrote(),
}

/**
 * Fills in missing fields of notifications. By default, a notification is unread. If a fan is
 * given, it reports a message from this fan. Otherwise, it comes from the platform.
 */
const notificationFactory = defineFactory({
  name: 'notification',
  table: 'notifications',
  after: ['account', 'fan'],
  time: 'createdAt',
  complete(given, context) {
    const { fanId = null, type = fanId === null ? 'system' : 'message' } = given
    const accountId = context.accountId(given)
    const notice = noticeOfType[type] ?? { ...notices.statement(), type }
    const { id: _, ...row } = toNotification(createTextSources(context).texts, notice, {
      id: 0,
      accountId,
      fanId,
      at: context.at,
    })
    return row
  },
})

/** Fills in missing fields of notification settings. By default, all toggles are on. */
const notificationSettingsFactory = defineFactory({
  name: 'notificationSettings',
  table: 'notificationSettings',
  after: ['account'],
  complete: ({ id, accountId }, context) =>
    createDefaultNotificationSettings(id ?? context.accountId({ accountId })),
})

export const notificationsFactories = [notificationFactory, notificationSettingsFactory] as const
