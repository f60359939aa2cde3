import { z } from 'zod'
import { markAsInferred, platformTime } from '../../lib/fields.ts'
import { DailyMoney, DailySeries } from '../mass-messages/schemas.ts'

/** A message to an individual fan, with its statistics. */
export const DirectMessageStats = z.lazy(() =>
  markAsInferred(
    z.object({
      id: z.int(),
      date: platformTime,
      text: z.string().describe('HTML.'),
      sentCount: z.int().describe('Always 1.'),
      viewedCount: z.int().describe('1 if the fan has read or bought it, else 0.'),
      mediaCount: z.int(),
      isFree: z.boolean(),
      isTip: z.boolean(),
    }),
  ),
)

/** A page of messages to individual fans. */
export const DirectMessagePage = z.lazy(() =>
  markAsInferred(z.object({ hasMore: z.boolean(), items: z.array(DirectMessageStats) })),
)

/** Messages to individual fans, and purchases of these messages, by day. */
export const DirectMessageChart = z.lazy(() =>
  markAsInferred(z.object({ direct_messages: DailySeries, direct_messages_purchases: DailyMoney })),
)
