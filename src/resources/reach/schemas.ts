import { z } from 'zod'
import { ChartPoint, inferred, instant } from '../../engine/fields.ts'

const digits = z.string().regex(/^\d+$/).meta({ example: '240' })

/** Visits, or the seconds that they lasted, by kind of visitor. Two of the numbers are texts, as on the platform. */
export const AudienceTotals = z.lazy(() => inferred(z.object({ total: z.int(), guests: digits, users: digits, subscribers: z.int() })))

/** A country that visitors came from. */
export const VisitorCountry = z.lazy(() =>
  inferred(
    z.object({
      rank: z.int(),
      countryName: z.string(),
      countryCode: z.string().describe('ISO 3166-1 alpha-2; empty in the row Others.'),
      viewsCount: z.object({ total: z.int(), guests: z.int(), users: z.int(), subscribers: z.int() }),
    }),
  ),
)

/** The countries that the visitors of a window came from. */
export const VisitorCountries = z.lazy(() =>
  inferred(
    z.object({
      hasMore: z.boolean().describe('Whether there are more countries than the limit; then the last row, Others, sums them up.'),
      totals: AudienceTotals,
      rows: z.array(VisitorCountry),
    }),
  ),
)

/** Visitors and the seconds that they stayed, by UTC hours, days or months. */
export const VisitorChart = z.lazy(() => inferred(z.object({ visitors: z.array(ChartPoint), duration: z.array(ChartPoint) })))

/** The report on the visitors of a window. */
export const ProfileVisitors = z.lazy(() =>
  inferred(
    z.object({
      isAvailable: z.boolean(),
      hasStats: z.boolean().describe('False when nobody came.'),
      topCountries: VisitorCountries,
      topDurationUsers: z.object({ totals: AudienceTotals.describe('Seconds.') }),
      chart: VisitorChart,
      total: z.object({
        current: digits.describe('Visitors of the kind asked for.'),
        delta: z.number().describe('Percent against the window before, which is as long.'),
      }),
    }),
  ),
)

/** What subscriptions earned and how many there were. */
export const SubscriptionReach = z.lazy(() =>
  inferred(
    z.object({
      earnings: z.array(z.object({ date: instant, count: z.number().describe('Dollars before fees.') })),
      subscribes: z.array(ChartPoint),
      total: z.number().describe('Dollars before fees.'),
      delta: z.number().describe('Percent against the window before, which is as long.'),
      subscribers: z.int().describe('How many subscriptions began or were renewed.'),
    }),
  ),
)

/** How many subscriptions a window saw. */
export const SubscriptionMetrics = z.lazy(() =>
  inferred(z.object({ total_subscriptions: z.int(), new_subscriptions: z.int(), renewed_subscriptions: z.int() })),
)
