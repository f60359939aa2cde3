import type { Random } from '../../world/random.ts'
import { toPlainText } from '../../lib/text.ts'
import { dayMs, parseIso, hourMs, toIsoTime } from '../../lib/time.ts'
import { getEdgeCaseName, getEdgeCaseText } from '../../seed/edge-texts.ts'
import { reassignIdsByTime } from '../../seed/reassign-ids.ts'
import { appendRows, getTimeDaysAgo, pickTimeBetween } from '../../seed/seeding.ts'
import type { AccountPlan, SeedContext } from '../../seed/seeding.ts'
import type { AccountSizes } from '../accounts/sizes.ts'
import { getWinterOffset } from '../chats/fan-life.ts'
import { deriveCountry } from '../fans/country.ts'
import type { Fan } from '../fans/fans.table.ts'
import { createNameCheck, createRandomFan } from '../fans/new-fan.ts'
import { createNameSource } from '../fans/names.ts'
import type { TrackingLinkSizes } from '../tracking-links/sizes.ts'
import { createLatestActivityLookup } from './latest-activity.ts'
import { createSubscriptionHistory } from './subscription-history.ts'
import { firstShared, sharedEach } from './shared-fans.seed.ts'
import type { SubscriberSizes } from './sizes.ts'
import { mostFansOfSmallAccount } from './small-account.ts'

/**
 * One in this many fans never leaves. The first fan never leaves, so every account that has
 * fans also has a subscriber.
 */
const loyalEach = 40
const loyal = { churn: 0, comeback: 0 }

type Plan = AccountPlan<SubscriberSizes & AccountSizes & TrackingLinkSizes>

/**
 * Seeds the fans of an account and their subscriptions. A few fans also subscribe to other
 * accounts. Some fans joined through links.
 */
export function seedSubscriptions(seeding: SeedContext, plan: Plan): void {
  const { random, rows } = seeding
  const { account, sizes, since } = plan
  const links = rows.trackingLinks
  const audience = seeding.getAudience(plan)
  const shared = [...(seeding.sharedFans.get(account.id) ?? [])]
  const linkOfPlace = links.flatMap((link, index) =>
    Array.from({ length: sizes.trackingLinks[index]?.claimers ?? 0 }, () => link),
  )
  const now = toIsoTime(seeding.now)
  const newestAt = seeding.now - newestHours * hourMs
  const isEdge = sizes.texts === 'edge'
  // The fans of a small account join evenly over its history.
  const isSmall = sizes.fans <= mostFansOfSmallAccount && !sizes.equalTimes
  const free = sizes.fans - linkOfPlace.length
  const lastActiveAt = createLatestActivityLookup(seeding, account)
  const subscriptions = Array.from({ length: sizes.fans }, (_, place) => {
    const link = linkOfPlace[place]
    const latest = link?.endDate == null ? newestAt : parseIso(link.endDate) - dayMs
    const earliest = link === undefined ? since : parseIso(link.createdAt)
    const isFixed = sizes.equalTimes && link !== undefined
    const drawnAt = isFixed
      ? getTimeDaysAgo(seeding, 100)
      : isSmall
        ? drawSpread(random, { place: place - linkOfPlace.length, earliest, latest, count: free })
        : audience.drawArrival(random, earliest, latest)
    const fan =
      (place % sharedEach === firstShared ? shared.pop() : undefined) ??
      createFan(seeding, plan, drawnAt)
    const arrivedAt = isFixed ? drawnAt : toFanHour(seeding, drawnAt, fan)
    const subscribedAt = Math.min(
      arrivedAt >= earliest && arrivedAt < latest ? arrivedAt : drawnAt,
      lastActiveAt(fan.id) - hourMs,
    )
    const price = account.subscribePrice
    const { spans, renewedAt, isAutoprolong } = createSubscriptionHistory(
      random,
      place % loyalEach === 0 ? loyal : plan.persona.audience,
      {
        from: subscribedAt,
        price,
        now: seeding.now,
      },
    )
    const expiredAt = spans.at(-1)?.until ?? ''
    return {
      id: seeding.nextId('subscriptions'),
      accountId: account.id,
      fanId: fan.id,
      price,
      subscribedAt: spans[0]?.from ?? toIsoTime(subscribedAt),
      expiredAt,
      notice: isEdge && place % 9 === 0 ? toPlainText(getEdgeCaseText(seeding.texts, place)) : '',
      displayName: isEdge && place % 12 === 0 ? getEdgeCaseName(seeding.texts, place) : '',
      trackingLinkId: link?.id ?? null,
      trialLinkId: null,
      spans,
      renewedAt,
      isExpired: expiredAt <= now,
      isAutoprolong,
      isBlocked: false,
      isRestricted: false,
      lastActivity: fan.lastSeen,
    }
  })
  reassignIdsByTime(subscriptions, ({ subscribedAt }) => subscribedAt)
  appendRows(rows.subscriptions, subscriptions)
}

/**
 * Returns a random arrival time. The fans without a link each have an equal part of the time. For
 * fans with a link, whose `place` is negative, any time is possible.
 */
function drawSpread(
  random: Random,
  range: { place: number; earliest: number; latest: number; count: number },
): number {
  const { place, earliest, latest, count } = range
  const part = place < 0 ? random.next() : (place + random.next()) / count
  return Math.floor(earliest + part * (latest - earliest))
}

/** Returns the time (epoch ms) at which the fan's clock shows what a UTC clock shows at `at`. */
function toFanHour({ texts }: SeedContext, at: number, { id }: Fan): number {
  return at - getWinterOffset(deriveCountry(id, texts.countries)?.timezone ?? '') * hourMs
}

/** Minimum number of hours between the newest subscription and the start of the clock. */
const newestHours = 2
/** Share of fans who joined the platform because of this creator. */
const joinedForCreator = 0.3
/**
 * For all other fans: average number of days between joining the platform and the first
 * subscription.
 */
const meanDaysBefore = 480

/** Adds a new user, who joined the platform before subscribing at `arrivedAt`, epoch ms. */
function createFan(seeding: SeedContext, { sizes }: Plan, arrivedAt: number): Fan {
  const { random, rows } = seeding
  const drawn = createRandomFan(seeding, {
    reserve: seeding.reserveUsername,
    name: createNameSource(seeding.texts, seeding.fakers),
    isTaken: createNameCheck(rows.fans),
    id: () => seeding.nextUserId(arrivedAt - drawDaysBefore(random) * dayMs),
    lastSeen: () =>
      toIsoTime(
        pickTimeBetween(
          seeding,
          getTimeDaysAgo(seeding, random.pick([1, 3, 30, 200])),
          seeding.now - 60_000,
        ),
      ),
  })
  const fan =
    sizes.texts === 'edge'
      ? { ...drawn, name: getEdgeCaseName(seeding.texts, rows.fans.length) }
      : drawn
  rows.fans.push(fan)
  return fan
}

function drawDaysBefore(random: Random): number {
  const mean = random.chance(joinedForCreator) ? 0.02 : meanDaysBefore
  return Math.min(2500, -mean * Math.log(1 - random.next()))
}
