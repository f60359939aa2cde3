import { z } from 'zod'
import { lazyObject } from '../../lib/fields.ts'
import {
  compareAscending,
  defineTable,
  compareDescending,
  recordTime,
} from '../../data/define-table.ts'
import { PayoutFrequency, PayoutState, payoutSystems } from './schemas.ts'
import { count, defineSize } from '../../api/sizes.ts'
import type { SizeValues } from '../../api/sizes.ts'

/** A payout of an account, either requested manually or scheduled. Dollars. */
export const Payout = lazyObject(() => ({
  id: z.int(),
  accountId: z.int(),
  invoiceId: z.string(),
  createdAt: recordTime,
  /** Cursor of the list: `createdAt` in epoch seconds, or the next free second of the account. */
  second: z.int(),
  amount: z.number().positive(),
  currency: z.string(),
  state: PayoutState,
  rejectReason: z.string().nullable().default(null),
  /** Time of the next state transition. Null if the state is final. */
  dueAt: recordTime.nullable().default(null),
}))
export type Payout = Readonly<z.infer<typeof Payout>>

/** Payout settings of an account. The id is the id of the account. */
export const PayoutSettings = lazyObject(() => ({
  id: z.int(),
  frequency: PayoutFrequency,
  /** Code of the selected payout system. Null if none is selected. */
  system: z.string().nullable().default(payoutSystems[0].code),
  /** Time of the next scheduled payout. Null if payouts are manual. */
  nextAt: recordTime.nullable().default(null),
}))
export type PayoutSettings = Readonly<z.infer<typeof PayoutSettings>>

const invoices = {
  schema: Payout,
  epochSeconds: ['second'] as const,
  references: { accountId: 'accounts' },
  indexes: {
    byAccount: {
      group: (row: Payout) => row.accountId,
      order: compareDescending<Payout>(
        (row) => row.second,
        (row) => row.id,
      ),
    },
    due: {
      group: ({ state, dueAt }: Payout) =>
        dueAt !== null && (state === 'pending' || state === 'approved') ? 'all' : null,
      order: compareAscending<Payout>(
        (row) => row.dueAt ?? '',
        (row) => row.id,
      ),
    },
  },
}

export const payouts = defineTable({ ...invoices, firstId: 7_120_000 })

/** The payouts of an account for its referrals. */
export const referralPayouts = defineTable({ ...invoices, firstId: 9_450_000 })

export const payoutSettings = defineTable({
  schema: PayoutSettings,
  references: { id: 'accounts' },
  indexes: {
    due: {
      group: (row) => (row.nextAt === null ? null : 'all'),
      order: compareAscending<PayoutSettings>(
        (row) => row.nextAt ?? '',
        (row) => row.id,
      ),
    },
  },
})

/** Scenario settings for payouts. */
export const payoutSizes = {
  payouts: defineSize(
    () =>
      count
        .max(1000)
        .describe(
          'Number of payouts in the last two years. The sum of the payouts never exceeds ' +
            'the earnings until then. A payout below the minimum is rejected.',
        ),
    0,
  ),
}
export type PayoutSizes = SizeValues<typeof payoutSizes>
