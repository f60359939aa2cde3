import { z } from 'zod'
import { defineTable } from '../../data/define-table.ts'

/** What the custom lists of a vault can be sorted by. */
export const listSorts = ['media', 'recent', 'name', 'default', 'custom'] as const

/**
 * How the lists of a vault are sorted. The id is the account's. An account without a row has the
 * default order.
 */
export const VaultListOrder = z.lazy(() =>
  z.object({
    id: z.int(),
    sort: z.enum(listSorts),
    /** Null with `custom`, which has no direction. */
    order: z.enum(['asc', 'desc']).nullable(),
    customOrder: z.array(z.int()),
  }),
)
export type VaultListOrder = Readonly<z.infer<typeof VaultListOrder>>

export const vaultListOrders = defineTable({
  schema: VaultListOrder,
  references: { id: 'accounts' },
  indexes: {},
})
