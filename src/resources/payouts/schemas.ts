import { z } from 'zod'
import {
  markAsInferred,
  maxDollars,
  platformTime,
  createQueryIntegerSchema,
  lazyInferredObject,
} from '../../lib/fields.ts'
import { isWholeCents } from '../../lib/money.ts'

/** Query parameter with the time when the first page of a list was read. */
export const marker = () =>
  createQueryIntegerSchema({ min: 0, max: 9_999_999_999 })
    .optional()
    .describe('Epoch seconds, from the response of the first page.')

/** The state of a payout. */
export const PayoutState = z
  .enum(['pending', 'approved', 'paid', 'rejected'])
  .describe('approved is documented in an example. The others are inferred.')

/** Payout schedule. With `manual`, payouts are only made on request. */
export const PayoutFrequency = markAsInferred(z.enum(['manual', 'weekly', 'monthly']))

/** A payout. Dollars. */
export const PayoutItem = lazyInferredObject(() => ({
  invoiceId: z.string(),
  createdAt: platformTime,
  amount: z.number(),
  currency: z.string(),
  state: PayoutState,
  rejectReason: z.string().nullable(),
}))

/** A page of payouts. */
export const PayoutPage = lazyInferredObject(() => ({
  list: z.array(PayoutItem),
  marker: z
    .int()
    .describe(
      'Epoch seconds. Send this value unchanged with later pages, so new rows do not shift ' +
        'the pages.',
    ),
}))

/** Balances of an account. Dollars. */
export const PayoutBalances = lazyInferredObject(() => ({
  currency: z.string(),
  payoutAvailable: z
    .number()
    .describe(
      'Net earnings that have passed their waiting time, minus all payouts that are not ' +
        'rejected. At least 0.',
    ),
  payoutPending: z
    .number()
    .describe(
      'Net earnings that have not passed their waiting time, or that the platform has not ' +
        'released.',
    ),
  minPayoutSumm: z.number(),
  maxPayoutSumm: z.number(),
  manualPayoutPendingDays: z.int().describe('Number of days until earnings become available.'),
  withdrawalPeriod: PayoutFrequency,
  withdrawalPeriodOptions: z.array(z.object({ code: PayoutFrequency, name: z.string() })),
}))

/** Minimum and maximum amount of a payout, dollars. */
export const payoutBounds = { min: 20, max: 50_000 } as const

/** The payout systems. An account without settings uses the first one. */
export const payoutSystems = [
  { code: 'bank_transfer', name: 'Bank transfer' },
  { code: 'sepa', name: 'SEPA transfer' },
  { code: 'international_wire', name: 'International wire' },
  { code: 'e_wallet', name: 'E-wallet' },
] as const

/** The request body of a payout request. */
export const PayoutRequestBody = lazyInferredObject(() => ({
  amount: z
    .number()
    .max(maxDollars)
    .refine(isWholeCents, { error: 'it must be dollars in whole cents' })
    .meta({ minimum: payoutBounds.min, maximum: payoutBounds.max })
    .describe('Dollars.'),
}))

/** The requested payout. */
export const PayoutRequested = lazyInferredObject(() => ({
  list: z.array(z.object({ state: PayoutState, rejectReason: z.string().nullable() })),
}))

/** The response that says whether an account may request a payout. */
export const PayoutEligibility = lazyInferredObject(() => ({
  canReceiveManualPayout: z
    .boolean()
    .describe('True if a payout system is selected and the minimum amount is available.'),
  isVerifiedReason: z
    .boolean()
    .describe(
      'True if the account is blocked because it is not verified. Always false in the sandbox.',
    ),
  needUpdateBanking: z.boolean().describe('True if no payout system is selected.'),
}))

const Totals = () => markAsInferred(z.object({ total_gross: z.number(), total_net: z.number() }))
const days = () =>
  z.array(z.object({ date: platformTime, total_gross: z.number(), total_net: z.number() }))

/** Lifetime earnings of an account, by month and in total. Dollars. */
export const EarningStatistics = lazyInferredObject(() => ({
  list: z.object({
    months: z
      .record(
        z.string(),
        z.object({
          subscribes: days(),
          tips: days(),
          total_gross: z.number(),
          total_net: z.number(),
        }),
      )
      .describe('By month, `YYYY-MM`, without empty months. subscribes and tips are by UTC day.'),
    total: z
      .object({
        all: Totals(),
        subscribes: Totals(),
        tips: Totals(),
        post: Totals(),
        chat_messages: Totals(),
        stream: Totals(),
        unknown: Totals(),
      })
      .describe(
        'Includes rows without a time, which belong to no month. all is the sum of the ' +
          'other fields. unknown contains payments of unknown kind.',
      ),
  }),
}))

/** Payout systems. */
export const PayoutSystems = lazyInferredObject(() => ({
  list: z.array(z.object({ code: z.string(), name: z.string(), isSelected: z.boolean() })),
}))
