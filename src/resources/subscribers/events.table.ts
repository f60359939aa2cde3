import { z } from 'zod'
import { defineTable, descending, orderBy } from '../../engine/store/table.ts'

/** A fan who subscribed, or renewed: the payment of one period of a subscription, free ones included. Kept up to date with the subscriptions. */
export const SubscriptionEvent = z.object({
  id: z.string(),
  accountId: z.int(),
  subscriptionId: z.int(),
  /** `new` for the first period, `renewal` for the others. */
  kind: z.enum(['new', 'renewal']),
  at: z.string(),
})
export type SubscriptionEvent = Readonly<z.infer<typeof SubscriptionEvent>>

/** Which events are wanted; `total` stands for both kinds. */
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

export function eventKey(accountId: number, kind: EventKind): string {
  return `${accountId}:${kind}`
}
