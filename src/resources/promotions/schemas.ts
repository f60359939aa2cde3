import { z } from 'zod'
import { markAsInferred, instant, platformTime, lazyInferredObject } from '../../lib/fields.ts'
import { SubscribedOnData } from '../users/schemas.ts'

/** Target group of a promotion. */
export const PromotionType = z.enum(['all', 'new', 'expired'])

/** An offer to subscribe at a lower price, or for free. */
export const PromotionItem = lazyInferredObject(() => ({
  id: z.int(),
  message: z.string().describe('HTML.'),
  rawMessage: z.string(),
  hasRelatedPromo: z
    .boolean()
    .describe('True if the promotion was created together with another one.'),
  price: z
    .number()
    .describe('Price for the whole promotional period, in dollars. 0 for a free trial.'),
  type: PromotionType.describe('Target group. The platform may support other types.'),
  canClaim: z.boolean().describe('True if fans can claim the promotion.'),
  claimsCount: z.int(),
  subscribeCounts: z.int().nullable().describe('Maximum number of claims. Null: unlimited.'),
  subscribeDays: z.int(),
  createdAt: platformTime,
  finishedAt: platformTime.nullable().describe('End time, past or future. Null if unknown.'),
  isFinished: z.boolean(),
}))

/** A page of promotions. */
export const PromotionPage = lazyInferredObject(() => ({
  hasMore: z.boolean(),
  items: z.array(PromotionItem),
}))

/** A fan who subscribed through a promotion. */
export const PromotionSubscriber = lazyInferredObject(() => ({
  id: z.int(),
  username: z.string(),
  name: z.string(),
  view: z.string(),
  subscribedBy: z.boolean().describe('True if the account follows the fan.'),
  subscribedByExpireDate: platformTime.nullable(),
  subscribedOnDuration: z.string(),
  subscribedOnData: SubscribedOnData.nullable(),
  promoOffers: z
    .array(z.never())
    .describe('Always empty, because the shape of its items is unknown.'),
}))

/** A page of the fans who subscribed through a promotion. */
export const PromotionSubscriberPage = lazyInferredObject(() => ({
  hasMore: z.boolean(),
  list: z.array(PromotionSubscriber),
}))

/** A trial link in the combined list of promotions and trial links. */
export const OfferedTrial = lazyInferredObject(() => ({
  id: z.int(),
  url: z.string(),
  trialLinkName: z.string(),
  subscribeDays: z.int(),
  subscribeCounts: z.int().describe('Maximum number of claims. 0: unlimited.'),
  claimCounts: z.int(),
  createdAt: instant,
  expiredAt: instant.nullable(),
  isFinished: z.boolean(),
}))

/** A page of promotions and trial links. Each item has one of the two keys. */
export const OfferPage = lazyInferredObject(() => ({
  items: z.array(z.union([z.object({ promo: PromotionItem }), z.object({ trial: OfferedTrial })])),
  hasMore: z.boolean(),
}))

/** The request body for creating promotions. */
export const NewPromotionBody = lazyInferredObject(() => ({
  type: z
    .enum(['new', 'expired', 'new_and_expired'])
    .describe('Target group. new_and_expired creates two promotions.'),
  discount: z.int().min(1).max(100).describe('Discount in percent. 100: a free trial.'),
  freeTrialDays: z
    .int()
    .min(1)
    .max(30)
    .optional()
    .describe(
      'Duration of the free trial in days. Required with a discount of 100, and ' +
        'otherwise not allowed.',
    ),
  subscribeCounts: z.int().min(0).max(100).describe('Maximum number of claims. 0: unlimited.'),
  subscribeDays: z.int().min(1).max(30).describe('Duration of the discount in days.'),
  finishDays: z.int().min(0).max(30).describe('Days until the promotion expires. 0: never.'),
  message: z.string().max(500).default('').describe('Plain text.'),
}))

/** The created promotions. */
export const CreatedPromotions = z.lazy(() => markAsInferred(z.array(PromotionItem)))
