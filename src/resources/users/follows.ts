import { fromIso, toIso } from '../../engine/time.ts'
import type { World } from '../../world/world.ts'
import { fanKey } from '../fans/fans.table.ts'
import { periodMs } from '../subscribers/subscriptions.ts'
import type { Follow } from './follows.table.ts'

/** The account's subscription to that creator, running or lapsed; undefined when there never was one. */
export function followOf(world: World, accountId: number, userId: number): Follow | undefined {
  return world.db.follows.in('byUser', fanKey(accountId, userId)).at(0)
}

/** The creators whom the account follows now, newest first. */
export function followedNow(world: World, accountId: number): Follow[] {
  const now = world.clock.now()
  return world.db.follows
    .in('byAccount', accountId)
    .slice()
    .filter((follow) => followEnd(follow, now) > now)
}

/** When the subscription ends or is renewed next, epoch ms. */
export function followEnd({ expiredAt, isAutoprolong }: Follow, now: number): number {
  const end = fromIso(expiredAt)
  return isAutoprolong && end <= now ? end + (Math.floor((now - end) / periodMs) + 1) * periodMs : end
}

/** The whole time of the subscription as one span, in the shape of the spans of a fan's subscription. */
export function followSpan(follow: Follow, now: number): { from: string; until: string; price: number } {
  return { from: follow.subscribedAt, until: toIso(followEnd(follow, now)), price: follow.price }
}
