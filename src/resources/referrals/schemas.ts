import { z } from 'zod'
import { markAsInferred, platformTime } from '../../lib/fields.ts'

/** A creator who joined through the account's referral link. Dollars. */
export const ReferralItem = z.lazy(() =>
  markAsInferred(
    z.object({
      user: z.object({ id: z.int(), username: z.string(), name: z.string() }),
      createdAt: platformTime,
      earned: z.number().describe("The account's income from this referred creator."),
    }),
  ),
)

/** A page of referrals. */
export const ReferralPage = z.lazy(() =>
  markAsInferred(z.object({ list: z.array(ReferralItem), hasMore: z.boolean() })),
)

/** Income from all referrals. Dollars. */
export const ReferralSummary = z.lazy(() =>
  markAsInferred(
    z.object({
      url: z.url(),
      total_referrals: z.int(),
      total_earned: z.number(),
      currency: z.string(),
    }),
  ),
)
