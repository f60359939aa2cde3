import type { Random } from '../../world/random.ts'
import { toPlainText } from '../../lib/text.ts'
import { dayMs, parseIso, hourMs, toIsoTime, minuteMs } from '../../lib/time.ts'
import { getEdgeCaseName, getEdgeCaseText } from '../../seed/given-names.ts'
import { reassignIdsByTime } from '../../seed/seed-ids.ts'
import { appendRows, getTimeDaysAgo, pickTimeBetween } from '../seeding.ts'
import type { AccountPlan, SeedContext, OrganisationPlan } from '../seeding.ts'
import type { AccountSizes } from '../accounts/sizes.ts'
import { getWinterOffset } from '../chats/fan-life.ts'
import { deriveCountry } from '../fans/fan-values.ts'
import type { Fan } from '../fans/fans.table.ts'
import { createNameCheck, createRandomFan, createNameSource } from '../fans/names.ts'
import type { TrackingLinkSizes } from '../tracking-links/tracking-links.table.ts'
import {
  createLatestActivityLookup,
  mostFansOfSmallAccount,
  findSubscription,
  resolveAccountId,
} from './find-subscription.ts'
import type { SubscriberSizes, Subscription } from './subscriptions.table.ts'
import type { Persona } from '../../seed/persona.ts'
import { periodMs, findLatestRenewal, periodDays } from './subscriptions.ts'
import { SandboxError } from '../../errors.ts'
import { defineFactory } from '../define.ts'
import { findUserMark } from '../users/marks.ts'

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
  seeding.requireRoom(sizes.fans)
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

interface SubscriptionHistory {
  spans: Subscription['spans']
  /** Start of the latest renewal. Null if there is no renewal. */
  renewedAt: string | null
  isAutoprolong: boolean
}

/** Fans who come back were away for at least this many days. */
const shortestAbsenceDays = 5
const meanAbsenceDays = 80

/**
 * Creates a random subscription history for a fan, from a start time (epoch ms) until now. Fans
 * renew or leave, and some come back.
 */
function createSubscriptionHistory(
  random: Random,
  { churn, comeback }: Pick<Persona['audience'], 'churn' | 'comeback'>,
  { from, price, now }: { from: number; price: number; now: number },
): SubscriptionHistory {
  const spans: Subscription['spans'] = []
  for (let start = from; ;) {
    let periods = 1
    while (start + periods * periodMs <= now && drawsRenewal(random, churn, periods)) periods += 1
    const until = start + periods * periodMs
    const since = toIsoTime(start)
    spans.push({ from: since, until: toIsoTime(until), price })
    const renewedAt = periods > 1 ? toIsoTime(until - periodMs) : spans.length === 1 ? null : since
    // One in eight expired subscriptions had automatic renewal, but the payment failed.
    if (until > now)
      return { spans, renewedAt, isAutoprolong: drawsRenewal(random, churn, periods) }
    const absence = (shortestAbsenceDays - meanAbsenceDays * Math.log(1 - random.next())) * dayMs
    if (!random.chance(comeback) || until + absence > now)
      return { spans, renewedAt, isAutoprolong: random.chance(0.12) }
    start = Math.floor(until + absence)
  }
}

/**
 * Decides at random whether a fan renews after the given number of periods. Many fans leave after
 * the first period. Later, the probability of leaving approaches a constant.
 */
function drawsRenewal(random: Random, churn: number, periods: number): boolean {
  return !random.chance(Math.min(0.9, churn * (0.45 + 1 / periods)))
}

/** One in this many fans is also a fan of another account. */
const sharedEach = 11
/** Index of the first shared fan among the fans of an account. */
const firstShared = 7
/** Possible maximum ages of a fan's last visit, days. One is picked at random for each fan. */
const seenDays = [1, 3, 30]
/** One in this many shared fans subscribes to three accounts. */
const ofThreeEach = 9

/**
 * Seeds the fans who subscribe to two or three accounts of an organisation. They are created before
 * all accounts, so that each account can be seeded independently. Also picks a random time, some
 * days ago, when each of these fans was last seen. All their activity is before this time.
 */
export function seedSharedFans(seeding: SeedContext, { accounts }: OrganisationPlan): void {
  const { rows, sharedFans } = seeding
  const seen = seeding.branch('seen')
  const wanted = accounts.map(({ id, fans }) => ({
    id,
    left: Math.floor((fans + sharedEach - 1 - firstShared) / sharedEach),
  }))
  for (let place = 0; ; place += 1) {
    const members = wanted.toSorted((a, b) => b.left - a.left).filter(({ left }) => left > 0)
    if (members.length < 2) return
    const fan = createRandomFan(seeding, {
      reserve: seeding.reserveUsername,
      name: createNameSource(seeding.texts, seeding.fakers),
      id: () => seeding.nextUserId(seeding.now - seen.random.integer(760 * dayMs, 2600 * dayMs)),
      lastSeen: () =>
        toIsoTime(
          pickTimeBetween(
            seen,
            getTimeDaysAgo(seeding, seen.random.pick(seenDays)),
            seeding.now - minuteMs,
          ),
        ),
    })
    rows.fans.push(fan)
    for (const member of members.slice(0, place % ofThreeEach === ofThreeEach - 1 ? 3 : 2)) {
      member.left -= 1
      sharedFans.set(member.id, [...(sharedFans.get(member.id) ?? []), fan])
    }
  }
}

/**
 * Fills in missing fields of subscriptions. By default, a subscription lasts 30 days and has the
 * account's price. It is marked as expired if it has ended. Does not add a payment.
 */
export const subscriptionFactory = defineFactory({
  name: 'subscription',
  table: 'subscriptions',
  time: 'subscribedAt',
  complete(given, context) {
    const { world, at, iso } = context
    const accountId = resolveAccountId(context, given)
    const fanId = given.fanId ?? context.only('fanId', world.db.fans.slice(0, 11), 'fan')
    const known = findSubscription(world, accountId, fanId)
    if (known !== undefined)
      throw new SandboxError(
        `Failed to make the subscription (fanId: ${fanId}): the fan already has subscription ` +
          `${known.id} to account ${accountId}. Update that subscription, or choose another fan.`,
      )
    const {
      price = world.db.accounts.get(accountId)?.subscribePrice ?? 0,
      expiredAt = toIsoTime(at + periodDays * dayMs),
    } = given
    const spans = given.spans ?? [{ from: iso, until: expiredAt, price }]
    const isExpired = parseIso(expiredAt) <= world.clock.now()
    const marks = findUserMark(world, accountId, fanId)
    const fan = world.db.fans.get(fanId)
    return {
      accountId,
      fanId,
      price,
      subscribedAt: iso,
      expiredAt,
      spans: spans.map((span) => ({ ...span })),
      renewedAt: findLatestRenewal([...spans]),
      isExpired,
      isAutoprolong: !isExpired && fan?.isDeleted !== true,
      isBlocked: marks?.blockedAt != null,
      isRestricted: marks?.restrictedAt != null,
      ...(fan?.isDeleted === true ? { isDeleted: true } : {}),
      lastActivity: fan?.lastSeen ?? iso,
    }
  },
})
