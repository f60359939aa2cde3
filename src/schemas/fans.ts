import { z } from 'zod'
import { bodyId, instant, timeExpression } from './common.ts'

/** The accounts that a fan route asks about; duplicates count once. */
export const accountIds = z
  .array(bodyId)
  .min(1)
  .transform((ids) => [...new Set(ids)])
  .describe('Numeric account ids; one that is not the caller\'s is 404.')

/** The filters that the transaction routes share. */
export const transactionFilters = {
  account_ids: accountIds,
  categories: z.array(z.enum(['tip', 'message', 'recurring_subscription', 'new_subscription', 'unlock', 'unknown'])).default([]).describe('Empty: all. Rows without a category are unknown.'),
  statuses: z.array(z.enum(['done', 'undo', 'pending_return', 'loading'])).default([]).describe('Empty: all, chargebacks included.'),
  from: timeExpression.optional(),
  to: timeExpression.optional(),
}

/** A purchase of a fan; amounts in dollars. */
export const FanTransaction = z.object({
  id: z.string(),
  transaction_created_at: instant.nullable(),
  account_id: z.string(),
  account_name: z.string(),
  amount: z.number().nullable().describe('Gross, what the fan paid.'),
  fee: z.number().nullable().describe("The platform's cut."),
  vat_amount: z.number().nullable(),
  net: z.number().describe('What the creator received.'),
  currency: z.string().nullable(),
  category: z.enum(['tip', 'message', 'recurring_subscription', 'new_subscription', 'unlock', 'unknown']).nullable(),
  status: z.enum(['done', 'undo', 'pending_return', 'loading']),
})

/** A page of a fan's purchases. */
export const FanTransactions = z.object({ transactions: z.array(FanTransaction) })

/** What a fan spent on one account, refunds left out; amounts in dollars. */
export const FanStats = z.object({
  account_id: z.string(),
  account_name: z.string(),
  total_spend: z.number(),
  purchase_count: z.int(),
  largest_purchase: z.number(),
  average_purchase: z.number(),
  first_purchase_at: instant.nullable(),
  last_purchase_at: instant.nullable(),
})

/** A fan as one account sees them. */
export const FanDetails = z.object({
  id: z.int(),
  name: z.string(),
  username: z.string(),
  avatar: z.string(),
  subscribedOnData: z.object({
    totalSumm: z.number(),
    tipsSumm: z.number(),
    duration: z.string().describe('As a text, such as `3 months`.'),
    expiredAt: instant,
  }),
  notice: z.string().describe("The platform's subscriber note."),
  displayName: z.string().describe("The platform's display name."),
  lastSeen: instant,
})
