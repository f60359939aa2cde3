import { z } from 'zod'
import { earningKinds } from './kinds.ts'
import { ascending, defineTable, orderBy } from '../../engine/store/table.ts'

/** What an account earned by one kind on one UTC day, refunds left out; rows without a time are on the day ''. Kept up to date with every transaction. */
export const EarningDay = z.object({
  id: z.string(),
  accountId: z.int(),
  /** `YYYY-MM-DD`, or '' */
  day: z.string(),
  kind: z.enum(earningKinds),
  grossCents: z.int(),
  netCents: z.int(),
  /** What of `netCents` the platform still holds: loading, or about to go back. */
  heldCents: z.int(),
  count: z.int(),
})

export type EarningDay = Readonly<z.infer<typeof EarningDay>>

export const earningDays = defineTable({
  schema: EarningDay,
  derived: 'rebuilt',
  indexes: {
    byAccount: {
      group: (row) => row.accountId,
      order: orderBy<EarningDay>(
        ascending((row) => row.day),
        ascending((row) => row.id),
      ),
    },
  },
})
