import type { z } from 'zod'
import { readPage } from '../../api/lists/paging.ts'
import type { ListPage } from '../../api/lists/paging.ts'
import type { Account } from '../../world/tenancy/tenancy.table.ts'
import { toIsoTime } from '../../lib/time.ts'
import { createBodyFieldError } from '../../errors.ts'
import type { SeedTexts } from '../../seed/seed-texts.ts'
import { requireTexts } from '../../seed/texts.ts'
import type { World } from '../world.ts'
import { newestFirst, toTabKey } from './notifications.table.ts'
import type {
  NotificationSettings,
  Notification,
  NotificationGroup,
} from './notifications.table.ts'
import { NotificationTab } from './schemas.ts'
import type { NotificationToggle, NotificationType } from './schemas.ts'
import { formatPrice } from '../../lib/money.ts'
import type { Transaction } from '../payments/transactions.table.ts'

/**
 * Codes of all toggles, by channel. In a new account, all are on. The codes are inferred, because
 * the reference names only the channel `message`.
 */
const notificationToggles = {
  message: ['new_message', 'tip_received', 'ppv_unlocked'],
  push: ['new_subscriber', 'new_message', 'new_comment', 'new_like', 'new_tip', 'new_purchase'],
  email: ['monthly_summary', 'new_subscriber', 'new_message', 'payout_sent'],
  site: [
    'new_subscriber',
    'new_comment',
    'new_like',
    'new_tip',
    'new_purchase',
    'deactivated_media',
  ],
} as const satisfies Record<string, readonly string[]>

/** Error message for unknown channels. */
export const channelsRule = `its keys must be channels: ${Object.keys(notificationToggles).join(', ')}`

/** Maximum number of notifications per account. The platform deletes older notifications. */
export const maxNotifications = 1000

/** The content of a notification. */
export interface Notice {
  type: z.infer<typeof NotificationType>
  subType?: string
  /** Key of the text in fixtures/texts/notifications.yaml. */
  line: keyof SeedTexts['notifications']
  replacePairs?: Record<string, string>
}

/** Toggles of the channel `site`, by notification type. Types without a toggle are always on. */
const siteToggles: Partial<Record<Notice['type'], (typeof notificationToggles.site)[number]>> = {
  subscribed: 'new_subscriber',
  commented: 'new_comment',
  favorited: 'new_like',
  tip: 'new_tip',
  purchases: 'new_purchase',
  deactivated_media: 'deactivated_media',
}

/**
 * Adds an unread notification, and removes the oldest notifications above the maximum. Does nothing
 * if the account has disabled this type in the channel `site`.
 */
export function addNotification(
  world: World,
  accountId: number,
  {
    fanId = null,
    at = world.clock.now(),
    ...notice
  }: Notice & { fanId?: number | null; at?: number },
): void {
  const { type } = notice
  if (isSwitchedOff(world, accountId, type)) return
  const table = world.db.notifications
  table.insert(
    toNotification(requireTexts(world), notice, {
      id: world.nextId('notifications'),
      accountId,
      fanId,
      at,
    }),
  )
  const all = table.in('byTab', toTabKey(accountId, 'all'))
  const oldest = all.size > maxNotifications ? all.at(all.size - 1) : undefined
  if (oldest !== undefined) table.remove(oldest.id)
}

/** Converts a notice to a row. `at` is in epoch ms. */
export function toNotification(
  { notifications: lines }: SeedTexts,
  notice: Notice,
  {
    id,
    accountId,
    fanId,
    at,
    isRead = false,
  }: Pick<Notification, 'id' | 'accountId' | 'fanId'> & { at: number; isRead?: boolean },
): Notification {
  const { type, subType = null, line, replacePairs = null } = notice
  return {
    id,
    accountId,
    type,
    subType,
    text: lines[line],
    replacePairs,
    createdAt: toIsoTime(at),
    isRead,
    canGoToProfile: fanId !== null,
    fanId,
  }
}

