import { toCents } from '../../lib/money.ts'
import { readPage, readIterablePage } from '../../api/lists/paging.ts'
import type { ListPage, PageQuery } from '../../api/lists/paging.ts'
import type { Span } from '../../api/lists/windows.ts'
import { filterItems } from '../../lib/iterables.ts'
import type { Account } from '../../world/tenancy/tenancy.table.ts'
import { dayMs, toIsoTime } from '../../lib/time.ts'
import type { World } from '../world.ts'
import { getEarningKind } from '../earnings/earnings.table.ts'
import type { EarningKind } from '../earnings/earnings.table.ts'
import { getFollowEnd, isFollowing } from '../users/follows.ts'
import { findUserMark, isRankedFan } from '../users/marks.ts'
import { deriveRecommendationCount } from './subscriber-data.ts'
import type { Subscription } from './subscriptions.table.ts'
import { findSubscription } from './find-subscription.ts'
import { toStateKey } from './subscriptions.table.ts'

/** Sort fields of subscribers, each with its index. */
export const subscriberSorts = {
  last_activity: 'byActivity',
  expire_date: 'byExpiry',
  subscribe_date: 'byStart',
  is_expired: 'byExpiry',
} as const
export type SubscriberSort = keyof typeof subscriberSorts

/** A fan is online if their last activity is at most this long ago, ms. */
const onlineMs = 15 * 60_000
/** A fan is inactive if their last activity is at least this long ago, ms. */
const inactiveMs = 30 * dayMs
/** A subscription needs attention if it ends within this time, ms. */
const attentionMs = 7 * dayMs

/** Filters, sort order and page of the list of subscribers. */
export interface SubscriberQuery extends PageQuery {
  type: 'active' | 'expired'
  sort: SubscriberSort
  isAscending: boolean
  recommenders: boolean
  online: boolean
  inactive: boolean
}

/**
 * Returns one page of the account's subscribers that match the filters, without blocked and deleted
 * fans.
 */
export function listSubscribers(
  world: World,
  account: Account,
  query: SubscriberQuery,
): ListPage<Subscription> {
  const all = world.db.subscriptions.in(
    subscriberSorts[query.sort],
    toStateKey(account.id, query.type),
  )
  const isFiltered = query.recommenders || query.online || query.inactive
  return isFiltered
    ? readIterablePage(
        filterItems(
          all.walk(query.isAscending ? all.size - 1 : 0, query.isAscending),
          createSubscriberFilter(world, query),
        ),
        query,
      )
    : readPage(all, query, { backwards: query.isAscending })
}

/** Returns a predicate for the filters of the query. */
function createSubscriberFilter(
  world: World,
  { recommenders, online, inactive }: SubscriberQuery,
): (row: Subscription) => boolean {
  const now = world.clock.now()
  const [onlineSince, inactiveSince] = [toIsoTime(now - onlineMs), toIsoTime(now - inactiveMs)]
  return (row) =>
    (!recommenders || deriveRecommendationCount(row) > 0) &&
    (!online || row.lastActivity >= onlineSince) &&
    (!inactive || row.lastActivity < inactiveSince)
}

/** Counts the account's subscribers and the creators that it follows, by state. */
export function countSubscribers(world: World, account: Account) {
  const { subscriptions, follows } = world.db
  const now = world.clock.now()
  const active = subscriptions.in('byActivity', toStateKey(account.id, 'active'))
  const onlineSince = toIsoTime(now - onlineMs)
  const all = follows.list('byAccount', account.id)
  const running = all.filter((follow) => isFollowing(follow, world.clock))
  const marks = all.map(({ userId }) => findUserMark(world, account.id, userId))
  const marked = world.cached(countBlockedAndRestricted, account)
  return {
    subscribers: {
      active: active.size,
      expired: subscriptions.in('byActivity', toStateKey(account.id, 'expired')).size,
      ...marked,
      all: subscriptions.in('listed', account.id).size + marked.blocked,
      activeOnline: active.findPartitionPoint((row) => row.lastActivity < onlineSince),
    },
    subscriptions: {
      active: running.length,
      expired: all.length - running.length,
      restricted: marks.filter((mark) => mark?.restrictedAt != null).length,
      blocked: marks.filter((mark) => mark?.blockedAt != null).length,
      muted: 0,
      attention: running.filter(
        (follow) => !follow.isAutoprolong && getFollowEnd(follow, world.clock) - now <= attentionMs,
      ).length,
      all: all.length,
    },
    bookmarks: 0,
  }
}

