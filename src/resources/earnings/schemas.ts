import { z } from 'zod'
import { inferred, platformTime } from '../../lib/fields.ts'
import { TransactionStatus } from '../fans/schemas.ts'

/** The change of a figure since the window before. */
export const delta = z
  .number()
  .describe(
    'Change in percent against the window of the same length before; 100 when there was nothing ' +
      'then.',
  )

/** The types that the list and the chart of earnings can be filtered by. */
export const EarningType = z.enum(['subscribes', 'tips', 'post', 'chat_messages', 'stream'])

/** Where a tip was given. */
export const TipsSource = z.enum(['profile', 'post_all', 'chat', 'stream', 'story'])

/** A point of a chart of counts. */
export const countPoint = z.object({
  date: platformTime.describe(
    'Where the hour, day or month begins, UTC; their width follows the window.',
  ),
  count: z.int(),
})

/** A point of a chart of amounts. */
export const AmountPoint = z.lazy(() =>
  inferred(
    z.object({
      date: platformTime.describe('Where the hour, day or month begins, UTC.'),
      count: z.number().describe('Dollars.'),
    }),
  ),
)

const earned = () => ({
  total: z.number().describe('Net, what the creator receives.'),
  gross: z.number().describe('What fans paid.'),
  delta,
})

/** What an account earned in a window. Dollars. */
export const Earned = z.lazy(() => inferred(z.object(earned())))

/** A payment to the account. Dollars. Fields that a legacy row lacks are null. */
export const EarningItem = z.lazy(() =>
  inferred(
    z.object({
      id: z.string(),
      amount: z.number().nullable().describe('Gross, what the fan paid.'),
      vatAmount: z.number().nullable(),
      taxAmount: z.number(),
      mediaTaxAmount: z.number(),
      net: z.number().describe('What the creator receives.'),
      fee: z.number().nullable().describe("The platform's cut."),
      currency: z.string().nullable(),
      createdAt: platformTime,
      description: z.string().describe('HTML.'),
      status: TransactionStatus,
      payoutPendingDays: z
        .int()
        .describe('How many days it still waits before it can be paid out.'),
      user: z.object({
        id: z.int(),
        name: z.string(),
        username: z.string(),
        displayName: z.string().describe("The platform's display name; empty when unset."),
        view: z.string(),
        isVerified: z.boolean(),
      }),
    }),
  ),
)

/** A page of payments. */
export const EarningPage = z.lazy(() =>
  inferred(
    z.object({
      list: z.array(EarningItem),
      nextMarker: z
        .int()
        .nullable()
        .describe('Epoch seconds; to be sent as marker for the next page; null on the last.'),
      hasMore: z.boolean(),
    }),
  ),
)

/** What an account earned in a window, by hour, day or month. Dollars. */
export const EarningsChart = z.lazy(() =>
  inferred(
    z.object({
      chartAmount: z.array(AmountPoint).describe('Net; sums to total. Only buckets with payments.'),
      chartCount: z.array(countPoint).describe('How many payments.'),
      ...earned(),
    }),
  ),
)
