import { z } from 'zod'
import { lazyObject } from '../../lib/fields.ts'
import {
  compareAscending,
  defineTable,
  compareDescending,
  recordTime,
} from '../../data/define-table.ts'
import { toFanKey } from '../fans/fans.table.ts'
import { count, defineSize } from '../../api/sizes.ts'
import type { SizeValues } from '../../api/sizes.ts'

/**
 * A part of a subscription without pauses and with a single price. It consists of periods of 30
 * days, each paid at its start.
 */
const SubscriptionSpan = lazyObject(() => ({
  from: recordTime,
  until: recordTime,
  price: z.number(),
  /**
   * Price without a discount. Set only if it is not the account's current monthly price, for
   * example before a price rise.
   */
  regularPrice: z.number().optional(),
  /**
   * Payment time. Set only if the span is a single period that was paid or granted in advance, or
   * that is longer than 30 days.
   */
  paidAt: recordTime.optional(),
  /** Orders renewals that were paid at the same time. Absent: 0. */
  number: z.int().optional(),
}))

/** A fan's active or expired subscription to one account. */
export const Subscription = lazyObject(() => ({
  id: z.int(),
  accountId: z.int(),
  fanId: z.int(),
  price: z.number(),
  subscribedAt: recordTime,
  expiredAt: recordTime,
  /** The creator's note about the subscriber, as shown on the platform. */
  notice: z.string().default(''),
  /** The display name that the creator has given the fan on the platform. */
  displayName: z.string().default(''),
  /** Id of the tracking link through which the fan joined, if any. */
  trackingLinkId: z.int().nullable().default(null),
  /** Id of the trial link through which the fan joined, if any. */
  trialLinkId: z.int().nullable().default(null),
  /**
   * The history, oldest span first. The first span begins at `subscribedAt`, and the last one
   * ends at `expiredAt`.
   */
  spans: z.array(SubscriptionSpan).min(1),
  /** Payment time of the latest renewal. Null if there is no renewal. */
  renewedAt: recordTime.nullable().default(null),
  /** True if the subscription has expired. */
  isExpired: z.boolean().default(false),
  /** True if automatic renewal is on. */
  isAutoprolong: z.boolean().default(false),
  /** Derived from the table userMarks. */
  isBlocked: z.boolean().default(false),
  /** Derived from the table userMarks. */
  isRestricted: z.boolean().default(false),
  /** True if the fan deleted their profile. Absent: false. Derived from the table fans. */
  isDeleted: z.boolean().optional(),
  /** Last activity of the fan. Derived from the table fans. */
  lastActivity: recordTime,
  /** Orders fans of an account with the same last activity. Absent: 0. */
  activityNumber: z.int().optional(),
}))
export type Subscription = Readonly<z.infer<typeof Subscription>>

/** True if lists of subscribers contain the fan, who is neither blocked nor deleted. */
export function isListed({ isBlocked, isDeleted }: Subscription): boolean {
  return !isBlocked && isDeleted !== true
}

const newestFirst = compareDescending<Subscription>(
  (row) => row.subscribedAt,
  (row) => row.id,
)

/**
 * Creates an index of an account's active or expired subscriptions, excluding blocked and deleted
 * fans, sorted by a field, latest first. `number` orders rows with the same value.
 */
const byState = (
  field: (row: Subscription) => string,
  number: (row: Subscription) => number = () => 0,
) => ({
  group: (row: Subscription) =>
    isListed(row) ? toStateKey(row.accountId, row.isExpired ? 'expired' : 'active') : null,
  order: compareDescending<Subscription>(field, number, (row) => row.id),
})

export const subscriptions = defineTable({
  schema: Subscription,
  references: {
    accountId: 'accounts',
    fanId: 'fans',
    trackingLinkId: 'trackingLinks',
    trialLinkId: 'trialLinks',
  },
  firstId: 640_000_000,
  indexes: {
    byFan: {
      group: (row) => toFanKey(row.accountId, row.fanId),
      order: compareAscending((row) => row.id),
    },
    byAccount: { group: (row) => row.accountId, order: newestFirst },
    byTrackingLink: { group: (row) => row.trackingLinkId, order: newestFirst },
    byTrialLink: { group: (row) => row.trialLinkId, order: newestFirst },
    byLinkKind: { group: getLinkKindKeys, order: newestFirst },
    byFanAcrossAccounts: { group: (row) => row.fanId, order: compareAscending((row) => row.id) },
    byActivity: byState(
      (row) => row.lastActivity,
      (row) => row.activityNumber ?? 0,
    ),
    byExpiry: byState((row) => row.expiredAt),
    byStart: byState((row) => row.subscribedAt),
    listed: { group: (row) => (isListed(row) ? row.accountId : null), order: newestFirst },
    noted: { group: (row) => (row.notice === '' ? null : row.accountId), order: newestFirst },
    running: {
      group: (row) => (row.isExpired ? null : 'all'),
      order: compareAscending(
        (row) => row.expiredAt,
        (row) => row.id,
      ),
    },
  },
})

/**
 * Returns an index key for the active or the expired subscriptions to an account, such as
 * `310240117:active`.
 */
export function toStateKey(accountId: number, state: 'active' | 'expired'): string {
  return `${accountId}:${state}`
}

/**
 * Returns the keys of a subscription in the index `byLinkKind`, such as `trial:310240117`. There is
 * one for each kind of link through which the fan joined.
 */
function getLinkKindKeys({ accountId, trackingLinkId, trialLinkId }: Subscription): string[] {
  return [
    ...(trackingLinkId === null ? [] : [`tracking:${accountId}`]),
    ...(trialLinkId === null ? [] : [`trial:${accountId}`]),
  ]
}

/**
 * The start or a renewal of a subscription. Each event belongs to one period, which may be free.
 * Derived from the subscriptions.
 */
export const SubscriptionEvent = lazyObject(() => ({
  id: z.string(),
  accountId: z.int(),
  subscriptionId: z.int(),
  /** `new` for the first period, `renewal` for all others. */
  kind: z.enum(['new', 'renewal']),
  at: z.string(),
  /** Orders events at the same time. */
  number: z.int(),
}))
export type SubscriptionEvent = Readonly<z.infer<typeof SubscriptionEvent>>

/** The kind of events to count. `total` counts both kinds. */
export type EventKind = SubscriptionEvent['kind'] | 'total'

export const subscriptionEvents = defineTable({
  schema: SubscriptionEvent,
  derived: 'rebuilt',
  indexes: {
    newestFirst: {
      group: ({ accountId, kind }) => [toEventKey(accountId, kind), toEventKey(accountId, 'total')],
      order: compareDescending<SubscriptionEvent>(
        (row) => row.at,
        (row) => row.number,
        (row) => row.subscriptionId,
        (row) => row.id,
      ),
    },
  },
})

/** Returns an index key for events of one kind on an account, such as `310240117:renewal`. */
export function toEventKey(accountId: number, kind: EventKind): string {
  return `${accountId}:${kind}`
}

/** Scenario settings for fans. */
export const subscriberSizes = {
  fans: defineSize(() => count.describe('Number of fans, subscribed or lapsed.'), 0),
  deletedFans: defineSize(
    () =>
      count.describe(
        'Maximum number of lapsed fans who deleted their profile after they paid, chatted and ' +
          'commented.',
      ),
    0,
  ),
}
export type SubscriberSizes = SizeValues<typeof subscriberSizes>
