import { dayMs, parseIso, toIsoTime } from '../../lib/time.ts'
import { reassignIdsByTime } from '../../seed/seed-ids.ts'
import { getTimeDaysAgo, pickTimeBetween } from '../seeding.ts'
import type { AccountPlan, SeedContext } from '../seeding.ts'
import type { AccountSizes } from '../accounts/sizes.ts'
import { toFanKey } from '../fans/fans.table.ts'
import type { Fan } from '../fans/fans.table.ts'
import { createNameCheck, createRandomFan, createNameSource } from '../fans/names.ts'
import { periodDays } from '../subscribers/subscriptions.ts'
import type { UserSizes } from './users.table.ts'
import { defineFactory } from '../define.ts'
import { resolveAccountId, resolveAccountAndFan } from '../subscribers/find-subscription.ts'

type Plan = AccountPlan<UserSizes & AccountSizes>

/**
 * Seeds the creators that the account follows: new creators, and a few of the account's subscribers
 * who are also creators.
 */
export function seedFollows(seeding: SeedContext, { account, sizes, since }: Plan): void {
  const { random, rows } = seeding
  const fans = rows.subscriptions
  const known = new Map(sizes.following < 4 ? [] : rows.fans.map((fan) => [fan.id, fan]))
  const creators = fans
    .filter(({ isExpired }) => !isExpired)
    .flatMap(({ fanId }) => known.get(fanId) ?? [])
    .filter(({ subscribePrice }) => subscribePrice > 0)
  const friends = creators.slice(0, Math.floor(sizes.following / 4))
  for (let index = 0; index < sizes.following; index += 1) {
    const creator = friends[index] ?? createCreator(seeding)
    const subscribedAt = sizes.equalTimes
      ? getTimeDaysAgo(seeding, 100)
      : pickTimeBetween(seeding, since, getTimeDaysAgo(seeding, 1))
    const drawn = random.integer(1, 3)
    const isAutoprolong = sizes.equalTimes || index === 0 || random.chance(0.8)
    // Subscriptions that are renewed automatically have not expired yet.
    const periods =
      isAutoprolong && !sizes.equalTimes
        ? Math.ceil((seeding.now - subscribedAt) / (periodDays * dayMs))
        : drawn
    rows.follows.push({
      id: seeding.nextId('follows'),
      accountId: account.id,
      userId: creator.id,
      price: creator.subscribePrice,
      subscribedAt: toIsoTime(subscribedAt),
      expiredAt: toIsoTime(subscribedAt + periods * periodDays * dayMs),
      isAutoprolong,
    })
  }
  reassignIdsByTime(rows.follows, (follow) => follow.subscribedAt)
}

/** Adds a new creator to the platform. */
function createCreator(seeding: SeedContext): Fan {
  const { random, rows } = seeding
  const fan = createRandomFan(seeding, {
    reserve: seeding.reserveUsername,
    name: createNameSource(seeding.texts, seeding.fakers),
    isTaken: createNameCheck(rows.fans),
    id: () => seeding.nextUserId(seeding.now - random.integer(200 * dayMs, 2400 * dayMs)),
    lastSeen: () =>
      toIsoTime(pickTimeBetween(seeding, getTimeDaysAgo(seeding, 3), seeding.now - 60_000)),
  })
  const creator = { ...fan, subscribePrice: random.pick(seeding.texts.prices.creators) }
  rows.fans.push(creator)
  return creator
}

/**
 * Seeds the users that the account has blocked or restricted. The newest fans are blocked. The fans
 * who subscribed just before them are restricted.
 */
export function seedBlocksAndRestrictions(seeding: SeedContext, { account, sizes }: Plan): void {
  const marked = seeding.rows.subscriptions.toReversed().slice(0, sizes.blocked + sizes.restricted)
  for (const [index, subscription] of marked.entries()) {
    const isBlocked = index < sizes.blocked
    const latest = sizes.equalTimes
      ? getTimeDaysAgo(seeding, 1)
      : getTimeDaysAgo(seeding, (index % 40) * 2 + 1) - seeding.random.integer(0, dayMs)
    const at = toIsoTime(Math.max(latest, parseIso(subscription.subscribedAt)))
    seeding.rows.userMarks.push({
      id: toFanKey(account.id, subscription.fanId),
      accountId: account.id,
      userId: subscription.fanId,
      blockedAt: isBlocked ? at : null,
      restrictedAt: isBlocked ? null : at,
      blockedNumber: 0,
      restrictedNumber: 0,
      reportedAt: null,
      reportReason: null,
    })
    Object.assign(subscription, { isBlocked, isRestricted: !isBlocked })
  }
}

/**
 * Fills in missing fields of accounts' subscriptions to creators. By default, a subscription lasts
 * 30 days and is renewed automatically.
 */
export const followFactory = defineFactory({
  name: 'follow',
  table: 'follows',
  time: 'subscribedAt',
  complete(given, context) {
    const { world, at, iso } = context
    const userId = given.userId ?? context.only('userId', world.db.fans.slice(0, 11), 'user')
    return {
      accountId: context.accountId(given),
      userId,
      price: world.db.fans.get(userId)?.subscribePrice ?? 0,
      subscribedAt: iso,
      expiredAt: toIsoTime(at + periodDays * dayMs),
      isAutoprolong: true,
    }
  },
})

/** Fills in missing fields of an account's marks on a user. By default, no marks are set. */
export const userMarkFactory = defineFactory({
  name: 'userMark',
  table: 'userMarks',
  complete({ accountId: account, userId: user }, context) {
    const accountId = resolveAccountId(context, { accountId: account, fanId: user })
    const userId = user ?? resolveAccountAndFan(context, { accountId }).fanId
    return { id: toFanKey(accountId, userId), accountId, userId }
  },
})
