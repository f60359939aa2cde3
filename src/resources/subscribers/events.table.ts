import { z } from 'zod'
import { defineTable, compareDescending, combineComparators } from '../../data/define-table.ts'

/**
 * The start or a renewal of a subscription. Each event belongs to one period, which may be free.
 * Derived from the subscriptions.
 */
export const SubscriptionEvent = z.lazy(() =>
  z.object({
    id: z.string(),
    accountId: z.int(),
    subscriptionId: z.int(),
    /** `new` for the first period, `renewal` for all others. */
    kind: z.enum(['new', 'renewal']),
    at: z.string(),
    /** Orders events at the same time. */
    number: z.int(),
  }),
)
export type SubscriptionEvent = Readonly<z.infer<typeof SubscriptionEvent>>

/** The kind of events to count. `total` counts both kinds. */
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
          combineComparators(
            compareDescending((row) => row.number),
            compareDescending((row) => row.subscriptionId),
          ),
        ),
        compareDescending((row) => row.id),
      ),
    },
  },
})

/** Returns an index key for events of one kind on an account, such as `310240117:renewal`. */
export function toEventKey(accountId: number, kind: EventKind): string {
  return `${accountId}:${kind}`
}
