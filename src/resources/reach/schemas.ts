import { z } from 'zod'
import { ChartPoint, inferred } from '../../lib/fields.ts'

const digits = () => z.string().regex(/^\d+$/).meta({ example: '240' })

/**
 * Visits, or the seconds that they lasted, by kind of visitor. Two of the numbers are texts, as on
 * the platform.
 */
export const AudienceTotals = z.lazy(() =>
  inferred(z.object({ total: z.int(), guests: digits(), users: digits(), subscribers: z.int() })),
)

/** A country that visitors came from. */
export const VisitorCountry = z.lazy(() =>
  inferred(
    z.object({
      rank: z.int(),
      countryName: z.string(),
      countryCode: z.string().describe('ISO 3166-1 alpha-2; empty in the row Others.'),
      viewsCount: z.object({
        total: z.int(),
        guests: z.int(),
        users: z.int(),
        subscribers: z.int(),
      }),
    }),
  ),
)

/** The countries that the visitors of a window came from. */
export const VisitorCountries = z.lazy(() =>
  inferred(
    z.object({
      hasMore: z
        .boolean()
        .describe(
          'Whether there are more countries than the limit; then the last row, Others, sums ' +
            'them up.',
        ),
      totals: AudienceTotals,
      rows: z.array(VisitorCountry),
    }),
  ),
)

/** Visitors and the seconds that they stayed, by UTC hours, days or months. */
export const VisitorChart = z.lazy(() =>
  inferred(z.object({ visitors: z.array(ChartPoint), duration: z.array(ChartPoint) })),
)

const report = () => ({
  isAvailable: z.boolean(),
  hasStats: z.boolean().describe('False when nobody came.'),
})

/** How many came, against the window before. */
export const VisitorTotal = z.lazy(() =>
  inferred(
    z.object({
      current: digits().describe('Visitors of the kind asked for.'),
      delta: z.number().describe('Percent against the window before, which is as long.'),
    }),
  ),
)

/** The report on the countries of a window. */
export const CountryReport = z.lazy(() =>
  inferred(z.object({ ...report(), topCountries: VisitorCountries })),
)

/** The report on the visitors of a window by UTC hours, days or months. */
export const VisitorReport = z.lazy(() =>
  inferred(z.object({ ...report(), chart: VisitorChart, total: VisitorTotal })),
)

/** The report on the visitors of a window. */
export const ProfileVisitors = z.lazy(() =>
  inferred(
    z.object({
      ...report(),
      topCountries: VisitorCountries,
      topDurationUsers: z.object({ totals: AudienceTotals.describe('Seconds.') }),
      chart: VisitorChart,
      total: VisitorTotal,
    }),
  ),
)
