import type { WorldClock } from '../../world/world-clock.ts'
import type { DueEffect } from '../../world/timeline.ts'
import { getNextTieNumber } from '../../data/sorted-list.ts'
import type { ChangeListener } from '../../data/change-log.ts'
import { dayMs, parseIso, toIsoTime } from '../../lib/time.ts'
import type { World } from '../world.ts'
import type { Fan } from '../fans/fans.table.ts'
import { findUserMark } from '../users/marks.ts'
import { toEventKey, toStateKey } from './subscriptions.table.ts'
import { findSubscription } from './find-subscription.ts'
import type { Subscription } from './subscriptions.table.ts'

/** Length of a subscription period, days. */
export const periodDays = 30
/** Length of a subscription period, ms. */
export const periodMs = periodDays * dayMs

/**
 * One period of a subscription. It lasts 30 days, or less if its span ends earlier. A prepaid
 * period that never began has the length 0.
 */
interface Period {
  from: string
  until: string
  price: number
  /** Price without a discount. Undefined if it is the account's current monthly price. */
  regularPrice: number | undefined
  paidAt: string
  /** Orders renewals that were paid at the same time. */
  number: number
}

/** Returns the periods of a subscription, newest first. */
export function listPeriods({ spans }: Pick<Subscription, 'spans'>): Period[] {
  const periods = spans.flatMap((span) => {
    const { until, price, regularPrice, paidAt, number = 0 } = span
    const starts = listPeriodStarts(span).map(toIsoTime)
    return starts.map((from, place) => ({
      from,
      until: starts[place + 1] ?? until,
      price,
      regularPrice,
      paidAt: paidAt ?? from,
      number,
    }))
  })
  return periods.toReversed()
}

/**
 * Returns the start times of a span's periods, oldest first, epoch ms. A span with `paidAt` is a
 * single period.
 */
export function listPeriodStarts({ from, until, paidAt }: Subscription['spans'][number]): number[] {
  const start = parseIso(from)
  const starts = [start]
  if (paidAt !== undefined) return starts
  const end = parseIso(until)
  for (let next = start + periodMs; next < end; next += periodMs) starts.push(next)
  return starts
}

/** Returns the payment time of the latest renewal. Null if there is only one period. */
export function findLatestRenewal(spans: Subscription['spans']): string | null {
  const last = spans.at(-1)
  if (last === undefined) return null
  const starts = listPeriodStarts(last)
  if (starts.length > 1) return toIsoTime(starts.at(-1) ?? 0)
  return spans.length === 1 ? null : (last.paidAt ?? last.from)
}

/** Returns the duration of a subscription in months of 30 days, rounded up, such as `3 months`. */
export function formatSubscriptionMonths(
  { subscribedAt, expiredAt }: Pick<Subscription, 'subscribedAt' | 'expiredAt'>,
  clock: WorldClock,
): string {
  const [start, end] = [parseIso(subscribedAt), parseIso(expiredAt)]
  const begun = clock.hasReached(end)
    ? Math.ceil((end - start) / periodMs)
    : clock.stepsSince(start + 1, periodMs) + 1
  const months = Math.max(1, begun)
  return months === 1 ? '1 month' : `${months} months`
}

/**
 * Terms of a subscription: the price and length of the first period, and the link through which the
 * fan joined.
 */
interface Offer {
  price: number
  /** @default 30 */
  days?: number
  trackingLinkId?: number | null
  trialLinkId?: number | null
  isAutoprolong?: boolean
}

/** Subscribes a fan from now on, or renews the existing subscription. Does not add a payment. */
export function startSubscription(
  world: World,
  accountId: number,
  fanId: number,
  {
    price,
    days = periodDays,
    trackingLinkId = null,
    trialLinkId = null,
    isAutoprolong = true,
  }: Offer,
): Subscription {
  const known = findSubscription(world, accountId, fanId)
  if (known !== undefined) return renewSubscription(world, known, { price, days, isAutoprolong })
  const now = world.clock.now()
  const [subscribedAt, expiredAt] = [toIsoTime(now), toIsoTime(now + days * dayMs)]
  const marks = findUserMark(world, accountId, fanId)
  return world.db.subscriptions.insert({
    id: world.nextId('subscriptions'),
    accountId,
    fanId,
    price,
    subscribedAt,
    expiredAt,
    trackingLinkId,
    trialLinkId,
    spans: [
      {
        from: subscribedAt,
        until: expiredAt,
        price,
        ...(days > periodDays ? { paidAt: subscribedAt } : {}),
      },
    ],
    isAutoprolong,
    isBlocked: marks?.blockedAt != null,
    isRestricted: marks?.restrictedAt != null,
    lastActivity: world.db.fans.get(fanId)?.lastSeen ?? subscribedAt,
  })
}

/**
 * Adds a period after the current period, or from now on if the subscription has ended. Does not
 * add a payment.
 */
export function renewSubscription(
  world: World,
  subscription: Subscription,
  {
    price = subscription.price,
    days = periodDays,
    isAutoprolong = subscription.isAutoprolong,
  }: Partial<Offer> = {},
): Subscription {
  const now = world.clock.now()
  const start = Math.max(now, parseIso(subscription.expiredAt))
  const [renewedAt, from, until] = [
    toIsoTime(now),
    toIsoTime(start),
    toIsoTime(start + days * dayMs),
  ]
  // The prepaid period begins later, but the renewal counts from the time of payment.
  const events = world.db.subscriptionEvents.in(
    'newestFirst',
    toEventKey(subscription.accountId, 'total'),
  )
  const number = getNextTieNumber(events, renewedAt, {
    timeOf: (row) => row.at,
    numberOf: (row) => row.number,
  })
  const spans = [...subscription.spans, { from, until, price, paidAt: renewedAt, number }]
  return world.db.subscriptions.update(subscription.id, {
    price,
    expiredAt: until,
    spans,
    renewedAt,
    isExpired: false,
    isAutoprolong,
  })
}

