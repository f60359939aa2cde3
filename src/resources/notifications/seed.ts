import { compareIds } from '../../data/rows.ts'
import type { Random } from '../../world/random.ts'
import type { Account } from '../../world/tenancy/tenancy.table.ts'
import { dayMs, parseIso, hourMs, minuteMs, getStartOfUtcDay, toIsoTime } from '../../lib/time.ts'
import { getTimeDaysAgo } from '../seeding.ts'
import type { AccountPlan, SeedContext } from '../seeding.ts'
import type { Transaction } from '../payments/transactions.table.ts'
import { distributeOverDays } from '../posts/statistics/distribute-over-days.ts'
import { wasSubscribed } from '../subscribers/find-subscription.ts'
import type { SubscriberSizes, Subscription } from '../subscribers/subscriptions.table.ts'
import {
  toNotice,
  notices,
  maxNotifications,
  toNotification,
  createDefaultNotificationSettings,
} from './notifications.ts'
import type { Notice } from './notifications.ts'
import type { NotificationSizes } from './notifications.table.ts'
import { defineFactory } from '../define.ts'
import { createTextSources } from '../../seed/texts.ts'

type Plan = AccountPlan<NotificationSizes & SubscriberSizes>

/**
 * An event that may become a notification. `at` is an ISO string. The notice is created only if the
 * event is kept.
 */
interface Occurrence {
  at: string
  fanId: number | null
  notice: () => Notice
}

/**
 * Time between the creator's last visit to the notification page and the start of the clock. Later
 * notifications are unread.
 */
const unreadMs = 36 * hourMs
const maxLikedPosts = 12
const likesPerPost = 3
/** Maximum number of attempts to find a subscriber. */
const maxDraws = 24
const recentDays = 45

/**
 * Seeds the notifications of an account for its latest events. Notifications from the last 36 hours
 * are unread.
 */
export function seedNotifications(seeding: SeedContext, plan: Plan): void {
  const { account, sizes } = plan
  const size = Math.min(sizes.notifications, maxNotifications)
  const others = [...listLikes(seeding), ...createStatements(seeding, plan)]
  // Older rows are not read, because the last few weeks usually have enough events.
  const recent = collectOccurrences(seeding, plan, {
    size,
    others,
    since: toIsoTime(getTimeDaysAgo(seeding, recentDays)),
  })
  const newest =
    recent.length === size ? recent : collectOccurrences(seeding, plan, { size, others, since: '' })
  const readUntil = toIsoTime(seeding.now - unreadMs)
  for (const { at, fanId, notice } of newest) {
    const id = seeding.nextId('notifications')
    const event = { id, accountId: account.id, fanId, at: parseIso(at), isRead: at <= readUntil }
    seeding.rows.notifications.push(toNotification(seeding.texts, notice(), event))
  }
}

interface CollectOptions {
  size: number
  /** Events that are not stored in any table. */
  others: readonly Occurrence[]
  /** Start of the period, ISO. Earlier events are omitted. */
  since: string
}

/** Returns the newest events of the account, at most `size`, oldest first. */
function collectOccurrences(
  { rows }: SeedContext,
  plan: Plan,
  { size, others, since }: CollectOptions,
): Occurrence[] {
  const newest = createNewestCollector(size, since)
  const { account } = plan
  const firstPaidAt = new Map<number, string>()
  forEachNewestFirst(
    rows.subscriptions,
    account,
    ({ subscribedAt: at, fanId, spans, trialLinkId }) => {
      const price = spans[0]?.price ?? 0
      const paid = price > 0 ? undefined : spans.find((span) => span.price > 0)
      if (paid !== undefined) firstPaidAt.set(fanId, paid.paidAt ?? paid.from)
      if (newest.wants(at))
        newest.add({
          at,
          fanId,
          notice: () =>
            trialLinkId === null || price > 0 ? notices.subscribed(price) : notices.startedTrial(),
        })
    },
  )
  forEachNewestFirst(rows.transactions, account, (row) => {
    if (newest.wants(row.transaction_created_at)) newest.add(toOccurrence(row, firstPaidAt))
  })
  forEachNewestFirst(rows.comments, account, ({ postedAt: at, fanId, text }) => {
    if (newest.wants(at) && fanId !== account.id)
      newest.add({ at, fanId, notice: () => notices.commented(text) })
  })
  forEachNewestFirst(rows.messages, account, ({ isFromFan, createdAt: at, fanId }) => {
    if (isFromFan && newest.wants(at)) newest.add({ at, fanId, notice: notices.wrote })
  })
  for (const other of others) if (newest.wants(other.at)) newest.add(other)
  return newest.take()
}

