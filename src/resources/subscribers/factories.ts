import { dayMs, parseIso, toIsoTime } from '../../lib/time.ts'
import { SandboxError } from '../../errors.ts'
import { defineFactory } from '../define-factory.ts'
import { findUserMark } from '../users/marks.ts'
import { findSubscription } from './find-subscription.ts'
import { resolveAccountId } from './account-and-fan.ts'
import { findLatestRenewal, periodDays } from './subscriptions.ts'

/**
 * Fills in missing fields of subscriptions. By default, a subscription lasts 30 days and has the
 * account's price. It is marked as expired if it has ended. Does not add a payment.
 */
const subscriptionFactory = defineFactory({
  name: 'subscription',
  table: 'subscriptions',
  after: ['account', 'fan', 'trackingLink', 'trialLink', 'userMark'],
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
    return {
      accountId,
      fanId,
      price,
      subscribedAt: iso,
      expiredAt,
      spans: spans.map((span) => ({ ...span })),
      renewedAt: findLatestRenewal([...spans]),
      isExpired,
      isAutoprolong: !isExpired,
      isBlocked: marks?.blockedAt != null,
      isRestricted: marks?.restrictedAt != null,
      lastActivity: world.db.fans.get(fanId)?.lastSeen ?? iso,
    }
  },
})

export const subscribersFactories = [subscriptionFactory] as const
