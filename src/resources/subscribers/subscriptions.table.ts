import { z } from 'zod'
import { ascending, defineTable, descending, orderBy } from '../../data/define-table.ts'
import { fanKey } from '../fans/fans.table.ts'

/**
 * A part of a subscription without a gap, at one price. Every 30 days a period begins, and is paid
 * then.
 */
const SubscriptionSpan = z.lazy(() =>
  z.object({
    from: z.iso.datetime(),
    until: z.iso.datetime(),
    price: z.number(),
    /**
     * Set when the span is one single period, paid or granted ahead of its time or for more than 30
     * days: when that was.
     */
    paidAt: z.iso.datetime().optional(),
  }),
)

/** A fan's subscription to one account, running or lapsed. */
export const Subscription = z.lazy(() =>
  z.object({
    id: z.int(),
    accountId: z.int(),
    fanId: z.int(),
    price: z.number(),
    subscribedAt: z.iso.datetime(),
    expiredAt: z.iso.datetime(),
    /** The platform's subscriber note. */
    notice: z.string().default(''),
    /** The name that the creator gave the fan on the platform. */
    displayName: z.string().default(''),
    /** The tracking link that they came through. */
    trackingLinkId: z.int().nullable().default(null),
    /** The trial link that they came through. */
    trialLinkId: z.int().nullable().default(null),
    /**
     * The history, oldest first: the first span begins at `subscribedAt`, the last one ends at
     * `expiredAt`.
     */
    spans: z.array(SubscriptionSpan).min(1),
    /** When the latest period was paid; null when it is the first. */
    renewedAt: z.iso.datetime().nullable().default(null),
    /** Whether it ran out. The clock sets it. */
    isExpired: z.boolean().default(false),
    /** Whether the fan has renewal on. */
    isAutoprolong: z.boolean().default(false),
    /** Follows the table userMarks. */
    isBlocked: z.boolean().default(false),
    /** Follows the table userMarks. */
    isRestricted: z.boolean().default(false),
    /** When the fan was last seen. Follows the table fans. */
    lastActivity: z.iso.datetime(),
  }),
)
export type Subscription = Readonly<z.infer<typeof Subscription>>

const newestFirst = orderBy<Subscription>(
  descending((row) => row.subscribedAt),
  descending((row) => row.id),
)

/**
 * The index of an account's running or lapsed subscriptions, latest of the field first. Blocked
 * fans are in neither group.
 */
const byState = (field: (row: Subscription) => string) => ({
  group: (row: Subscription) =>
    row.isBlocked ? null : stateKey(row.accountId, row.isExpired ? 'expired' : 'active'),
  order: orderBy<Subscription>(
    descending(field),
    descending((row) => row.id),
  ),
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
    byFan: { group: (row) => fanKey(row.accountId, row.fanId), order: ascending((row) => row.id) },
    byAccount: { group: (row) => row.accountId, order: newestFirst },
    byTrackingLink: { group: (row) => row.trackingLinkId, order: newestFirst },
    byTrialLink: { group: (row) => row.trialLinkId, order: newestFirst },
    byLinkKind: { group: linkKindKeys, order: newestFirst },
    ofFan: { group: (row) => row.fanId, order: ascending((row) => row.id) },
    byActivity: byState((row) => row.lastActivity),
    byExpiry: byState((row) => row.expiredAt),
    byStart: byState((row) => row.subscribedAt),
    listed: { group: (row) => (row.isBlocked ? null : row.accountId), order: newestFirst },
    noted: { group: (row) => (row.notice === '' ? null : row.accountId), order: newestFirst },
    running: {
      group: (row) => (row.isExpired ? null : 'all'),
      order: orderBy(
        ascending((row) => row.expiredAt),
        ascending((row) => row.id),
      ),
    },
  },
})

/** The group of an account's running or lapsed subscriptions, such as `310240117:active`. */
export function stateKey(accountId: number, state: 'active' | 'expired'): string {
  return `${accountId}:${state}`
}

/**
 * The groups of a subscription in the index `byLinkKind`, such as `trial:310240117`: one for each
 * kind of link that brought the fan.
 */
function linkKindKeys({ accountId, trackingLinkId, trialLinkId }: Subscription): string[] {
  return [
    ...(trackingLinkId === null ? [] : [`tracking:${accountId}`]),
    ...(trialLinkId === null ? [] : [`trial:${accountId}`]),
  ]
}
