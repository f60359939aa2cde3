import { z } from 'zod'
import { defineTable, compareDescending, combineComparators } from '../../data/define-table.ts'

/**
 * The start or renewal of a subscription, which may be free. Each event is the payment for one
 * period. Derived from the subscriptions.
 */
export const SubscriptionEvent = z.lazy(() =>
  z.object({
    id: z.string(),
    accountId: z.int(),
    subscriptionId: z.int(),
    /** `new` for the first period, `renewal` for all others. */
    kind: z.enum(['new', 'renewal']),
    at: z.string(),
  }),
)
export type SubscriptionEvent = Readonly<z.infer<typeof SubscriptionEvent>>

/** The kind of events to count. `total` means both kinds. */
export type EventKind = SubscriptionEvent['kind'] | 'total'

export const subscriptionEvents = defineTable({
  schema: SubscriptionEvent,
  derived: 'rebuilt',
  indexes: {
    newestFirst: {
      group: ({ accountId, kind }) => [toEventKey(accountId, kind), toEventKey(accountId, 'total')],
      order: combineComparators<SubscriptionEvent>(
        combineComparators(
          compareDescending((row) => row.at),
          compareDescending((row) => row.subscriptionId),
        ),
        compareDescending((row) => row.id),
      ),
    },
  },
})

/** Returns the index key for an account's events of one kind, such as `310240117:renewal`. */
export function toEventKey(accountId: number, kind: EventKind): string {
  return `${accountId}:${kind}`
}
