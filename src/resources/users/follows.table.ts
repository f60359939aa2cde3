import { z } from 'zod'
import {
  compareAscending,
  defineTable,
  compareDescending,
  combineComparators,
} from '../../data/define-table.ts'
import { recordTime } from '../../data/record-time.ts'
import { toFanKey } from '../fans/fans.table.ts'

/** An account's own subscription to a creator. */
export const Follow = z.lazy(() =>
  z.object({
    id: z.int(),
    accountId: z.int(),
    /** Id of the creator in the table fans. */
    userId: z.int(),
    price: z.number(),
    subscribedAt: recordTime,
    /**
     * End of the initially paid months. If `isAutoprolong` is set, the subscription is then renewed
     * every month.
     */
    expiredAt: recordTime,
    isAutoprolong: z.boolean(),
  }),
)
export type Follow = Readonly<z.infer<typeof Follow>>

export const follows = defineTable({
  schema: Follow,
  references: { accountId: 'accounts', userId: 'fans' },
  firstId: 655_000_000,
  indexes: {
    byAccount: {
      group: (row) => row.accountId,
      order: combineComparators(
        compareDescending((row) => row.subscribedAt),
        compareDescending((row) => row.id),
      ),
    },
    byUser: {
      group: (row) => toFanKey(row.accountId, row.userId),
      order: compareAscending((row) => row.id),
    },
  },
})
