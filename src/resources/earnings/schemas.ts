import { z } from 'zod'
import { inferred, instant } from '../../engine/fields.ts'
import { TransactionStatus } from '../fans/schemas.ts'
import { LinkOverview } from '../links/schemas.ts'

/** What the list and the chart of earnings can be narrowed to. */
export const EarningType = z.enum(['subscribes', 'tips', 'post', 'chat_messages', 'stream'])

/** Where a tip was given. */
export const TipsSource = z.enum(['profile', 'post_all', 'chat', 'stream', 'story'])

/** What the overview shows a section of. */
export const OverviewSection = z.enum(['earnings', 'posts', 'streams', 'visitors', 'messages', 'story', 'promo', 'trials'])

/** A point of a chart of amounts. */
export const AmountPoint = z.lazy(() => inferred(z.object({ date: instant.describe('Where the hour, day or month begins, UTC.'), count: z.number().describe('Dollars.') })))

const Point = z.object({ date: instant.describe('Where the hour, day or month begins, UTC; their width follows the window.'), count: z.int() })
const Delta = z.number().describe('Change in percent against the window of the same length before; 100 when there was nothing then.')
const Counted = inferred(z.object({ total: z.int(), delta: Delta }))
const earned = { total: z.number().describe('Net, what the creator receives.'), gross: z.number().describe('What fans paid.'), delta: Delta }

/** What an account earned in a window. Dollars. */
export const Earned = z.lazy(() => inferred(z.object(earned)))

const section = {
  hasStatistic: z.boolean().describe('Whether the window has anything to show.'),
  count: Counted,
  views: Counted,
  earnings: Earned,
  chartData: z.array(Point).describe('What `count` counts, by when it was made; only buckets that have some.'),
}

/** A section of the overview. */
export const OverviewPart = z.lazy(() => inferred(z.object(section)))

/** The streams of the overview. */
export const StreamsPart = z.lazy(() => inferred(z.object({ ...section, count: z.object({ total: z.string().describe('A text, such as 12m.'), delta: Delta }), chartData: z.array(Point).describe('How many streams.') })))

/** The visitors of the overview. */
export const VisitorsPart = z.lazy(() => inferred(z.object({
  hasStatistic: z.boolean(),
  count: z.int().describe('All visitors of the profile.'),
  visitors: Counted,
  subscriptions: z.object({ new: Counted, renew: Counted }),
  chartData: z.array(Point).describe('Visitors.'),
})))

/** The overview of earnings: the one section that `by` asks for. `messages` has its own under massMessages. */
export const EarningsOverview = z.lazy(() => inferred(z.object({
  earning: Earned.optional(),
  posts: OverviewPart.optional(),
  streams: StreamsPart.optional(),
  visitors: VisitorsPart.optional(),
  massMessages: OverviewPart.optional(),
  story: OverviewPart.optional(),
  promo: OverviewPart.optional(),
  trials: LinkOverview.optional(),
})))

/** A payment to the account. Dollars; what a legacy row lacks is null. */
export const EarningItem = z.lazy(() => inferred(z.object({
  id: z.string(),
  amount: z.number().nullable().describe('Gross, what the fan paid.'),
  vatAmount: z.number().nullable(),
  taxAmount: z.number(),
  mediaTaxAmount: z.number(),
  net: z.number().describe('What the creator receives.'),
  fee: z.number().nullable().describe("The platform's cut."),
  currency: z.string().nullable(),
  createdAt: instant,
  description: z.string().describe('HTML.'),
  status: TransactionStatus,
  payoutPendingDays: z.int().describe('How many days it still waits before it can be paid out.'),
  user: z.object({ id: z.int(), name: z.string(), username: z.string(), avatar: z.string() }),
})))

/** A page of payments. */
export const EarningPage = z.lazy(() => inferred(z.object({ list: z.array(EarningItem), nextMarker: z.string().nullable().describe('To be sent as marker for the next page; null on the last.'), hasMore: z.boolean() })))

/** What an account earned in a window, by hours, days or months. Dollars. */
export const EarningsChart = z.lazy(() => inferred(z.object({
  chartAmount: z.array(AmountPoint).describe('Net; sums to total. Only buckets with payments.'),
  chartCount: z.array(Point).describe('How many payments.'),
  ...earned,
})))
