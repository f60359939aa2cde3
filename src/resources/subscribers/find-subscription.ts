import type { Account } from '../../world/tenancy/tenancy.table.ts'
import { createApiError } from '../../errors.ts'
import type { World } from '../world.ts'
import { toFanKey } from '../fans/fans.table.ts'
import type { Subscription } from './subscriptions.table.ts'

/**
 * Returns the fan's active or expired subscription to the account.
 * @throws {ApiError} fan_unknown if the user never subscribed
 */
export function requireSubscription(world: World, account: Account, fanId: number): Subscription {
  const subscription = findSubscription(world, account.id, fanId)
  if (subscription === undefined)
    throw createApiError('fan_unknown', { fan_id: fanId, account_id: account.id })
  return subscription
}

/** True if the subscription was running at a given time. */
export function wasSubscribed({ spans }: Pick<Subscription, 'spans'>, time: string): boolean {
  return spans.some(({ from, until }) => from <= time && time < until)
}

/**
 * Returns the fan's active or expired subscription to the account. Undefined if the fan never
 * subscribed.
 */
export function findSubscription(
  world: World,
  accountId: number,
  fanId: number,
): Subscription | undefined {
  return world.db.subscriptions.in('byFan', toFanKey(accountId, fanId)).at(0)
}