/**
 * Ends a subscription. The clock never renews subscriptions, because fans pay only through actions.
 */
function expireSubscription(world: World, subscription: Subscription): void {
  world.db.subscriptions.update(subscription.id, { isExpired: true })
}

/** Keeps `lastActivity` and `isDeleted` of subscriptions in sync with fans. */
export function createFanUpdater(world: World): ChangeListener<Fan> {
  return (before, after) => {
    if (before === undefined || after === undefined) return
    if (before.isDeleted !== after.isDeleted)
      for (const { id } of world.db.subscriptions.list('byFanAcrossAccounts', after.id))
        world.db.subscriptions.update(id, { isDeleted: after.isDeleted })
    if (before.lastSeen !== after.lastSeen) updateLastActivity(world, after)
  }
}

/**
 * Sets the last activity of the fan's subscriptions. Several fans of an account can have the same
 * last activity. The `activityNumber` sorts this fan after the others.
 */
export function updateLastActivity(world: World, { id: fanId, lastSeen }: Fan): void {
  for (const { id, accountId, isExpired } of world.db.subscriptions.list(
    'byFanAcrossAccounts',
    fanId,
  )) {
    const key = toStateKey(accountId, isExpired ? 'expired' : 'active')
    const rows = world.db.subscriptions.in('byActivity', key)
    const latest = rows.at(rows.findPartitionPoint((row) => row.lastActivity <= lastSeen))
    if (latest?.id === id && latest.lastActivity === lastSeen) continue
    const activityNumber = getNextTieNumber(rows, lastSeen, {
      timeOf: (row) => row.lastActivity,
      numberOf: (row) => row.activityNumber,
    })
    world.db.subscriptions.update(id, { lastActivity: lastSeen, activityNumber })
  }
}

/** Returns the end of the current period, epoch ms. Periods are counted from `subscribedAt`. */
function getNextRenewal(subscribedAt: number, now: number): number {
  return subscribedAt + (Math.floor((now - subscribedAt) / periodMs) + 1) * periodMs
}

/** Returns the time when the next subscription expires. */
export function findNextSubscriptionExpiry(world: World): DueEffect | undefined {
  const subscription = world.db.subscriptions.in('running', 'all').at(0)
  return (
    subscription && {
      at: parseIso(subscription.expiredAt),
      fire: () => expireSubscription(world, subscription),
    }
  )
}

/** A special price for the first days of a subscription, and the number of days. */
interface IntroductoryPeriod {
  days: number
  price: number
  /** Epoch ms. */
  now: number
}

/**
 * Returns the history of a subscription that has a special price for the first days. After these
 * days, the fan pays the account's price.
 */
export function applyIntroductoryPrice(
  { spans: [first, ...rest], subscribedAt, isExpired }: Subscription,
  { days, price, now }: IntroductoryPeriod,
): Partial<Subscription> {
  if (first === undefined) return {}
  const end = parseIso(subscribedAt) + days * dayMs
  const offer = { ...first, until: toIsoTime(Math.min(end, parseIso(first.until))), price }
  if (rest.length > 0 || isExpired) {
    const paidRest = toIsoTime(end) < first.until ? [{ ...first, from: toIsoTime(end) }] : []
    const spans = [offer, ...paidRest, ...rest]
    return { spans, renewedAt: findLatestRenewal(spans) }
  }
  if (end > now)
    return {
      spans: [{ ...offer, until: toIsoTime(end) }],
      price,
      expiredAt: toIsoTime(end),
      renewedAt: null,
    }
  const until = toIsoTime(getNextRenewal(end, now))
  const spans = [offer, { ...first, from: toIsoTime(end), until }]
  return { spans, expiredAt: until, renewedAt: findLatestRenewal(spans) }
}

/** Only subscriptions up to this length may be shortened to their first days. */
const shortStayMs = 2 * periodMs

/**
 * Returns the history of a fan who leaves after the days with the special price. Undefined if the
 * fan stayed for longer than two periods, came back or is still subscribed.
 */
export function endAfterIntroductoryPeriod(
  { spans: [first, ...rest], subscribedAt, isExpired }: Subscription,
  { days, price }: Pick<IntroductoryPeriod, 'days' | 'price'>,
): Partial<Subscription> | undefined {
  if (first === undefined || rest.length > 0 || !isExpired) return undefined
  if (parseIso(first.until) - parseIso(first.from) > shortStayMs) return undefined
  const until = toIsoTime(Math.min(parseIso(subscribedAt) + days * dayMs, parseIso(first.until)))
  return {
    spans: [{ ...first, until, price }],
    price,
    expiredAt: until,
    renewedAt: null,
    isAutoprolong: false,
  }
}

/**
 * Returns the history of a subscription that has a special price for the first days after the last
 * pause.
 */
export function applyReturnPrice(
  { spans }: Subscription,
  { days, price }: Pick<IntroductoryPeriod, 'days' | 'price'>,
): Partial<Subscription> {
  const last = spans.at(-1)
  if (last === undefined) return {}
  const end = toIsoTime(Math.min(parseIso(last.from) + days * dayMs, parseIso(last.until)))
  const rest = end < last.until ? [{ ...last, from: end }] : []
  const all = [...spans.slice(0, -1), { ...last, until: end, price }, ...rest]
  return { spans: all, renewedAt: findLatestRenewal(all) }
}
