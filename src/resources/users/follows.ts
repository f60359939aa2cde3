import type { WorldClock } from '../../world/world-clock.ts'
import { parseIso, toIsoTime } from '../../lib/time.ts'
import type { World } from '../world.ts'
import { toFanKey } from '../fans/fans.table.ts'
import type { Subscription } from '../subscribers/subscriptions.table.ts'
import { periodMs } from '../subscribers/subscriptions.ts'
import type { Follow } from './users.table.ts'

/**
 * Returns the account's active or expired subscription to the creator. Undefined if the account
 * never subscribed.
 */
export function findFollow(world: World, accountId: number, userId: number): Follow | undefined {
  return world.db.follows.in('byUser', toFanKey(accountId, userId)).at(0)
}

/** Returns the account's active subscriptions to creators, newest first. */
export function listActiveFollows(world: World, accountId: number): Follow[] {
  return world.db.follows
    .list('byAccount', accountId)
    .filter((follow) => isFollowing(follow, world.clock))
}

/** Returns the end of the subscription, or its next renewal, epoch ms. */
export function getFollowEnd({ expiredAt, isAutoprolong }: Follow, clock: WorldClock): number {
  const end = parseIso(expiredAt)
  return isAutoprolong && clock.hasReached(end)
    ? end + (clock.stepsSince(end, periodMs) + 1) * periodMs
    : end
}

/** True if the subscription is active. */
export function isFollowing({ expiredAt, isAutoprolong }: Follow, clock: WorldClock): boolean {
  return isAutoprolong || !clock.hasReached(parseIso(expiredAt))
}

/**
 * Returns the history of the subscription: one span for the initial months, and one span for the
 * later renewals. No span begins in the future.
 */
export function toFollowSpans(follow: Follow, clock: WorldClock): Subscription['spans'] {
  const { subscribedAt, expiredAt, price } = follow
  const first = { from: subscribedAt, until: expiredAt, price, paidAt: subscribedAt }
  const end = toIsoTime(getFollowEnd(follow, clock))
  return end === expiredAt ? [first] : [first, { from: expiredAt, until: end, price }]
}
