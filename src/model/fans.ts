import { z } from 'zod'
import { apiError } from '../errors.ts'
import type { Account } from './organisations.ts'
import { ascending, defineTable, descending, orderBy } from './table.ts'
import { fanKey } from './transactions.ts'
import type { World } from './world.ts'

/** A user of the platform who follows creators. */
export const Fan = z.object({
  id: z.int(),
  name: z.string(),
  username: z.string(),
  avatar: z.string(),
  /** What following this user costs, should they be a creator too. */
  subscribePrice: z.number(),
  lastSeen: z.iso.datetime(),
})
export type Fan = Readonly<z.infer<typeof Fan>>

/** A fan's relation to one account: a subscription, running or lapsed. */
export const Subscription = z.object({
  id: z.int(),
  accountId: z.int(),
  fanId: z.int(),
  price: z.number(),
  subscribedAt: z.iso.datetime(),
  expiredAt: z.iso.datetime(),
  /** The platform's subscriber note. */
  notice: z.string(),
  /** The name that the creator gave the fan on the platform. */
  displayName: z.string(),
  /** The tracking link that they came through. */
  trackingLinkId: z.int().nullable(),
})
export type Subscription = Readonly<z.infer<typeof Subscription>>

const newestFirst = orderBy<Subscription>(
  descending((row) => row.subscribedAt),
  descending((row) => row.id),
)

export const fans = defineTable({ schema: Fan, indexes: {} })
export const subscriptions = defineTable({
  schema: Subscription,
  indexes: {
    byFan: { group: (row) => fanKey(row.accountId, row.fanId), order: ascending((row) => row.id) },
    byAccount: { group: (row) => row.accountId, order: newestFirst },
    byTrackingLink: { group: (row) => row.trackingLinkId, order: newestFirst },
  },
})

/** The fan's relation to the account. @throws {ApiError} fan_unknown when there never was one. */
export function requireSubscription(world: World, account: Account, fanId: number): Subscription {
  const subscription = subscriptionOf(world, account.id, fanId)
  if (subscription === undefined) throw apiError('fan_unknown', { fan_id: fanId, account_id: account.id })
  return subscription
}

/** The fan's relation to the account; undefined when there never was one. */
export function subscriptionOf(world: World, accountId: number, fanId: number): Subscription | undefined {
  return world.db.subscriptions.in('byFan', fanKey(accountId, fanId)).at(0)
}
