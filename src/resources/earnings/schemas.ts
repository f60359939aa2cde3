import { z } from 'zod'
import {
  markAsInferred,
  percentChange,
  platformTime,
  lazyInferredObject,
} from '../../lib/fields.ts'
import { TransactionStatus } from '../fans/schemas.ts'

/** Types for filtering the list and the chart of earnings. */
export const EarningType = z.enum(['subscribes', 'tips', 'post', 'chat_messages', 'stream'])

/** Source of a tip. */
export const TipsSource = z.enum(['profile', 'post_all', 'chat', 'stream', 'story'])

/** A point of a chart of counts. */
export const countPoint = z.object({
  date: platformTime.describe(
    'Start of the hour, day or month, UTC. The bucket width depends on the window.',
  ),
  count: z.int(),
})

/** A point of a chart of amounts. */
export const AmountPoint = lazyInferredObject(() => ({
  date: platformTime.describe('Start of the hour, day or month, UTC.'),
  count: z.number().describe('Dollars.'),
}))

const earned = () => ({
  total: z.number().describe("Net: the creator's share."),
  gross: z.number().describe('Payments from fans, before fees.'),
  delta: percentChange,
})

/** Earnings of an account in a window. Dollars. */
export const Earned = z.lazy(() => markAsInferred(z.object(earned())))

/** A payment to the account. Dollars. Fields that legacy rows do not have are null. */
export const EarningItem = lazyInferredObject(() => ({
  id: z.string(),
  amount: z.number().nullable().describe("Gross: the fan's payment."),
  vatAmount: z.number().nullable(),
  taxAmount: z.number(),
  mediaTaxAmount: z.number(),
  net: z.number().describe("The creator's share."),
  fee: z.number().nullable().describe("The platform's cut."),
  currency: z.string().nullable(),
  createdAt: platformTime,
  description: z.string().describe('HTML.'),
  status: TransactionStatus,
  payoutPendingDays: z.int().describe('Number of days until the payment can be paid out.'),
  user: z.object({
    id: z.int(),
    name: z.string(),
    username: z.string(),
    displayName: z.string().describe("The platform's display name; empty when unset."),
    view: z.string(),
    isVerified: z.boolean(),
  }),
}))

/** A page of payments. */
export const EarningPage = lazyInferredObject(() => ({
  list: z.array(EarningItem),
  nextMarker: z
    .int()
    .nullable()
    .describe('Epoch seconds. Send this value as marker for the next page; null on the last page.'),
  hasMore: z.boolean(),
}))

/** Earnings of an account in a window, by hour, day or month. Dollars. */
export const EarningsChart = lazyInferredObject(() => ({
  chartAmount: z
    .array(AmountPoint)
    .describe('Net amounts. The points add up to total. Buckets without payments are omitted.'),
  chartCount: z.array(countPoint).describe('Number of payments.'),
  ...earned(),
}))
