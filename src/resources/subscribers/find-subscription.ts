import type { Account } from '../../world/tenancy/tenancy.table.ts'
import { createApiError } from '../../errors.ts'
import type { World } from '../world.ts'
import { toFanKey } from '../fans/fans.table.ts'
import type { Subscription } from './subscriptions.table.ts'
import { filterItems, takePage } from '../../lib/iterables.ts'
import type { FactoryContext } from '../define.ts'
import { parseIso } from '../../lib/time.ts'
import type { SeedContext, Rows } from '../seeding.ts'

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

/** An account and one of its fans. */
interface AccountAndFan {
  accountId: number
  fanId: number
}

/**
 * Returns the account and the fan of a new record. If only the fan is given, returns the account to
 * which they subscribe. If no fan is given, returns the only fan of the account that `accepts`
 * allows.
 * @throws {SandboxError} if the account or the fan is ambiguous
 */
export function resolveAccountAndFan(
  context: FactoryContext,
  given: Partial<AccountAndFan>,
  accepts: (subscription: Subscription) => boolean = () => true,
): AccountAndFan {
  const accountId = resolveAccountId(context, given)
  return { accountId, fanId: given.fanId ?? resolveFanId(context, accountId, accepts) }
}

/**
 * Returns the account of a new record. By default, it is the account to which the fan subscribes.
 * @throws {SandboxError} if the account is ambiguous
 */
export function resolveAccountId(context: FactoryContext, given: Partial<AccountAndFan>): number {
  const [first, ...others] =
    given.fanId === undefined
      ? []
      : context.world.db.subscriptions.in('byFanAcrossAccounts', given.fanId).slice(0, 2)
  return context.accountId(given, others.length > 0 ? undefined : first?.accountId)
}

function resolveFanId(
  context: FactoryContext,
  accountId: number,
  accepts: (subscription: Subscription) => boolean,
): number {
  const { subscriptions, fans } = context.world.db
  const ofAccount = subscriptions.in('byAccount', accountId)
  if (ofAccount.size === 0) return context.only('fanId', fans.slice(0, 11), 'fan')
  const some = takePage(filterItems(ofAccount.walk(), accepts), { offset: 0, limit: 11 })
  return context.only(
    'fanId',
    some.map(({ fanId }) => ({ id: fanId })),
    `fan of the account ${accountId}`,
  )
}

/**
 * Creates a function that returns an upper limit for the time of a fan's last activity on an
 * account, epoch ms. The limit is usually the start of the clock. For fans of several accounts, it
 * is an earlier random time, which was chosen before the accounts were seeded.
 */
export function createLatestActivityLookup(
  { now, sharedFans }: Pick<SeedContext, 'now' | 'sharedFans'>,
  { id }: Pick<Account, 'id'>,
): (fanId: number) => number {
  const settled = new Map((sharedFans.get(id) ?? []).map((fan) => [fan.id, parseIso(fan.lastSeen)]))
  return (fanId) => settled.get(fanId) ?? now
}

/**
 * Accounts with at most this many fans count as small. Their creators know all fans: they thank for
 * nearly every tip, and write to all fans at once.
 */
export const mostFansOfSmallAccount = 25

/** True if the account has few fans. */
export function isSmallAccount({ subscriptions }: Pick<Rows, 'subscriptions'>): boolean {
  return subscriptions.length <= mostFansOfSmallAccount
}
