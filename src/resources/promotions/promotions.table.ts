import { z } from 'zod'
import { lazyObject, lazyStrictObject } from '../../lib/fields.ts'
import { defineTable, compareDescending, recordTime } from '../../data/define-table.ts'
import { PromotionType } from './schemas.ts'
import { count, defineSize } from '../../api/sizes.ts'
import type { SizeValues } from '../../api/sizes.ts'
import { countClaimers } from '../links/links.table.ts'
import type { LinkData } from '../tracking-links/tracking-links.table.ts'
import type { TrialData } from '../trial-links/trial-links.table.ts'

/** An offer of an account to subscribe at a lower price, or for free. */
export const Promotion = lazyObject(() => ({
  id: z.int(),
  accountId: z.int(),
  type: PromotionType,
  /** Plain text. */
  message: z.string().default(''),
  /** Discount in percent. 100 means a free trial. */
  discount: z.int(),
  /** Price for the promotion period, dollars. */
  price: z.number(),
  subscribeDays: z.int(),
  /** Maximum number of claims. Null if unlimited. */
  subscribeCounts: z.int().nullable().default(null),
  /** True if the promotion was created together with another promotion. */
  hasRelated: z.boolean().default(false),
  createdAt: recordTime,
  /** Expiry time. Null if it never expires. */
  expiresAt: recordTime.nullable().default(null),
}))
export type Promotion = Readonly<z.infer<typeof Promotion>>

/** A fan who subscribed through a promotion. */
const PromotionClaim = lazyObject(() => ({
  id: z.int(),
  promotionId: z.int(),
  accountId: z.int(),
  fanId: z.int(),
  claimedAt: recordTime,
}))
type PromotionClaim = Readonly<z.infer<typeof PromotionClaim>>

export const promotions = defineTable({
  schema: Promotion,
  references: { accountId: 'accounts' },
  firstId: 2_410_000,
  indexes: {
    byAccount: {
      group: (row) => row.accountId,
      order: compareDescending<Promotion>(
        (row) => row.createdAt,
        (row) => row.id,
      ),
    },
  },
})

export const promotionClaims = defineTable({
  schema: PromotionClaim,
  references: { accountId: 'accounts', promotionId: 'promotions', fanId: 'fans' },
  firstId: 5_320_000,
  indexes: {
    byPromotion: {
      group: (row) => row.promotionId,
      order: compareDescending<PromotionClaim>(
        (row) => row.claimedAt,
        (row) => row.id,
      ),
    },
  },
})

/** A promotion to seed. */
const PromotionData = lazyStrictObject(() => ({
  type: PromotionType.default('all').describe('Target group.'),
  discount: z.int().min(1).max(100).default(50).describe('Discount in percent. 100: a free trial.'),
  days: z.int().min(1).max(30).default(30).describe('Duration of the discount in days.'),
  limit: count.max(100).default(0).describe('Maximum number of claims. 0: unlimited.'),
  claimers: count.default(0).describe('Number of claims.'),
  ended: z.boolean().default(false).describe('true: the promotion has expired.'),
  message: z
    .string()
    .max(500)
    .optional()
    .describe("Message of the promotion. Default: the persona's next offer."),
}))
type PromotionData = z.infer<typeof PromotionData>

interface ClaimedSizes {
  trackingLinks: readonly LinkData[]
  trialLinks: readonly TrialData[]
  promotions: readonly PromotionData[]
}

/** Scenario settings for promotions. */
export const promotionSizes = {
  promotions: defineSize(
    () =>
      z
        .array(PromotionData)
        .max(1000)
        .describe('Promotions, claimed by fans who joined without a link.'),
    [],
    ({ trackingLinks, trialLinks, promotions }: ClaimedSizes) =>
      countClaimers([...trackingLinks, ...trialLinks, ...promotions]),
  ),
}
export type PromotionSizes = SizeValues<typeof promotionSizes>
