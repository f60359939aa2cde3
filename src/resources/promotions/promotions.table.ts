import { z } from 'zod'
import { defineTable, compareDescending, combineComparators } from '../../data/define-table.ts'
import { recordTime } from '../../data/record-time.ts'
import { PromotionType } from './schemas.ts'

/** An offer of an account to subscribe at a lower price, or for free. */
export const Promotion = z.lazy(() =>
  z.object({
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
  }),
)
export type Promotion = Readonly<z.infer<typeof Promotion>>

/** A fan who subscribed through a promotion. */
export const PromotionClaim = z.lazy(() =>
  z.object({
    id: z.int(),
    promotionId: z.int(),
    accountId: z.int(),
    fanId: z.int(),
    claimedAt: recordTime,
  }),
)
export type PromotionClaim = Readonly<z.infer<typeof PromotionClaim>>

export const promotions = defineTable({
  schema: Promotion,
  references: { accountId: 'accounts' },
  firstId: 2_410_000,
  indexes: {
    byAccount: {
      group: (row) => row.accountId,
      order: combineComparators<Promotion>(
        compareDescending((row) => row.createdAt),
        compareDescending((row) => row.id),
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
      order: combineComparators<PromotionClaim>(
        compareDescending((row) => row.claimedAt),
        compareDescending((row) => row.id),
      ),
    },
  },
})
