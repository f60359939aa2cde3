import { z } from 'zod'
import { inferred, platformTime } from '../../lib/fields.ts'

/** A row of the biggest spenders. */
export const TopSubscriber = z.lazy(() =>
  inferred(
    z.object({
      id: z.int(),
      name: z.string(),
      username: z.string(),
      avatar: z.string().nullable(),
      subscribePrice: z.number(),
      isVerified: z.boolean(),
      spentTotal: z
        .number()
        .describe(
          'What they paid for what `by` names: with total ever, else in the window. Dollars.',
        ),
    }),
  ),
)

/** The biggest spenders. */
export const TopSubscriberPage = z.lazy(() =>
  inferred(z.object({ list: z.array(TopSubscriber), hasMore: z.boolean() })),
)

/** How many users subscribe to an account, and how many it follows, by state. */
export const SubscriberCounts = z.lazy(() =>
  inferred(
    z.object({
      subscribers: z
        .object({
          active: z.int(),
          expired: z.int(),
          restricted: z.int(),
          blocked: z.int(),
          muted: z.int(),
          all: z.int().describe('Everyone who ever subscribed, blocked ones included.'),
          activeOnline: z.int().describe('Seen in the last 15 minutes.'),
        })
        .describe(
          'Those who subscribe to the account or did: restricted, blocked and muted count them ' +
            'alone.',
        ),
      subscriptions: z
        .object({
          active: z.int(),
          expired: z.int(),
          restricted: z.int(),
          blocked: z.int(),
          muted: z.int().describe('0: the chats that can be muted are those with fans.'),
          attention: z.int().describe('Ends within 7 days, with no renewal.'),
          all: z.int(),
        })
        .describe('Those whom the account follows.'),
      bookmarks: z.int().describe('0: the sandbox keeps no bookmarks.'),
    }),
  ),
)

/** The periods of a fan's subscription. */
export const SubscriptionHistory = z.lazy(() =>
  inferred(
    z.object({
      list: z
        .array(
          z.object({ subscribeDate: platformTime, expireDate: platformTime, price: z.number() }),
        )
        .describe('Newest first.'),
      hasMore: z.boolean(),
    }),
  ),
)
