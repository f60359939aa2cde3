import { z } from 'zod'
import { platformTime, lazyInferredObject, lazyInferredList } from '../../lib/fields.ts'

/** A row in the list of biggest spenders. */
export const TopSubscriber = lazyInferredObject(() => ({
  id: z.int(),
  name: z.string(),
  username: z.string(),
  avatar: z.string().nullable(),
  subscribePrice: z.number(),
  isVerified: z.boolean(),
  spentTotal: z
    .number()
    .describe(
      'Payments of the kind that `by` selects, in dollars. by=total counts payments of all ' +
        'time, and other values count only payments in the window.',
    ),
}))

/** A page of the biggest spenders. */
export const TopSubscriberPage = lazyInferredList(TopSubscriber)

/** Number of an account's subscribers, and of the users that the account follows, by state. */
export const SubscriberCounts = lazyInferredObject(() => ({
  subscribers: z
    .object({
      active: z.int(),
      expired: z.int(),
      restricted: z.int(),
      blocked: z.int(),
      muted: z.int(),
      all: z.int().describe('Current and former subscribers, including blocked users.'),
      activeOnline: z.int().describe('Subscribers who were seen in the last 15 minutes.'),
    })
    .describe(
      'Counts only current and former subscribers, even in the fields restricted, blocked ' +
        'and muted.',
    ),
  subscriptions: z
    .object({
      active: z.int(),
      expired: z.int(),
      restricted: z.int(),
      blocked: z.int(),
      muted: z.int().describe('Always 0, because only chats with fans can be muted.'),
      attention: z.int().describe('Subscriptions that end within 7 days without renewal.'),
      all: z.int(),
    })
    .describe('Users that the account follows.'),
  bookmarks: z.int().describe('Always 0, because the sandbox has no bookmarks.'),
}))

/** The periods of a fan's subscription. */
export const SubscriptionHistory = lazyInferredObject(() => ({
  list: z
    .array(z.object({ subscribeDate: platformTime, expireDate: platformTime, price: z.number() }))
    .describe('Newest first.'),
  hasMore: z.boolean(),
}))
