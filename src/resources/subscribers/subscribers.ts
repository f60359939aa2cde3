import { toCents } from '../../engine/money.ts'
import { pageOf, pageOfWalk } from '../../engine/paging.ts'
import type { PageOf, PageQuery } from '../../engine/paging.ts'
import type { SortedList } from '../../engine/store/sorted-list.ts'
import type { Account } from '../../engine/tenancy/tenancy.table.ts'
import { toIso } from '../../engine/time.ts'
import type { World } from '../../world/world.ts'
import type { Transaction } from '../payments/transactions.table.ts'
import { followEnd } from '../users/follows.ts'
import { marksOf } from '../users/marks.ts'
import { recommendationsOf } from './data.ts'
import type { EventKind } from './events.table.ts'
import { subscriptionsIn } from './events.ts'
import { subscriptionOf } from './lookup.ts'
import { stateKey } from './subscriptions.table.ts'
import type { Subscription } from './subscriptions.table.ts'

/** What subscribers are sorted by, and the index that orders by each. */
export const subscriberSorts = {
  last_activity: 'byActivity',
  expire_date: 'byExpiry',
  subscribe_date: 'byStart',
  is_expired: 'byExpiry',
} as const
export type SubscriberSort = keyof typeof subscriberSorts

/** How long after a fan was last seen they count as online, ms. */
const onlineMs = 15 * 60_000
/** How long after that they count as inactive, ms. */
const inactiveMs = 30 * 86_400_000
/** How soon a followed creator's subscription ends to want attention, ms. */
const attentionMs = 7 * 86_400_000

/** Which subscribers are wanted, in which order. */
export interface SubscriberQuery extends PageQuery {
  type: 'active' | 'expired'
  sort: SubscriberSort
  isAscending: boolean
  recommenders: boolean
  online: boolean
  inactive: boolean
}

/** One page of the account's subscribers that pass the filters. Blocked fans are not among them. */
export function listSubscribers(world: World, account: Account, query: SubscriberQuery): PageOf<Subscription> {
  const all = world.db.subscriptions.in(subscriberSorts[query.sort], stateKey(account.id, query.type))
  const isFiltered = query.recommenders || query.online || query.inactive
  return isFiltered ? pageOfWalk(filter(world, all, query), query) : pageOf(all, query, { backwards: query.isAscending })
}

function* filter(
  world: World,
  list: SortedList<Subscription>,
  { isAscending, recommenders, online, inactive }: SubscriberQuery,
): Generator<Subscription> {
  const now = world.clock.now()
  const [onlineSince, inactiveSince] = [toIso(now - onlineMs), toIso(now - inactiveMs)]
  for (const row of list.walk(isAscending ? list.size - 1 : 0, isAscending)) {
    if (recommenders && recommendationsOf(row) === 0) continue
    if (online && row.lastActivity < onlineSince) continue
    if (inactive && row.lastActivity >= inactiveSince) continue
    yield row
  }
}

/** How many users stand how to the account: its subscribers, and those whom it follows. */
export function countSubscribers(world: World, account: Account) {
  const { subscriptions, userMarks, chats, follows } = world.db
  const now = world.clock.now()
  const active = subscriptions.in('byActivity', stateKey(account.id, 'active'))
  const onlineSince = toIso(now - onlineMs)
  const all = follows.in('byAccount', account.id).slice()
  const running = all.filter((follow) => followEnd(follow, now) > now)
  const marks = all.map(({ userId }) => marksOf(world, account.id, userId))
  const isSubscriber = (userId: number) => subscriptionOf(world, account.id, userId) !== undefined
  return {
    subscribers: {
      active: active.size,
      expired: subscriptions.in('byActivity', stateKey(account.id, 'expired')).size,
      restricted: userMarks
        .in('restricted', account.id)
        .slice()
        .filter(({ userId }) => isSubscriber(userId)).length,
      blocked: userMarks
        .in('blocked', account.id)
        .slice()
        .filter(({ userId }) => isSubscriber(userId)).length,
      muted: chats
        .in('muted', account.id)
        .slice()
        .filter(({ fanId }) => isSubscriber(fanId)).length,
      all: subscriptions.in('byAccount', account.id).size,
      activeOnline: active.rank((row) => row.lastActivity < onlineSince),
    },
    subscriptions: {
      active: running.length,
      expired: all.length - running.length,
      restricted: marks.filter((mark) => mark?.restrictedAt != null).length,
      blocked: marks.filter((mark) => mark?.blockedAt != null).length,
      muted: 0,
      attention: running.filter((follow) => !follow.isAutoprolong && followEnd(follow, now) - now <= attentionMs).length,
      all: all.length,
    },
    bookmarks: 0,
  }
}

/** What the latest subscribers are told apart by. */
const latestKinds = { total: 'total', new: 'new', renewals: 'renewal' } as const satisfies Record<string, EventKind>
export type LatestType = keyof typeof latestKinds

/** The fans who subscribed or renewed in the window, each once, by what they did last in it, newest first. Epoch ms, both ends inclusive. */
export function latestSubscribers(
  world: World,
  account: Account,
  { type, start, end, ...query }: PageQuery & { type: LatestType; start: number; end: number },
): PageOf<Subscription> {
  return pageOfWalk(subscriptionsIn(world, account.id, { kind: latestKinds[type], start, end }), query)
}

/** What the biggest spenders are ranked by: the categories of payments that count; null stands for all. */
export const topMeasures = {
  total: null,
  currency: ['tip'],
  recent: null,
  messages: ['message'],
  posts: ['unlock'],
  media: ['message', 'unlock'],
} as const satisfies Record<string, readonly Transaction['category'][] | null>
export type TopMeasure = keyof typeof topMeasures

/** One spender of a window. */
export interface Spender {
  fanId: number
  cents: number
  /** The time of the latest payment. */
  last: string
}

/** The fans who paid in the window, biggest spender first, or with `recent` the latest first; refunds do not count. Blocked fans are left out. */
export function topSpenders(world: World, account: Account, { by, start, end }: { by: TopMeasure; start: number; end: number }): Spender[] {
  const categories: readonly Transaction['category'][] | null = topMeasures[by]
  const [since, until] = [toIso(start), toIso(end)]
  const payments = world.db.transactions.in('byAccount', account.id)
  const spenders = new Map<number, Spender>()
  for (const row of payments.walk(payments.rank((each) => (each.transaction_created_at ?? '') <= until))) {
    const time = row.transaction_created_at
    if (time === null || time < since) break
    if (row.status === 'undo' || (categories !== null && !categories.includes(row.category))) continue
    const cents = toCents(row.amount ?? 0)
    if (cents === 0) continue
    // Newest first: the first payment of a fan that comes by is their latest.
    const spender = spenders.get(row.fanId)
    if (spender === undefined) spenders.set(row.fanId, { fanId: row.fanId, cents, last: time })
    else spender.cents += cents
  }
  const byTime = (a: Spender, b: Spender) => (a.last < b.last ? 1 : a.last > b.last ? -1 : 0)
  const listed = [...spenders.values()].filter(({ fanId }) => marksOf(world, account.id, fanId)?.blockedAt == null)
  return listed.toSorted((a, b) => (by === 'recent' ? byTime(a, b) : b.cents - a.cents) || a.fanId - b.fanId)
}
