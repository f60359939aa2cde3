import { z } from 'zod'
import { inferred, instant, platformTime } from '../../lib/fields.ts'
import { SubscribedOnData } from '../users/schemas.ts'

/** Whom a promotion is for. */
export const PromotionType = z.enum(['all', 'new', 'expired'])

/** An offer to subscribe at a lower price, or for free. */
export const PromotionItem = z.lazy(() =>
  inferred(
    z.object({
      id: z.int(),
      message: z.string().describe('HTML.'),
      rawMessage: z.string(),
      hasRelatedPromo: z.boolean().describe('Whether it was made together with another one.'),
      price: z.number().describe('Dollars for its days; 0 for a free trial.'),
      type: PromotionType.describe('Whom it is for. The platform may have more types.'),
      canClaim: z.boolean().describe('Whether it takes claims.'),
      claimsCount: z.int(),
      subscribeCounts: z.int().nullable().describe('How many may claim it; null: any number.'),
      subscribeDays: z.int(),
      createdAt: platformTime,
      finishedAt: platformTime
        .nullable()
        .describe('When it finished or will; null while that is open.'),
      isFinished: z.boolean(),
    }),
  ),
)

/** A page of promotions. */
export const PromotionPage = z.lazy(() =>
  inferred(z.object({ hasMore: z.boolean(), items: z.array(PromotionItem) })),
)

/** A fan who subscribed through a promotion. */
export const PromotionSubscriber = z.lazy(() =>
  inferred(
    z.object({
      id: z.int(),
      username: z.string(),
      name: z.string(),
      view: z.string(),
      subscribedBy: z.boolean().describe('Whether the account follows them.'),
      subscribedByExpireDate: platformTime.nullable(),
      subscribedOnDuration: z.string(),
      subscribedOnData: SubscribedOnData.nullable(),
      promoOffers: z.array(z.never()).describe('What stands in it is not known: always empty.'),
    }),
  ),
)

/** A page of the fans who subscribed through a promotion. */
export const PromotionSubscriberPage = z.lazy(() =>
  inferred(z.object({ hasMore: z.boolean(), list: z.array(PromotionSubscriber) })),
)

/** A trial link beside promotions. */
export const OfferedTrial = z.lazy(() =>
  inferred(
    z.object({
      id: z.int(),
      url: z.string(),
      trialLinkName: z.string(),
      subscribeDays: z.int(),
      subscribeCounts: z.int().describe('How many may claim it; 0: any number.'),
      claimCounts: z.int(),
      createdAt: instant,
      expiredAt: instant.nullable(),
      isFinished: z.boolean(),
    }),
  ),
)

/** A page of promotions and trial links. Each item has one of the two keys. */
export const OfferPage = z.lazy(() =>
  inferred(
    z.object({
      items: z.array(
        z.union([z.object({ promo: PromotionItem }), z.object({ trial: OfferedTrial })]),
      ),
      hasMore: z.boolean(),
    }),
  ),
)

/** The body of a new promotion. */
export const NewPromotionBody = z.lazy(() =>
  inferred(
    z.object({
      type: z
        .enum(['new', 'expired', 'new_and_expired'])
        .describe('Whom it is for; new_and_expired makes two promotions.'),
      discount: z.int().min(1).max(100).describe('Percent off; 100 is a free trial.'),
      freeTrialDays: z
        .int()
        .min(1)
        .max(30)
        .optional()
        .describe('How long the free trial lasts: needed with a discount of 100, and only then.'),
      subscribeCounts: z.int().min(0).max(100).describe('How many may claim it; 0: any number.'),
      subscribeDays: z.int().min(1).max(30).describe('For how many days the discount holds.'),
      finishDays: z
        .int()
        .min(0)
        .max(30)
        .describe('For how many days it takes claims; 0: without end.'),
      message: z.string().max(500).default('').describe('Plain text.'),
    }),
  ),
)

/** The promotions that were made. */
export const CreatedPromotions = z.lazy(() => inferred(z.array(PromotionItem)))
