import { z } from 'zod'
import { count, defineSize } from '../../api/sizes.ts'
import type { SizeValues } from '../../api/sizes.ts'
import { countClaimers } from '../links/sizes.ts'
import type { LinkData } from '../tracking-links/sizes.ts'
import type { TrialData } from '../trial-links/sizes.ts'
import { PromotionType } from './schemas.ts'

/** A promotion to seed. */
export const PromotionData = z.lazy(() =>
  z.strictObject({
    type: PromotionType.default('all').describe('Target group.'),
    discount: z
      .int()
      .min(1)
      .max(100)
      .default(50)
      .describe('Discount in percent. 100: a free trial.'),
    days: z.int().min(1).max(30).default(30).describe('Duration of the discount in days.'),
    limit: count.max(100).default(0).describe('Maximum number of claims. 0: unlimited.'),
    claimers: count.default(0).describe('Number of claims.'),
    ended: z.boolean().default(false).describe('true: the promotion has expired.'),
    message: z
      .string()
      .max(500)
      .optional()
      .describe("Message of the promotion. Default: the persona's next offer."),
  }),
)
export type PromotionData = z.infer<typeof PromotionData>

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