/** Counts the current and former subscribers on whom the account has set a mark. */
function countBlockedAndRestricted(world: World, { id: accountId }: Account) {
  const { userMarks, chats } = world.db
  const count = (userIds: readonly number[]) =>
    userIds.filter((userId) => findSubscription(world, accountId, userId) !== undefined).length
  const marked = (index: 'restricted' | 'blocked') =>
    count(userMarks.list(index, accountId).map(({ userId }) => userId))
  const muted = chats.list('muted', accountId)
  return {
    restricted: marked('restricted'),
    blocked: marked('blocked'),
    muted: count(muted.map(({ fanId }) => fanId)),
  }
}

/** Rankings of fans, each with the kinds of payments that count. Null if all payments count. */
export const topMeasures = {
  total: null,
  currency: null,
  recent: null,
  messages: ['message'],
  posts: ['unlock_post'],
  media: ['message', 'unlock_post', 'unlock_stream'],
} as const satisfies Record<string, readonly EarningKind[] | null>
export type TopMeasure = keyof typeof topMeasures

/** A fan, with their payments in a window. */
export interface Spender {
  fanId: number
  cents: number
}

/**
 * Returns a page of the fans who paid in the window, or at any time if `total` is set. Omits
 * blocked and deleted fans. Sorts by amount, highest first, or by time if `recent` is set. Refunds do not
 * count. Payments without a time count only if `total` is set. Payments without an amount count as
 * 0.
 */
export function rankSpenders(
  world: World,
  account: Account,
  { by, start, end, ...query }: PageQuery & Span & { by: TopMeasure },
): ListPage<Spender> {
  return by === 'total'
    ? listBiggestSpenders(world, account, query)
    : readPage(world.cached(listSpendersInWindow, account, { by, start, end }), query)
}

/** Returns a page of all fans who have paid, biggest spenders first. */
function listBiggestSpenders(world: World, account: Account, query: PageQuery): ListPage<Spender> {
  const unblocked = filterItems(world.db.fanSpend.in('total', account.id).walk(), ({ fanId }) =>
    isRankedFan(world, account.id, fanId),
  )
  const { rows, ...page } = readIterablePage(unblocked, query)
  return { ...page, rows: rows.map(({ fanId, total }) => ({ fanId, cents: toCents(total) })) }
}

function listSpendersInWindow(
  world: World,
  account: Account,
  { by, start, end }: Span & { by: Exclude<TopMeasure, 'total'> },
): readonly Spender[] {
  const kinds: readonly EarningKind[] | null = topMeasures[by]
  const [since, until] = [toIsoTime(start), toIsoTime(end)]
  const payments = world.db.transactions.in('byAccount', account.id)
  const spenders = new Map<number, Spender>()
  for (const row of payments.walk(
    payments.findPartitionPoint((each) => (each.transaction_created_at ?? '') <= until),
  )) {
    const time = row.transaction_created_at ?? ''
    if (time < since) break
    if (row.status === 'undo' || (kinds !== null && !kinds.includes(getEarningKind(row)))) continue
    const cents = toCents(row.amount ?? 0)
    // The rows are sorted newest first, so the map is in the order of the fans' latest payments.
    const spender = spenders.get(row.fanId)
    if (spender === undefined) spenders.set(row.fanId, { fanId: row.fanId, cents })
    else spender.cents += cents
  }
  const listed = [...spenders.values()].filter(({ fanId }) => isRankedFan(world, account.id, fanId))
  return by === 'recent'
    ? listed
    : listed.toSorted((a, b) => b.cents - a.cents || a.fanId - b.fanId)
}
