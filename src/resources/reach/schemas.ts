import { z } from 'zod'
import { ChartPoint, markAsInferred, percentChange } from '../../lib/fields.ts'

const digits = () => z.string().regex(/^\d+$/).meta({ example: '240' })

/**
 * Number of visits, or their total duration in seconds, by kind of visitor. Two of the values are
 * strings, as on the platform.
 */
export const AudienceTotals = z.lazy(() =>
  markAsInferred(
    z.object({ total: z.int(), guests: digits(), users: digits(), subscribers: z.int() }),
  ),
)

/** A country from which visitors came. */
export const VisitorCountry = z.lazy(() =>
  markAsInferred(
    z.object({
      rank: z.int(),
      countryName: z.string(),
      countryCode: z
        .string()
        .describe('ISO 3166-1 alpha-2 country code. Empty in the row "Others".'),
      viewsCount: z.object({
        total: z.int(),
        guests: z.int(),
        users: z.int(),
        subscribers: z.int(),
      }),
    }),
  ),
)

/** The visitors' countries in a window. */
export const VisitorCountries = z.lazy(() =>
  markAsInferred(
    z.object({
      hasMore: z
        .boolean()
        .describe(
          'True if there are more countries than the limit. The last row, Others, is then ' +
            'the sum of the remaining countries.',
        ),
      totals: AudienceTotals,
      rows: z.array(VisitorCountry),
    }),
  ),
)

/** Visitors and the duration of their visits in seconds, by UTC hour, day or month. */
export const VisitorChart = z.lazy(() =>
  markAsInferred(z.object({ visitors: z.array(ChartPoint), duration: z.array(ChartPoint) })),
)

const report = () => ({
  isAvailable: z.boolean(),
  hasStats: z.boolean().describe('False if there are no visitors.'),
})

/** Number of visitors, compared with the previous window. */
export const VisitorTotal = z.lazy(() =>
  markAsInferred(
    z.object({
      current: digits().describe('Visitors of the requested kind.'),
      delta: percentChange,
    }),
  ),
)

/** The report on visitors' countries in a window. */
export const CountryReport = z.lazy(() =>
  markAsInferred(z.object({ ...report(), topCountries: VisitorCountries })),
)

/** The report on visitors in a window, by UTC hour, day or month. */
export const VisitorReport = z.lazy(() =>
  markAsInferred(z.object({ ...report(), chart: VisitorChart, total: VisitorTotal })),
)

/** The report on visitors in a window. */
export const ProfileVisitors = z.lazy(() =>
  markAsInferred(
    z.object({
      ...report(),
      topCountries: VisitorCountries,
      topDurationUsers: z.object({ totals: AudienceTotals.describe('Seconds.') }),
      chart: VisitorChart,
      total: VisitorTotal,
    }),
  ),
)
