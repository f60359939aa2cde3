import { z } from 'zod'
import { count, size } from '../../api/sizes.ts'
import type { SizesOf } from '../../api/sizes.ts'
import { countClaimers } from '../links/sizes.ts'
import type { LinkData } from '../tracking-links/sizes.ts'
import type { TrialData } from '../trial-links/sizes.ts'
import { PromotionType } from './schemas.ts'

/** A promotion to seed. */
export const PromotionData = z.lazy(() =>
  z.strictObject({
    type: PromotionType.default('all').describe('Whom it is for.'),
    discount: z.int().min(1).max(100).default(50).describe('Percent off; 100 is a free trial.'),
    days: z.int().min(1).max(30).default(30).describe('For how many days the discount holds.'),
    limit: count.max(100).default(0).describe('How many may claim it; 0: any number.'),
    claimers: count.default(0).describe('How many fans came through it.'),
    ended: z.boolean().default(false).describe('Whether its time is over.'),
    message: z
      .string()
      .max(500)
      .optional()
      .describe("What it says. Absent: the persona's next offer."),
  }),
)
export type PromotionData = z.infer<typeof PromotionData>

interface Claimed {
  trackingLinks: readonly LinkData[]
  trialLinks: readonly TrialData[]
  promotions: readonly PromotionData[]
}

/** Which promotions a scenario can ask for. */
export const promotionSizes = {
  promotions: size(
    () =>
      z
        .array(PromotionData)
        .max(1000)
        .describe('Promotions. Their claimers are fans whom no link brought.'),
    [],
    ({ trackingLinks, trialLinks, promotions }: Claimed) =>
      countClaimers([...trackingLinks, ...trialLinks, ...promotions]),
  ),
}
export type PromotionSizes = SizesOf<typeof promotionSizes>
