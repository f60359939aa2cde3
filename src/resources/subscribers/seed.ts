import { dayMs, fromIso, toIso } from '../../engine/time.ts'
import { manyInUnits } from '../../engine/work.ts'
import type { Work } from '../../engine/work.ts'
import { append, daysAgo, momentBetween, ownRows, historyDays } from '../../world/seeding.ts'
import type { AccountPlan, Seeding } from '../../world/seeding.ts'
import type { AccountSizes } from '../accounts/sizes.ts'
import type { Fan } from '../fans/fans.table.ts'
import { drawFan } from '../fans/new-fan.ts'
import type { TrackingLinkSizes } from '../tracking-links/sizes.ts'
import type { SubscriberSizes } from './sizes.ts'
import type { Subscription } from './subscriptions.table.ts'
import { latestRenewal, nextRenewal, periodMs } from './subscriptions.ts'

type Plan = AccountPlan<SubscriberSizes & AccountSizes & TrackingLinkSizes>

/** Seeds the fans of an account and their subscriptions. A few are fans of the organisation's other accounts; some came through links. */
export function* seedSubscriptions(seeding: Seeding, plan: Plan): Work {
  const { random, rows } = seeding
  const { account, sizes } = plan
  const links = ownRows(rows.trackingLinks, account)
  const known = fansOfOthers(seeding, plan)
  const linkOfPlace = links.flatMap((link, index) => Array.from({ length: sizes.trackingLinks[index]?.claimers ?? 0 }, () => link))
  const subscriptions = yield* manyInUnits(sizes.fans, (place) => {
    const fan = place % 11 === 7 ? (known.pop() ?? createFan(seeding)) : createFan(seeding)
    const link = linkOfPlace[place]
    const latest = link?.endDate == null ? daysAgo(seeding, 2) : daysAgo(seeding, 45)
    const subscribedAt =
      sizes.equalTimes && link !== undefined ? daysAgo(seeding, 100) : momentBetween(seeding, daysAgo(seeding, historyDays), latest)
    const months = 1 + Math.floor(random.next() * random.next() * ((seeding.now - subscribedAt) / periodMs))
    // The first period of a fan who came within the last 30 days still runs.
    const isActive = random.chance(0.6) || subscribedAt + periodMs >= seeding.now
    const wholeMonths = Math.floor((seeding.now - subscribedAt) / periodMs)
    const expiredAt = isActive ? nextRenewal(subscribedAt, seeding.now) : subscribedAt + Math.min(months, wholeMonths) * periodMs
    const times = { subscribedAt: toIso(subscribedAt), expiredAt: toIso(Math.max(expiredAt, subscribedAt + dayMs)) }
    return {
      id: seeding.nextId('subscriptions'),
      accountId: account.id,
      fanId: fan.id,
      price: account.subscribePrice,
      ...times,
      notice: random.chance(0.1) ? random.pick(seeding.texts.fans.notices) : '',
      displayName: random.chance(0.08) ? random.pick(seeding.texts.names.first) : '',
      trackingLinkId: link?.id ?? null,
      trialLinkId: null,
      ...toHistory({ ...times, price: account.subscribePrice }, place),
      isExpired: fromIso(times.expiredAt) <= seeding.now,
      isAutoprolong: isActive && place % 3 !== 1,
      isBlocked: false,
      isRestricted: false,
      lastActivity: fan.lastSeen,
    }
  })
  append(rows.subscriptions, subscriptions)
}

/** The spans of a subscription. A long one, of eight months or more, mostly has a gap: only one in twelve does not. */
function toHistory(
  { subscribedAt, expiredAt, price }: Pick<Subscription, 'subscribedAt' | 'expiredAt' | 'price'>,
  place: number,
): Pick<Subscription, 'spans' | 'renewedAt'> {
  const [start, end] = [fromIso(subscribedAt), fromIso(expiredAt)]
  const hasGap = place % 12 !== 4 && end - start >= 8 * periodMs
  const [periodsBefore, periodsSince] = [1 + (place % 2), 1 + (Math.floor(place / 2) % 6)]
  const spans = hasGap
    ? [
        { from: subscribedAt, until: toIso(start + periodsBefore * periodMs), price },
        { from: toIso(end - periodsSince * periodMs), until: expiredAt, price },
      ]
    : [{ from: subscribedAt, until: expiredAt, price }]
  return { spans, renewedAt: latestRenewal(spans) }
}

/** Some fans of the organisation's other accounts that were seeded before, in no order: fans who buy on two accounts come from here. */
function fansOfOthers({ rows, random }: Seeding, { account }: Plan): Fan[] {
  const accounts = new Set(
    rows.accounts.filter(({ organisation, id }) => organisation === account.organisation && id !== account.id).map(({ id }) => id),
  )
  const fans = new Map(rows.fans.map((fan) => [fan.id, fan]))
  const ids = new Set(rows.subscriptions.filter(({ accountId }) => accounts.has(accountId)).map(({ fanId }) => fanId))
  return [...ids].flatMap((id) => fans.get(id) ?? []).filter(() => random.chance(0.5))
}

/** Adds a new user to the platform. */
function createFan(seeding: Seeding): Fan {
  const { random, rows } = seeding
  const fan = drawFan(seeding, {
    id: () => seeding.nextId('fans'),
    lastSeen: () => toIso(momentBetween(seeding, daysAgo(seeding, random.pick([1, 3, 30, 200])), seeding.now - 60_000)),
  })
  rows.fans.push(fan)
  return fan
}
