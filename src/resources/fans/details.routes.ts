import { z } from 'zod'
import { pathId } from '../../lib/fields.ts'
import { toPlatformTime } from '../../lib/time.ts'
import { defineRoute } from '../define.ts'
import type { World } from '../world.ts'
import { requireSubscription } from '../subscribers/find-subscription.ts'
import { SubscriptionHistory } from '../subscribers/schemas.ts'
import type { Subscription } from '../subscribers/subscriptions.table.ts'
import { listPeriods } from '../subscribers/subscriptions.ts'
import { UserObject } from '../users/schemas.ts'
import { serialiseUser } from '../users/users.ts'

const userParams = () => z.object({ user_id: pathId })

const readFan = defineRoute({
  method: 'GET',
  path: '/v1/:account_id/fans/:user_id',
  group: 'Fans',
  permission: 'api_fans_read',
  kind: 'relay',
  source: 'inferred',
  evidence: 'named in reference §4 Fans; path and shape by analogy',
  summary: 'Read the details of a fan',
  errors: ['user_unknown'],
  rules: [
    'For a user who never subscribed to the account, subscribedOn is false and ' +
      'subscribedOnData is null. The user can also be another account. An unknown id returns ' +
      '404.',
  ],
  params: userParams,
  data: UserObject,
  handle: ({ world, account, params }) => serialiseUser(world, account.id, params.user_id),
})

const readHistory = defineRoute({
  method: 'GET',
  path: '/v1/:account_id/subscriptions/:user_id/history',
  group: 'Subscriptions',
  permission: 'api_subscriptions_read_history',
  kind: 'relay',
  source: 'inferred',
  evidence: 'sibling services',
  summary: "List the periods of a fan's subscription",
  errors: ['fan_unknown'],
  rules: [
    'Newest first. The oldest period begins with the subscription, and the newest ends at ' +
      'expiredAt. The response contains all periods, so hasMore is false.',
    'If a prepaid period was cancelled before it started, its start and its end are both set ' +
      'to the end of the subscription.',
    'Returns 404 if the user is not a fan of the account.',
  ],
  params: userParams,
  data: SubscriptionHistory,
  handle({ world, account, params }) {
    return world.json(toHistory, requireSubscription(world, account, params.user_id))
  },
})

function toHistory(_world: World, subscription: Subscription): z.input<typeof SubscriptionHistory> {
  const list = listPeriods(subscription).map(({ from, until, price }) => ({
    subscribeDate: toPlatformTime(from),
    expireDate: toPlatformTime(until),
    price,
  }))
  return { list, hasMore: false }
}

export const fanDetailRoutes = [readFan, readHistory]