/** Calls a function with each row of the seeded account, last row first. */
function forEachNewestFirst<Row extends { accountId: number }>(
  rows: readonly Row[],
  { id }: Pick<Account, 'id'>,
  each: (row: Row) => void,
): void {
  for (let index = rows.length - 1; index >= 0; index -= 1) {
    const row = rows[index] as Row
    if (row.accountId !== id) return
    each(row)
  }
}

function toOccurrence(
  { transaction_created_at: at, fanId, amount, category, status, postId, messageId }: Transaction,
  firstPaidAt: ReadonlyMap<number, string>,
): Occurrence | undefined {
  // The first month is already covered by the notification about the subscription.
  if (at === null || amount === null || status === 'undo' || category === 'new_subscription')
    return undefined
  // After a free trial, the first renewal is the fan's first paid subscription.
  if (category === 'recurring_subscription' && firstPaidAt.get(fanId) === at)
    return { at, fanId, notice: () => notices.subscribed(amount) }
  return { at, fanId, notice: () => toNotice({ category, amount, postId, messageId }) }
}

/**
 * Returns a few likes of the newest posts, on days when the charts of these posts have likes. The
 * fans were subscribed on those days.
 */
function listLikes({ rows, random, now }: SeedContext): Occurrence[] {
  const posts = rows.posts
    .filter(({ status, likeCount }) => status === 'published' && likeCount > 0)
    .slice(-maxLikedPosts)
  const likes: Occurrence[] = []
  for (const post of posts) {
    const days = [...distributeOverDays(post, post.likeCount)].flatMap(([day, count]) =>
      Array.from({ length: Math.min(count, likesPerPost) }, () => day),
    )
    for (const [index, day] of days.slice(0, likesPerPost).entries()) {
      const from = Math.max(day, parseIso(post.postedAt) + minuteMs)
      const until = Math.min(day + dayMs, now)
      if (from >= until) continue
      const at = toIsoTime(from + Math.floor(random.next() * (until - from)))
      const fanId = drawSubscriber(random, rows.subscriptions, at)
      if (fanId === undefined) continue
      // The last notification about likes of a post mentions a fan and the number of other users.
      const others = index === likesPerPost - 1 ? Math.floor((post.likeCount - 1) / 3) : 0
      likes.push({ at, fanId, notice: () => notices.liked(others) })
    }
  }
  return likes
}

/** Picks a random fan who is subscribed at the given time (ISO). Undefined if no fan is found. */
function drawSubscriber(
  random: Random,
  subscriptions: readonly Subscription[],
  at: string,
): number | undefined {
  for (let draw = 0; draw < maxDraws; draw += 1) {
    const row = random.pick(subscriptions)
    if (row !== undefined && wasSubscribed(row, at)) return row.fanId
  }
  return undefined
}

/**
 * Returns notifications from the platform: a statement at the start of each of the last six months.
 * Empty for an account without fans.
 */
function createStatements({ now, random }: SeedContext, { account, sizes }: Plan): Occurrence[] {
  if (sizes.fans === 0) return []
  const joined = parseIso(account.joinDate)
  const months: Occurrence[] = []
  const start = new Date(getStartOfUtcDay(now))
  for (let back = 0; back < 6; back += 1) {
    const at =
      Date.UTC(start.getUTCFullYear(), start.getUTCMonth() - back, 1) +
      6 * hourMs +
      random.integer(0, 40 * minuteMs)
    if (at < now && at > joined + 31 * dayMs)
      months.push({ at: toIsoTime(at), fanId: null, notice: notices.statement })
  }
  return months
}

/**
 * Creates a collection that keeps only the newest events, so that a long history need not be stored
 * or sorted.
 */
function createNewestCollector(size: number, since: string) {
  let kept: Occurrence[] = []
  let earliest = since
  const cut = () => {
    kept = kept.toSorted((a, b) => compareIds(b.at, a.at)).slice(0, size)
    if (kept.length === size) earliest = kept.at(-1)?.at ?? ''
  }
  return {
    /** Returns true if an event at the given time could be among the newest events. */
    wants: (at: string | null): boolean => at !== null && at >= earliest,
    add(occurrence: Occurrence | undefined): void {
      if (occurrence !== undefined && kept.push(occurrence) > 2 * size + 100) cut()
    },
    /** Returns the newest events, oldest first. */
    take(): Occurrence[] {
      cut()
      return kept.toReversed()
    },
  }
}

/** Seeds the notification settings of an account. All toggles are on. */
export function seedNotificationSettings({ rows }: SeedContext, { account }: AccountPlan): void {
  rows.notificationSettings.push(createDefaultNotificationSettings(account.id))
}

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
export const notificationFactory = defineFactory({
  name: 'notification',
  table: 'notifications',
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
export const notificationSettingsFactory = defineFactory({
  name: 'notificationSettings',
  table: 'notificationSettings',
  complete: ({ id, accountId }, context) =>
    createDefaultNotificationSettings(id ?? context.accountId({ accountId })),
})
