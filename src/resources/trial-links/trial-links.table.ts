import { z } from 'zod'
import { lazyObject } from '../../lib/fields.ts'
import {
  compareAscending,
  defineTable,
  compareDescending,
  recordTime,
} from '../../data/define-table.ts'
import { createLinkFields, countClaimers, seededLinkFields } from '../links/links.table.ts'
import { count, defineSize } from '../../api/sizes.ts'
import type { SizeValues } from '../../api/sizes.ts'
import type { LinkData } from '../tracking-links/tracking-links.table.ts'

/** A link of an account that offers a free trial. */
export const TrialLink = lazyObject(() => ({
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
}))
export type TrialLink = Readonly<z.infer<typeof TrialLink>>

export const trialLinks = defineTable({
  schema: TrialLink,
  references: { accountId: 'accounts', tags: 'tags' },
  firstId: 1_730_000,
  indexes: {
    byAccount: {
      group: (link) => link.accountId,
      order: compareDescending(
        (link) => link.createdAt,
        (link) => link.id,
      ),
    },
    byTag: { group: (link) => link.tags, order: compareAscending((link) => link.id) },
    expiring: {
      group: (link) => (link.finishedAt === null && link.expiredAt !== null ? 'all' : null),
      order: compareAscending(
        (link) => link.expiredAt ?? '',
        (link) => link.id,
      ),
    },
  },
})

/** A trial link to seed. */
export const TrialData = z.lazy(() =>
  z
    .strictObject({
      name: z
        .string()
        .max(200)
        .optional()
        .describe("The name of the trial. Default: the next name in the persona's list."),
      claimers: count.default(0).describe('Number of claims.'),
      days: z.int().min(1).max(365).default(30).describe('Duration of the trial in days.'),
      limit: count.default(0).describe('Maximum number of claims. 0: unlimited.'),
      ended: z
        .enum(['expired', 'claimed', 'finished'])
        .optional()
        .describe(
          'Reason why the link accepts no more claims: the link expired, reached its limit, or ' +
            'was finished manually.',
        ),
      hidden: z.boolean().default(false).describe("true: hidden from the service's list."),
      ...seededLinkFields,
    })
    .refine(({ ended, claimers }) => ended !== 'claimed' || claimers > 0, {
      path: ['claimers'],
      error: 'a trial link that reached its limit must have claimers',
    }),
)
export type TrialData = z.infer<typeof TrialData>

/** Scenario settings for trial links. */
export const trialLinkSizes = {
  trialLinks: defineSize(
    () =>
      z
        .array(TrialData)
        .max(10_000)
        .describe('Trial links, claimed by fans who joined without a tracking link.'),
    [],
    ({
      trackingLinks,
      trialLinks,
    }: {
      trackingLinks: readonly LinkData[]
      trialLinks: readonly TrialData[]
    }) => countClaimers([...trackingLinks, ...trialLinks]),
  ),
}
export type TrialLinkSizes = SizeValues<typeof trialLinkSizes>
