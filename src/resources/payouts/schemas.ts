import { z } from 'zod'
import { inferred, maxDollars, platformTime, queryInteger } from '../../lib/fields.ts'
import { isWholeCents } from '../../lib/money.ts'

/** The marker that fixes a list at its first page. */
export const marker = () =>
  queryInteger({ min: 0, max: 9_999_999_999 })
    .optional()
    .describe('Epoch seconds, as the first page answered them.')

/** The state of a payout. */
export const PayoutState = z
  .enum(['pending', 'approved', 'paid', 'rejected'])
  .describe('approved is documented by a sample, the others are inferred.')

/** How often the account is paid out. `manual` means only on request. */
export const PayoutFrequency = inferred(z.enum(['manual', 'weekly', 'monthly']))

/** A payout. Dollars. */
export const PayoutItem = z.lazy(() =>
  inferred(
    z.object({
      invoiceId: z.string(),
      createdAt: platformTime,
      amount: z.number(),
      currency: z.string(),
      state: PayoutState,
      rejectReason: z.string().nullable(),
    }),
  ),
)

/** A page of payouts. */
export const PayoutPage = z.lazy(() =>
  inferred(
    z.object({
      list: z.array(PayoutItem),
      marker: z
        .int()
        .describe(
          'Epoch seconds; to be sent back unchanged, so that newer rows do not shift the pages.',
        ),
    }),
  ),
)

/** What an account can be paid out. Dollars. */
export const PayoutBalances = z.lazy(() =>
  inferred(
    z.object({
      currency: z.string(),
      payoutAvailable: z
        .number()
        .describe(
          'Net earnings out of their waiting time, less all payouts but the rejected ones; 0 ' +
            'when that is less.',
        ),
      payoutPending: z
        .number()
        .describe('Net earnings within their waiting time, or which the platform still holds.'),
      minPayoutSumm: z.number(),
      maxPayoutSumm: z.number(),
      manualPayoutPendingDays: z.int().describe('How many days earnings wait.'),
      withdrawalPeriod: PayoutFrequency,
      withdrawalPeriodOptions: z.array(z.object({ code: PayoutFrequency, name: z.string() })),
    }),
  ),
)

/** The least and the most of a payout, dollars. */
export const payoutBounds = { min: 20, max: 50_000 } as const

/** The body of a payout request. */
export const PayoutRequestBody = z.lazy(() =>
  inferred(
    z.object({
      amount: z
        .number()
        .max(maxDollars)
        .refine(isWholeCents, { error: 'it must be dollars with whole cents' })
        .meta({ minimum: payoutBounds.min, maximum: payoutBounds.max })
        .describe('Dollars.'),
    }),
  ),
)

/** The payout just requested. */
export const PayoutRequested = z.lazy(() =>
  inferred(
    z.object({
      list: z.array(z.object({ state: PayoutState, rejectReason: z.string().nullable() })),
    }),
  ),
)

/** Whether a payout can be requested. */
export const PayoutEligibility = z.lazy(() =>
  inferred(
    z.object({
      canReceiveManualPayout: z.boolean().describe('Whether the least payout is available.'),
      isVerifiedReason: z
        .boolean()
        .describe('Whether the account is held back because it is not verified: never, here.'),
      needUpdateBanking: z.boolean().describe('Whether no payout system is selected.'),
    }),
  ),
)

const Totals = () => inferred(z.object({ total_gross: z.number(), total_net: z.number() }))
const days = () =>
  z.array(z.object({ date: platformTime, total_gross: z.number(), total_net: z.number() }))

/** What an account ever earned, by month and in all. Dollars. */
export const EarningStatistics = z.lazy(() =>
  inferred(
    z.object({
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
          .describe(
            'By month, `YYYY-MM`; months without earnings are left out. subscribes and tips are ' +
              'by UTC day.',
          ),
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
            'Rows without a time are in here and in no month. The parts sum to all; unknown is ' +
              'what nobody can tell the kind of.',
          ),
      }),
    }),
  ),
)

/** The ways to be paid out. */
export const PayoutSystems = z.lazy(() =>
  inferred(
    z.object({
      list: z.array(z.object({ code: z.string(), name: z.string(), isSelected: z.boolean() })),
    }),
  ),
)