/**
 * Returns a page of a tab's notifications, newest first. Starts after the notification `fromId`. By
 * default, starts with the newest notification.
 */
export function readNotifications(
  world: World,
  account: Account,
  {
    tab,
    fromId,
    limit,
  }: { tab: z.infer<typeof NotificationTab>; fromId: number | undefined; limit: number },
): ListPage<Notification> {
  const all = world.db.notifications.in('byTab', toTabKey(account.id, tab))
  const last = fromId === undefined ? undefined : world.db.notifications.get(fromId)
  // If the notification has been deleted, its id still determines its position, because new
  // notifications get larger ids.
  const isAfter = (row: Notification) =>
    last === undefined ? row.id < (fromId ?? Infinity) : newestFirst(row, last) > 0
  return readPage(all, { offset: 0, limit }, { from: all.findPartitionPoint(isAfter) })
}

/** Counts the unread notifications of a tab. */
export function countUnreadNotifications(
  world: World,
  accountId: number,
  tab: NotificationGroup,
): number {
  return world.db.notifications.in('unread', toTabKey(accountId, tab)).size
}

/** Marks all notifications of the account as read. */
export function markAllNotificationsAsRead(world: World, account: Account): void {
  const unread = world.db.notifications.list('unread', toTabKey(account.id, 'all'))
  world.db.notifications.updateMany(unread.map((row) => [row.id, { isRead: true }]))
}

/** True if the account has disabled notifications of the given type in the channel `site`. */
function isSwitchedOff(world: World, accountId: number, type: Notice['type']): boolean {
  const code = siteToggles[type]
  const site = world.db.notificationSettings.get(accountId)?.notifications['site'] ?? []
  return code !== undefined && site.some((toggle) => toggle.code === code && !toggle.value)
}

/**
 * Returns the settings of a new account, with all toggles on and the tabs in the platform's order.
 */
export function createDefaultNotificationSettings(accountId: number): NotificationSettings {
  const notifications = Object.entries(notificationToggles).map(([channel, codes]) => [
    channel,
    codes.map((code) => ({ code, value: true })),
  ])
  return {
    id: accountId,
    accountId,
    notifications: Object.fromEntries(notifications),
    tabsOrder: [...NotificationTab.options],
  }
}

/** Returns the account's settings, or the default settings. */
export function getNotificationSettings(world: World, account: Account): NotificationSettings {
  return (
    world.db.notificationSettings.get(account.id) ?? createDefaultNotificationSettings(account.id)
  )
}

/**
 * Changes only the given toggles.
 * @throws {ApiError} parameter_invalid for an unknown channel or code. In that case, no toggle is
 * changed.
 */
export function updateNotificationToggles(
  world: World,
  account: Account,
  changes: Record<string, readonly z.infer<typeof NotificationToggle>[]>,
): NotificationSettings {
  const settings = getNotificationSettings(world, account)
  const { notifications } = settings
  const next = new Map(Object.entries(notifications))
  for (const [channel, toggles] of Object.entries(changes)) {
    const known = next.get(channel)
    if (known === undefined) throw createBodyFieldError({ notifications: channel }, channelsRule)
    next.set(
      channel,
      toggles.reduce((list, toggle) => setToggle(list, toggle, channel), known),
    )
  }
  return world.db.notificationSettings.put({ ...settings, notifications: Object.fromEntries(next) })
}

/** Sets the order of the tabs. */
export function setTabOrder(
  world: World,
  account: Account,
  tabsOrder: z.infer<typeof NotificationTab>[],
): NotificationSettings {
  return world.db.notificationSettings.put({
    ...getNotificationSettings(world, account),
    tabsOrder,
  })
}

