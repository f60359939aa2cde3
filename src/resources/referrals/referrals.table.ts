import { z } from 'zod'
import { lazyObject } from '../../lib/fields.ts'
import { defineTable, compareDescending, recordTime } from '../../data/define-table.ts'
import { count, defineSize } from '../../api/sizes.ts'
import type { SizeValues } from '../../api/sizes.ts'

/**
 * A creator who joined through an account's referral link. `earned` is the account's income from
 * this referral, in dollars.
 */
export const Referral = lazyObject(() => ({
  id: z.int(),
  accountId: z.int(),
  userId: z.int(),
  username: z.string(),
  name: z.string(),
  createdAt: recordTime,
  earned: z.number().min(0),
}))
export type Referral = Readonly<z.infer<typeof Referral>>

export const referrals = defineTable({
  schema: Referral,
  references: { accountId: 'accounts', userId: ['fans', 'accounts'] },
  firstId: 96_000,
  indexes: {
    byAccount: {
      group: (row) => row.accountId,
      order: compareDescending<Referral>(
        (row) => row.createdAt,
        (row) => row.id,
      ),
    },
  },
})

/** Scenario settings for referrals. */
export const referralSizes = {
  referrals: defineSize(
    () =>
      count
        .max(1000)
        .describe(
          "Number of creators who joined through the account's referral link and generate income " +
            'for the account.',
        ),
    0,
  ),
}
export type ReferralSizes = SizeValues<typeof referralSizes>
