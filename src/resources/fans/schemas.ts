import { z } from 'zod'
import {
  bodyId,
  createTextSchema,
  markAsInferred,
  instant,
  maxBodyIds,
  maxDollars,
  platformTime,
  timeExpression,
  lazyInferredObject,
  lazyObject,
} from '../../lib/fields.ts'

/** Maximum length of a note on a fan, characters. */
export const maxNoteLength = 10_000

/** Account ids in the body of a fan route. Duplicates are ignored. */
export const accountIds = z
  .array(bodyId)
  .min(1)
  .max(maxBodyIds)
  .transform((ids) => [...new Set(ids)])
  .describe('Numeric account ids. The id of an account in another organisation returns 404.')

/** Categories of fans' payments. */
export const TransactionCategory = z.enum([
  'tip',
  'message',
  'recurring_subscription',
  'new_subscription',
  'unlock',
  'unknown',
])

/** Payment statuses, as the platform reports them. */
export const TransactionStatus = z.enum(['done', 'undo', 'pending_return', 'loading'])

/** The body of the transaction routes. */
export const TransactionsBody = lazyObject(() => ({
  account_ids: accountIds,
  categories: z
    .array(TransactionCategory)
    .max(100)
    .default([])
    .describe('Empty: all categories. Use unknown to select rows without a category.'),
  statuses: z
    .array(TransactionStatus)
    .max(100)
    .default([])
    .describe('Empty: all statuses, including chargebacks.'),
  from: timeExpression.optional(),
  to: timeExpression.optional(),
  limit: z.int().min(1).max(100).default(25),
  offset: z.int().min(0).default(0),
}))

/** A purchase by a fan. Amounts in dollars. */
export const FanTransaction = lazyObject(() => ({
  id: z.string(),
  transaction_created_at: instant.nullable(),
  account_id: z.string(),
  account_name: z.string(),
  amount: z.number().nullable().describe("Gross: the fan's payment."),
  fee: z.number().nullable().describe("The platform's cut."),
  vat_amount: z.number().nullable(),
  net: z.number().describe("The creator's share."),
  currency: z.string().nullable(),
  category: TransactionCategory.nullable(),
  status: TransactionStatus,
}))

/** A page of a fan's purchases. */
export const FanTransactions = lazyObject(() => ({ transactions: z.array(FanTransaction) }))

/** A fan's spending on one account, excluding refunds. Amounts in dollars. */
export const FanStats = lazyObject(() => ({
  account_id: z.string(),
  account_name: z.string(),
  total_spend: z.number(),
  purchase_count: z.int(),
  largest_purchase: z.number(),
  average_purchase: z.number(),
  first_purchase_at: instant.nullable(),
  last_purchase_at: instant.nullable(),
}))

/** A fan as seen by an account. */
export const FanDetails = lazyObject(() => ({
  id: z.int(),
  name: z.string(),
  username: z.string(),
  avatar: z.string().describe('Empty if the user has no avatar.'),
  subscribedOnData: z.object({
    totalSumm: z.number(),
    tipsSumm: z.number(),
    duration: z.string().describe('As text, such as `3 months`.'),
    expiredAt: platformTime,
  }),
  notice: z.string().describe("The platform's subscriber note."),
  displayName: z.string().describe("The platform's display name."),
  lastSeen: markAsInferred(platformTime.nullable().describe('Null if the user hides this time.')),
}))

const amount = () => z.number().min(-maxDollars).max(maxDollars)
const range = () =>
  z
    .object({ min: amount().optional(), max: amount().optional() })
    .refine(({ min, max }) => min === undefined || max === undefined || min <= max, {
      path: ['min'],
      error: ({ input }) => `it must not be above max (${(input as { max?: number }).max})`,
    })
    .describe('Both ends are inclusive and optional.')

const fanSortNames = [
  'total_spend',
  'purchase_count',
  'average_purchase',
  'average_weekly_spend',
  'days_active',
  'last_purchase_at',
] as const

/**
 * The request body of List Fans. The API reference describes the filters, but does not name their
 * keys.
 */
export const FanListBody = lazyInferredObject(() => ({
  account_ids: accountIds,
  total_spend: range().optional(),
  purchase_count: range().optional(),
  average_purchase: range().optional(),
  average_weekly_spend: range().optional(),
  last_purchase_within_days: z
    .int()
    .min(1)
    .max(36_500)
    .optional()
    .describe('Only fans with a purchase in the last N days.'),
  sort: z
    .enum(fanSortNames.flatMap((name) => [`${name}_desc` as const, `${name}_asc` as const]))
    .default('total_spend_desc')
    .describe(
      'Sort field and direction. Ascending order is the exact reverse of descending order.',
    ),
  limit: z.int().min(1).max(100).default(10),
  offset: z.int().min(0).default(0),
}))

/** A row of List Fans: a fan's spending on one account. */
export const SpenderRow = lazyInferredObject(() => ({
  fan_id: z.string(),
  account_id: z.string(),
  total_spend: z.number(),
  purchase_count: z.int(),
  average_purchase: z.number(),
  average_weekly_spend: z.number().describe('0 if days_active is a week or less.'),
  days_active: z.int().describe('Number of days from the first purchase to the last.'),
  last_purchase_at: instant.nullable(),
}))

/** A page of spenders. */
export const SpenderPage = lazyInferredObject(() => ({ fans: z.array(SpenderRow) }))

/** Number of purchases that match a filter. The counts of each breakdown add up to `all`. */
export const TransactionCounts = lazyInferredObject(() => ({
  all: z.int(),
  categories: z.object({
    tip: z.int(),
    message: z.int(),
    recurring_subscription: z.int(),
    new_subscription: z.int(),
    unlock: z.int(),
    unknown: z.int(),
  }),
  statuses: z.object({
    done: z.int(),
    undo: z.int(),
    pending_return: z.int(),
    loading: z.int(),
  }),
}))

/** The creator's note about the subscriber, as shown on the platform. */
export const FanNotice = lazyInferredObject(() => ({ id: z.int(), notice: z.string() }))

/** The display name that the creator has given the fan on the platform. */
export const FanDisplayName = lazyInferredObject(() => ({ id: z.int(), displayName: z.string() }))

/** The organisation's private name for a fan. */
export const PrivateName = lazyInferredObject(() => ({ name: createTextSchema(200).nullable() }))

/** The organisation's private note about a fan. */
export const PrivateNote = lazyInferredObject(() => ({
  note: createTextSchema(maxNoteLength).nullable(),
}))

/** A link through which a fan joined. */
export const PrivateMetadata = lazyObject(() => ({
  timezone: z.string().nullable(),
  birthday: z.string().nullable(),
  city: z.string().nullable(),
}))

/** A link through which a fan joined. */
export const ClaimedLink = lazyInferredObject(() => ({
  id: z.int(),
  name: z.string(),
  claimed_at: instant,
}))

/** The links through which a fan joined. */
export const ClaimedLinks = lazyInferredObject(() => ({
  tracking_links: z.array(ClaimedLink),
  trial_links: z.array(ClaimedLink),
}))

/** The summary of the chat with a fan. */
export const ChatSummary = lazyInferredObject(() => ({
  summary: z.string().nullable(),
  generated_at: instant.nullable(),
}))