/** Returns the toggles of a channel with one toggle changed. */
function setToggle(
  list: readonly z.infer<typeof NotificationToggle>[],
  { code, value }: z.infer<typeof NotificationToggle>,
  channel: string,
): z.infer<typeof NotificationToggle>[] {
  if (!list.some((toggle) => toggle.code === code)) {
    throw createBodyFieldError(
      { [`notifications.${channel}`]: code },
      `a code must be one of ${list.map((toggle) => toggle.code).join(', ')}`,
    )
  }
  return list.map((toggle) => (toggle.code === code ? { code, value } : toggle))
}

/** Maximum length of a quoted comment, characters. */
const maxQuoteLength = 100

/** Notices about the activity of fans, for seeds and actions. */
export const notices = {
  subscribed: (price: number): Notice =>
    price === 0
      ? { type: 'subscribed', subType: 'new_subscriber', line: 'subscribedForFree' }
      : {
          type: 'subscribed',
          subType: 'new_subscriber',
          line: 'subscribed',
          replacePairs: { '{PRICE}': formatPrice(price) },
        },
  startedTrial: (): Notice => ({
    type: 'subscribed',
    subType: 'new_subscriber_trial',
    line: 'startedTrial',
  }),
  renewed: (price: number): Notice => ({
    type: 'subscribed',
    subType: 'returning_subscriber',
    line: 'renewed',
    replacePairs: { '{PRICE}': formatPrice(price) },
  }),
  tipped: (amount: number, place: 'post' | 'chat' | 'profile'): Notice => ({
    type: 'tip',
    subType: `tip_${place}`,
    line: ({ post: 'tippedOnPost', chat: 'tippedInChat', profile: 'tippedOnProfile' } as const)[
      place
    ],
    replacePairs: { '{AMOUNT}': formatPrice(amount) },
  }),
  unlocked: (amount: number, thing: 'post' | 'message'): Notice => ({
    type: 'purchases',
    subType: `${thing}_unlocked`,
    line: ({ post: 'unlockedPost', message: 'unlockedMessage' } as const)[thing],
    replacePairs: { '{PRICE}': formatPrice(amount) },
  }),
  bought: (amount: number): Notice => ({
    type: 'purchases',
    line: 'bought',
    replacePairs: { '{PRICE}': formatPrice(amount) },
  }),
  commented: (text: string): Notice => ({
    type: 'commented',
    subType: 'new_comment',
    line: 'commented',
    replacePairs: {
      '{TEXT}': text.length > maxQuoteLength ? `${text.slice(0, maxQuoteLength)}…` : text,
    },
  }),
  liked: (others: number): Notice =>
    others === 0
      ? { type: 'favorited', subType: 'post_liked', line: 'liked' }
      : {
          type: 'favorited',
          subType: 'post_liked',
          line: 'likedAmongOthers',
          replacePairs: { '{COUNT}': String(others) },
        },
  statement: (): Notice => ({ type: 'system', subType: 'monthly_statement', line: 'statement' }),
  wrote: (): Notice => ({ type: 'message', subType: 'new_message', line: 'wrote' }),
} as const satisfies Record<string, (...values: never[]) => Notice>

/** Returns the notice about a payment. */
export function toNotice({
  category,
  amount,
  postId,
  messageId,
}: Pick<Transaction, 'category' | 'postId' | 'messageId'> & { amount: number }): Notice {
  if (category === 'new_subscription') return notices.subscribed(amount)
  if (category === 'recurring_subscription') return notices.renewed(amount)
  if (category === 'tip') return notices.tipped(amount, getTipPlace({ postId, messageId }))
  if (category === 'unlock') return notices.unlocked(amount, 'post')
  return category === 'message' ? notices.unlocked(amount, 'message') : notices.bought(amount)
}

function getTipPlace({
  postId,
  messageId,
}: Pick<Transaction, 'postId' | 'messageId'>): 'post' | 'chat' | 'profile' {
  if (postId !== null) return 'post'
  return messageId === null ? 'profile' : 'chat'
}
