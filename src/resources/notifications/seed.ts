import { compareIds } from '../../data/rows.ts'
import type { Account } from '../../world/tenancy/tenancy.table.ts'
import { dayMs, parseIso, hourMs, minuteMs, getStartOfDay, toIso } from '../../lib/time.ts'
import { getDaysAgo } from '../../seed/seeding.ts'
import type { AccountPlan, Seeding } from '../../seed/seeding.ts'
import type { Transaction } from '../payments/transactions.table.ts'
import type { SubscriberSizes } from '../subscribers/sizes.ts'
import { toNotice, notices } from './notices.ts'
import { maxNotifications, toNotification, createDefaultSettings } from './notifications.ts'
import type { Notice } from './notifications.ts'
import type { NotificationSizes } from './sizes.ts'

type Plan = AccountPlan<NotificationSizes & SubscriberSizes>

/**
 * An event for a notification. `at` is an ISO string. The notice is only created for events that
 * are kept.
 */
interface Occurrence {
  at: string
  fanId: number | null
  notice: () => Notice
}

/**
 * Time from the creator's last visit to the notification page until the start of the clock. Later
 * notifications are unread.
 */
const unreadMs = 36 * hourMs
const maxLikedPosts = 12
const likesPerPost = 3
const recentDays = 45

/**
 * Seeds the notifications of an account for its latest events. Those of the last 36 hours are
 * unread.
 */
export function seedNotifications(seeding: Seeding, plan: Plan): void {
  const { account, sizes } = plan
  const size = Math.min(sizes.notifications, maxNotifications)
  const others = [...likesOf(seeding), ...statementsOf(seeding, plan)]
  // The last weeks usually have enough events, so earlier years need not be read.
  const recent = gather(seeding, plan, {
    size,
    others,
    since: toIso(getDaysAgo(seeding, recentDays)),
  })
  const newest =
    recent.length === size ? recent : gather(seeding, plan, { size, others, since: '' })
  const readUntil = toIso(seeding.now - unreadMs)
  for (const { at, fanId, notice } of newest) {
    const id = seeding.nextId('notifications')
    const event = { id, accountId: account.id, fanId, at: parseIso(at), isRead: at <= readUntil }
    seeding.rows.notifications.push(toNotification(seeding.texts, notice(), event))
  }
}

interface GatherOptions {
  size: number
  /** Events that have no row in a table. */
  others: readonly Occurrence[]
  /** Events before this time are left out. */
  since: string
}

/** Returns the newest events of the account, at most `size`, oldest first. */
function gather(
  { rows }: Seeding,
  plan: Plan,
  { size, others, since }: GatherOptions,
): Occurrence[] {
  const newest = createNewest(size, since)
  const { account } = plan
  newestFirst(rows.transactions, account, (row) => {
    if (newest.wants(row.transaction_created_at)) newest.add(toOccurrence(row))
  })
  newestFirst(rows.subscriptions, account, ({ subscribedAt: at, fanId, price }) => {
    if (newest.wants(at)) newest.add({ at, fanId, notice: () => notices.subscribed(price) })
  })
  newestFirst(rows.comments, account, ({ postedAt: at, fanId, text }) => {
    if (newest.wants(at) && fanId !== account.id)
      newest.add({ at, fanId, notice: () => notices.commented(text) })
  })
  newestFirst(rows.messages, account, ({ isFromFan, createdAt: at, fanId }) => {
    if (isFromFan && newest.wants(at)) newest.add({ at, fanId, notice: notices.wrote })
  })
  for (const other of others) if (newest.wants(other.at)) newest.add(other)
  return newest.take()
}

/** Calls a function with each row of the seeded account, last one first. */
function newestFirst<Row extends { accountId: number }>(
  rows: readonly Row[],
  { id }: Pick<Account, 'id'>,
  each: (row: Row) => void,
): void {
  for (let place = rows.length - 1; place >= 0; place -= 1) {
    const row = rows[place] as Row
    if (row.accountId !== id) return
    each(row)
  }
}

function toOccurrence({
  transaction_created_at: at,
  fanId,
  amount,
  category,
  status,
  postId,
  messageId,
}: Transaction): Occurrence | undefined {
  // For the first month, there is already a notification of the subscription.
  if (at === null || amount === null || status === 'undo' || category === 'new_subscription')
    return undefined
  return { at, fanId, notice: () => toNotice({ category, amount, postId, messageId }) }
}

/** Returns a few likes of the newest posts, by fans who were already subscribed. */
function likesOf({ rows, random, now }: Seeding): Occurrence[] {
  const fans = rows.subscriptions.toReversed()
  if (fans.length === 0) return []
  const posts = rows.posts
    .filter(({ status, likeCount }) => status === 'published' && likeCount > 0)
    .slice(-maxLikedPosts)
    .toReversed()
  return posts.flatMap((post) =>
    Array.from({ length: Math.min(likesPerPost, post.likeCount) }, (_, place) => {
      const at = toIso(
        Math.min(
          parseIso(post.postedAt) + random.integer(minuteMs, 60 * minuteMs) * (place + 1),
          now - 1000,
        ),
      )
      const fan = random.pick(fans)
      // The last of the three likes mentions a fan and a number of other users.
      const others = place === likesPerPost - 1 ? Math.floor((post.likeCount - 1) / 3) : 0
      return {
        at: fan.subscribedAt > at ? fan.subscribedAt : at,
        fanId: fan.fanId,
        notice: () => notices.liked(others),
      }
    }),
  )
}

/**
 * Returns notifications from the platform: a statement at the start of each of the last six months.
 * An account without fans gets no statements.
 */
function statementsOf({ now, random }: Seeding, { account, sizes }: Plan): Occurrence[] {
  if (sizes.fans === 0) return []
  const joined = parseIso(account.joinDate)
  const months: Occurrence[] = []
  const start = new Date(getStartOfDay(now))
  for (let back = 0; back < 6; back += 1) {
    const at =
      Date.UTC(start.getUTCFullYear(), start.getUTCMonth() - back, 1) +
      6 * hourMs +
      random.integer(0, 40 * minuteMs)
    if (at < now && at > joined + 31 * dayMs)
      months.push({ at: toIso(at), fanId: null, notice: notices.statement })
  }
  return months
}

/**
 * Creates a collection that only keeps the newest events, so a long history is never stored or
 * sorted.
 */
function createNewest(size: number, since: string) {
  let kept: Occurrence[] = []
  let earliest = since
  const cut = () => {
    kept = kept.toSorted((a, b) => compareIds(b.at, a.at)).slice(0, size)
    if (kept.length === size) earliest = kept.at(-1)?.at ?? ''
  }
  return {
    /** True if an event at that time may be among the newest. */
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
export function seedSettings({ rows }: Seeding, { account }: AccountPlan): void {
  rows.notificationSettings.push(createDefaultSettings(account.id))
}
