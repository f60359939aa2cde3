import { z } from 'zod'
import { defineTable, descending, orderBy } from '../../data/define-table.ts'

/**
 * A new subscription or a renewal, including free ones. Each is the payment of one period. Derived
 * from the subscriptions.
 */
export const SubscriptionEvent = z.lazy(() =>
  z.object({
    id: z.string(),
    accountId: z.int(),
    subscriptionId: z.int(),
    /** `new` for the first period, `renewal` for the others. */
    kind: z.enum(['new', 'renewal']),
    at: z.string(),
  }),
)
export type SubscriptionEvent = Readonly<z.infer<typeof SubscriptionEvent>>

/** Kind of events to count. `total` counts both kinds. */
export type EventKind = SubscriptionEvent['kind'] | 'total'

export const subscriptionEvents = defineTable({
  schema: SubscriptionEvent,
  derived: 'rebuilt',
  indexes: {
    newestFirst: {
      group: ({ accountId, kind }) => [eventKey(accountId, kind), eventKey(accountId, 'total')],
      order: orderBy<SubscriptionEvent>(
        orderBy(
          descending((row) => row.at),
          descending((row) => row.subscriptionId),
        ),
        descending((row) => row.id),
      ),
    },
  },
})

/** Returns the index key of an account's events of that kind, such as `310240117:renewal`. */
export function eventKey(accountId: number, kind: EventKind): string {
  return `${accountId}:${kind}`
}
