import { z } from 'zod'
import { defineTable } from '../../data/define-table.ts'

/** Sort orders of custom vault lists. */
export const listSorts = ['media', 'recent', 'name', 'default', 'custom'] as const

/**
 * Sort order of an account's vault lists. The id is the id of the account. Without a row, the
 * default order applies.
 */
export const VaultListOrder = z.lazy(() =>
  z.object({
    id: z.int(),
    sort: z.enum(listSorts),
    /** Sort direction. Null if `sort` is `custom`. */
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
