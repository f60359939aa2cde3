import { z } from 'zod'
import { markAsInferred, percentChange } from '../../lib/fields.ts'
import { AmountPoint, countPoint, Earned } from '../earnings/schemas.ts'
import { LinkOverview } from '../links/schemas.ts'

/** Names of the overview's sections. */
export const OverviewSection = z.enum([
  'earnings',
  'posts',
  'streams',
  'visitors',
  'messages',
  'story',
  'promo',
  'trials',
])

const Counted = () => markAsInferred(z.object({ total: z.int(), delta: percentChange }))

const section = () => ({
  hasStatistic: z.boolean().describe('True if the window has any data.'),
  count: Counted(),
  views: Counted(),
  earnings: Earned,
  chartData: z
    .array(AmountPoint)
    .describe(
      'Net amounts. The points add up to the total earnings. Buckets without payments ' +
        'are omitted.',
    ),
})

/** A section of the overview. */
export const OverviewPart = z.lazy(() => markAsInferred(z.object(section())))

/** The streams section of the overview. */
export const StreamsPart = z.lazy(() =>
  markAsInferred(
    z.object({
      ...section(),
      count: z.object({
        total: z.string().describe('A string such as 12m.'),
        delta: percentChange,
      }),
    }),
  ),
)

/** The visitors section of the overview. */
export const VisitorsPart = z.lazy(() =>
  markAsInferred(
    z.object({
      hasStatistic: z.boolean(),
      count: Counted().describe('All profile visitors.'),
      visitors: Counted(),
      subscriptions: z.object({ new: Counted(), renew: Counted() }),
      chartData: z.array(countPoint).describe('Visitors.'),
    }),
  ),
)

/**
 * The earnings overview. It has the section that `by` selects, or five sections by default. The
 * section `messages` is returned as massMessages.
 */
export const EarningsOverview = z.lazy(() =>
  markAsInferred(
    z.object({
      earning: Earned.optional(),
      posts: OverviewPart.optional(),
      streams: StreamsPart.optional(),
      visitors: VisitorsPart.optional(),
      massMessages: OverviewPart.optional(),
      story: OverviewPart.optional(),
      promo: OverviewPart.optional(),
      trials: LinkOverview.optional(),
    }),
  ),
)
