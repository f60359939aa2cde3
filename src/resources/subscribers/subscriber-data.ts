import type { z } from 'zod'
import type { WorldClock } from '../../world/world-clock.ts'
import { dayMs, parseIso, toPlatformTime } from '../../lib/time.ts'
import type { World } from '../world.ts'
import { findChatWith } from '../chats/chats.ts'
import { findFanSpend } from '../payments/transactions.ts'
import type { Follow } from '../users/users.table.ts'
import { toFollowSpans, isFollowing } from '../users/follows.ts'
import type { SubscribedByData, SubscribedOnData, SubscribePeriod } from '../users/schemas.ts'
import type { Subscription } from './subscriptions.table.ts'
import { formatSubscriptionMonths, listPeriods } from './subscriptions.ts'

/** Returns a fan's subscription and spending on an account, in the format of user objects. */
export function toSubscriberData(
  world: World,
  subscription: Subscription,
): z.infer<typeof SubscribedOnData> {
  const { accountId, fanId, price, expiredAt, renewedAt, subscribedAt, isExpired, isAutoprolong } =
    subscription
  const spend = findFanSpend(world, accountId, fanId)
  const regularPrice = world.db.accounts.get(accountId)?.subscribePrice ?? price
  const subscribes = toSubscribes(subscription, {
    userId: accountId,
    subscriberId: fanId,
    regularPrice,
    clock: world.clock,
  })
  return {
    ...getPriceFields(price, regularPrice),
    date: toPlatformTime(subscribedAt),
    subscribeAt: toPlatformTime(subscribedAt),
    renewedAt: toPlatformTime(renewedAt),
    expiredAt: toPlatformTime(expiredAt),
    status: isExpired ? 'expired' : null,
    isMuted: findChatWith(world, accountId, fanId)?.isMuted ?? false,
    unsubscribeReason: isExpired && !isAutoprolong ? 'renewal_off' : '',
    duration: formatSubscriptionMonths(subscription, world.clock),
    hasActivePaidSubscriptions: !isExpired && price > 0,
    subscribes,
    totalSumm: spend?.total ?? 0,
    tipsSumm: spend?.tips ?? 0,
    subscribesSumm: spend?.subscribes ?? 0,
    messagesSumm: spend?.messages ?? 0,
    postsSumm: spend?.posts ?? 0,
    streamsSumm: spend?.streams ?? 0,
    lastActivity: toPlatformTime(subscription.lastActivity),
    recommendations: deriveRecommendationCount(subscription),
  }
}

/** Returns an account's own subscription to a creator, in the format of user objects. */
export function toFollowedData(world: World, follow: Follow): z.infer<typeof SubscribedByData> {
  const { clock } = world
  const { accountId, userId, price, subscribedAt } = follow
  const regularPrice = world.db.fans.get(userId)?.subscribePrice ?? price
  const spans = toFollowSpans(follow, clock)
  const subscribes = toSubscribes(
    { id: follow.id, spans, isAutoprolong: follow.isAutoprolong },
    { userId, subscriberId: accountId, regularPrice, clock },
  )
  const isExpired = !isFollowing(follow, clock)
  const expiredAt = spans.at(-1)?.until ?? follow.expiredAt
  return {
    ...getPriceFields(price, regularPrice),
    subscribeAt: toPlatformTime(subscribedAt),
    renewedAt: subscribes.length > 1 ? (subscribes[0]?.date ?? null) : null,
    expiredAt: toPlatformTime(expiredAt),
    status: isExpired ? 'expired' : null,
    isMuted: false,
    unsubscribeReason: '',
    duration: formatSubscriptionMonths({ subscribedAt, expiredAt }, clock),
    hasActivePaidSubscriptions: !isExpired && price > 0,
    subscribes,
  }
}

/**
 * Returns the number of users who subscribed because the fan recommended the account. Usually 0.
 */
export function deriveRecommendationCount({ id }: Pick<Subscription, 'id'>): number {
  return id % 8 === 3 ? 1 + (id % 3) : 0
}

/** Returns the price fields of a subscription. */
function getPriceFields(price: number, regularPrice: number) {
  return {
    price,
    newPrice: price,
    regularPrice,
    subscribePrice: regularPrice,
    discountPercent: computeDiscount(price, regularPrice),
    discountPeriod: 0,
    discountStartedAt: null,
    discountFinishedAt: null,
  }
}

/** Data that is needed to convert a period, in addition to its subscription. */
interface PeriodContext {
  userId: number
  subscriberId: number
  regularPrice: number
  clock: WorldClock
}

/** Returns the periods of a subscription in the format of user objects, newest first. */
function toSubscribes(
  subscription: Pick<Subscription, 'id' | 'spans' | 'isAutoprolong'>,
  { userId, subscriberId, regularPrice, clock }: PeriodContext,
): z.infer<typeof SubscribePeriod>[] {
  const periods = listPeriods(subscription)
  const latestEnd = periods[0]?.until ?? ''
  return periods.map(({ from, until, price, paidAt, ...period }, place) => {
    const regular = period.regularPrice ?? regularPrice
    // Numbering starts at the oldest period, so that new periods do not change existing ids.
    const number = periods.length - place
    const [start, end] = [parseIso(from), parseIso(until)]
    return {
      id: subscription.id * 1000 + number,
      userId,
      subscriberId,
      earningId: toEarningId(subscription.id, parseIso(paidAt)),
      date: toPlatformTime(paidAt),
      startDate: toPlatformTime(from),
      expireDate: toPlatformTime(until),
      cancelDate: until === latestEnd && !subscription.isAutoprolong ? toPlatformTime(until) : null,
      offerStart: null,
      offerEnd: null,
      duration: Math.max(1, Math.round((end - start) / dayMs)),
      price,
      regularPrice: regular,
      discount: computeDiscount(price, regular),
      action: number === 1 ? 'subscribe' : 'renew',
      type: price > 0 ? 'paid' : 'free',
      isCurrent: clock.hasReached(start) && !clock.hasReached(end),
    }
  })
}

/** Start of the platform's earnings, and its average interval between two earnings, ms. */
const earnings = { since: Date.UTC(2016, 10, 1), intervalMs: 92 }

/**
 * Returns the id of the earning of a period. The platform numbers the earnings of all creators in
 * one sequence, so the id follows from the time of payment. Fans who pay at the same time get
 * different ids.
 */
function toEarningId(subscriptionId: number, paidAt: number): number {
  return Math.floor((paidAt - earnings.since) / earnings.intervalMs) + (subscriptionId % 997)
}

/** Returns the discount on the regular price, in percent. */
function computeDiscount(price: number, regularPrice: number): number {
  return price < regularPrice ? Math.round((1 - price / regularPrice) * 100) : 0
}
