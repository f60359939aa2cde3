import { z } from 'zod'
import { defineTable, descending, orderBy } from '../../data/define-table.ts'

/**
 * A creator who joined through the referral link of an account. `earned` is what they brought it,
 * in dollars.
 */
export const Referral = z.lazy(() =>
  z.object({
    id: z.int(),
    accountId: z.int(),
    userId: z.int(),
    username: z.string(),
    name: z.string(),
    createdAt: z.iso.datetime(),
    earned: z.number().min(0),
  }),
)
export type Referral = Readonly<z.infer<typeof Referral>>

export const referrals = defineTable({
  schema: Referral,
  references: { accountId: 'accounts', userId: ['fans', 'accounts'] },
  firstId: 96_000,
  indexes: {
    byAccount: {
      group: (row) => row.accountId,
      order: orderBy<Referral>(
        descending((row) => row.createdAt),
        descending((row) => row.id),
      ),
    },
  },
})
