import { z } from 'zod'

/** The cost of a request, and the rate limits of the organisation. */
export const Meta = z.lazy(() =>
  z.object({
    _credits: z.object({ used: z.int().describe('Credits that this request cost.') }),
    _rate_limits: z.object({
      limit_minute: z.int().describe('Rate limit of the organisation: requests per minute.'),
      remaining_minute: z.int(),
      limit_day: z.int().describe('Rate limit of the organisation: requests per day.'),
      remaining_day: z.int(),
    }),
  }),
)

/** The URL of the next page. */
export const Pagination = z.lazy(() =>
  z.object({
    next_page: z
      .string()
      .nullable()
      .describe('Relative URL of the next page. Append this URL to the base URL unchanged.'),
  }),
)

/** The format of every error. */
export const ErrorBody = z.lazy(() =>
  z.object({
    error: z
      .string()
      .describe('The error message. The wording is our guess, so rely on the status instead.'),
  }),
)
