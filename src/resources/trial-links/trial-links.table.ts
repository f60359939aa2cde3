import { z } from 'zod'
import {
  compareAscending,
  defineTable,
  compareDescending,
  combineComparators,
} from '../../data/define-table.ts'
import { recordTime } from '../../data/record-time.ts'
import { createLinkFields } from '../links/links.table.ts'

/** A link of an account that offers a free trial. */
export const TrialLink = z.lazy(() =>
  z.object({
    ...createLinkFields(),
    kind: z.literal('trial'),
    trialLinkName: z.string(),
    url: z.string(),
    /** Duration of the trial, days. */
    subscribeDays: z.int(),
    /** Maximum number of claims. 0 if unlimited. */
    subscribeCounts: z.int().default(0),
    clicksCounts: z.int().default(0),
    /** Expiry time. Null if it never expires. */
    expiredAt: recordTime.nullable().default(null),
    /**
     * Time when the link was finished: manually, by the clock, or because it reached its claim
     * limit.
     */
    finishedAt: recordTime.nullable().default(null),
  }),
)
export type TrialLink = Readonly<z.infer<typeof TrialLink>>

export const trialLinks = defineTable({
  schema: TrialLink,
  references: { accountId: 'accounts', tags: 'tags' },
  firstId: 1_730_000,
  indexes: {
    byAccount: {
      group: (link) => link.accountId,
      order: combineComparators(
        compareDescending((link) => link.createdAt),
        compareDescending((link) => link.id),
      ),
    },
    byTag: { group: (link) => link.tags, order: compareAscending((link) => link.id) },
    expiring: {
      group: (link) => (link.finishedAt === null && link.expiredAt !== null ? 'all' : null),
      order: combineComparators(
        compareAscending((link) => link.expiredAt ?? ''),
        compareAscending((link) => link.id),
      ),
    },
  },
})
