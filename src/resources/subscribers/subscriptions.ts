import type { WorldClock } from '../../world/world-clock.ts'
import type { Due } from '../../world/due.ts'
import type { ChangeListener } from '../../data/changes.ts'
import { dayMs, fromIso, toIso } from '../../lib/time.ts'
import type { World } from '../world.ts'
import type { Fan } from '../fans/fans.table.ts'
import { marksOf } from '../users/marks.ts'
import { subscriptionOf } from './lookup.ts'
import type { Subscription } from './subscriptions.table.ts'

/** The length of a period of a subscription, days. */
export const periodDays = 30
/** The length of a period, ms. */
export const periodMs = periodDays * dayMs

/**
 * One period of a subscription: 30 days, or less when the span ends before. A period that was paid
 * ahead and never began is empty.
 */
export interface Period {
  from: string
  until: string
  price: number
  paidAt: string
}

/** The periods of a subscription, newest first. */
export function periodsOf({ spans }: Pick<Subscription, 'spans'>): Period[] {
  const periods = spans.flatMap((span) => {
    const { until, price, paidAt } = span
    const starts = periodStarts(span).map(toIso)
    return starts.map((from, place) => ({
      from,
      until: starts[place + 1] ?? until,
      price,
      paidAt: paidAt ?? from,
    }))
  })
  return periods.toReversed()
}

/**
 * When the periods of a span begin, oldest first, epoch ms. A span that was paid at once is one
 * period.
 */
export function periodStarts({ from, until, paidAt }: Subscription['spans'][number]): number[] {
  const start = fromIso(from)
  const starts = [start]
  if (paidAt !== undefined) return starts
  const end = fromIso(until)
  for (let next = start + periodMs; next < end; next += periodMs) starts.push(next)
  return starts
}

/** When the latest period of the spans was paid; null when there is only one. */
export function latestRenewal(spans: Subscription['spans']): string | null {
  const last = spans.at(-1)
  if (last === undefined) return null
  const starts = periodStarts(last)
  if (starts.length > 1) return toIso(starts.at(-1) ?? 0)
  return spans.length === 1 ? null : (last.paidAt ?? last.from)
}

/** How long the fan has been subscribed, in months of 30 days, rounded up: `3 months`. */
export function monthsOf(
  { subscribedAt, expiredAt }: Pick<Subscription, 'subscribedAt' | 'expiredAt'>,
  clock: WorldClock,
): string {
  const [start, end] = [fromIso(subscribedAt), fromIso(expiredAt)]
  const begun = clock.hasReached(end)
    ? Math.ceil((end - start) / periodMs)
    : clock.stepsSince(start + 1, periodMs) + 1
  const months = Math.max(1, begun)
  return months === 1 ? '1 month' : `${months} months`
}

/**
 * The terms on which a fan subscribes: price and length of the period, and the link that they came
 * through.
 */
export interface Offer {
  price: number
  /** @default 30 */
  days?: number
  trackingLinkId?: number | null
  trialLinkId?: number | null
  isAutoprolong?: boolean
}

/**
 * Makes the fan a subscriber from now on, or renews the subscription that they have or had. It adds
 * no payment.
 */
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
  const known = subscriptionOf(world, accountId, fanId)
  if (known !== undefined) return renewSubscription(world, known, { price, days, isAutoprolong })
  const now = world.clock.now()
  const [subscribedAt, expiredAt] = [toIso(now), toIso(now + days * dayMs)]
  const marks = marksOf(world, accountId, fanId)
  return world.db.subscriptions.insert({
    id: world.nextId('subscriptions'),
    accountId,
    fanId,
    price,
    subscribedAt,
    expiredAt,
    notice: '',
    displayName: '',
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
    renewedAt: null,
    isExpired: false,
    isAutoprolong,
    isBlocked: marks?.blockedAt != null,
    isRestricted: marks?.restrictedAt != null,
    lastActivity: world.db.fans.get(fanId)?.lastSeen ?? subscribedAt,
  })
}

/**
 * Adds a period: after the running one, or from now on when the subscription ran out. It adds no
 * payment.
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
  const start = Math.max(now, fromIso(subscription.expiredAt))
  const [renewedAt, from, until] = [toIso(now), toIso(start), toIso(start + days * dayMs)]
  // A period that is paid ahead begins later. The renewal counts when it is paid.
  const spans = [...subscription.spans, { from, until, price, paidAt: renewedAt }]
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
 * Lets a subscription run out. The clock never renews one, as no fan pays unless an action says so.
 */
export function lapse(world: World, subscription: Subscription): void {
  world.db.subscriptions.update(subscription.id, { isExpired: true })
}

/** Keeps `lastActivity` of subscriptions up to date with the fans. */
export function watchLastSeen(world: World): ChangeListener<Fan> {
  return (before, after) => {
    if (before === undefined || after === undefined || before.lastSeen === after.lastSeen) return
    for (const { id } of world.db.subscriptions.in('ofFan', after.id).slice())
      world.db.subscriptions.update(id, { lastActivity: after.lastSeen })
  }
}

/** The end of the period that runs now, of periods that begin at `subscribedAt`. Epoch ms. */
export function nextRenewal(subscribedAt: number, now: number): number {
  return subscribedAt + (Math.floor((now - subscribedAt) / periodMs) + 1) * periodMs
}

/** When a subscription runs out next. */
export function nextLapse(world: World): Due | undefined {
  const subscription = world.db.subscriptions.in('running', 'all').at(0)
  return (
    subscription && { at: fromIso(subscription.expiredAt), fire: () => lapse(world, subscription) }
  )
}
