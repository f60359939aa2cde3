import { z } from 'zod'
import {
  markAsInferred,
  platformTime,
  createWindowSchema,
  listLimit,
  createQueryIntegerSchema,
  createThirtyDayWindowSchema,
} from '../../lib/fields.ts'
import { DailyMoney, DailySeries } from '../mass-messages/schemas.ts'
import { createPage } from '../../api/route.ts'
import { deltaRule, readWindow, thirtyDays } from '../../api/lists/window.ts'
import { defineRoute } from '../define.ts'
import {
  buildDirectMessageChart,
  listDirectMessages,
  searchDirectMessages,
  toDirectMessageStats,
} from './direct-messages.ts'

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

const ofDirectMessages = {
  group: 'Direct Messages',
  method: 'GET',
  kind: 'relay',
  source: 'inferred',
} as const

const listStats = defineRoute({
  ...ofDirectMessages,
  path: '/v1/:account_id/direct-messages',
  permission: 'api_direct_messages_stats',
  source: 'published',
  summary: 'List messages to individual fans, with statistics',
  errors: ['window_reversed'],
  rules: [
    'Newest first, without mass messages and unsent messages. viewedCount is 1 if the fan has ' +
      'read or bought the message, even after a refund.',
    'To read the next page, send the time of the last row (whole seconds) as end_date. An ' +
      'end_date with a time is exclusive, so all rows of one second are on the same page. Rows ' +
      'of the same second are never split across pages, so a page can have fewer or more rows ' +
      'than limit.',
    'offset has an effect only with query. With query, use offset instead of end_date for paging.',
  ],
  pagination: { next: 'address', last: 'omitted' },
  query: () =>
    z.object({
      limit: listLimit,
      ...createWindowSchema(),
      query: z.string().min(1).max(200).optional().describe('Search text.'),
      offset: createQueryIntegerSchema({ min: 0 })
        .optional()
        .describe('Number of rows to skip. Ignored without query.'),
    }),
  data: DirectMessagePage,
  handle({ world, account, query }) {
    const { limit, query: text, offset } = query
    const window = readWindow(query, world.clock.now())
    const { rows, hasMore, next } =
      text === undefined
        ? listDirectMessages(world, account, { window, limit })
        : searchDirectMessages(world, account, { window, limit, text, offset })
    return createPage(
      { hasMore, items: rows.map((message) => world.json(toDirectMessageStats, message)) },
      next && { limit, ...next },
    )
  },
})

const readChart = defineRoute({
  ...ofDirectMessages,
  path: '/v1/:account_id/direct-messages/chart',
  permission: 'api_direct_messages_read_chart',
  evidence: 'a sibling service; path by analogy with mass messages',
  summary: 'Chart messages to individual fans and message purchases by day',
  errors: ['window_reversed'],
  rules: [
    'direct_messages counts messages. direct_messages_purchases is in dollars before fees, as ' +
      'in the chart of mass messages.',
    'Purchases still count after their message or chat is deleted.',
    'Contains only UTC days with activity. The default window is the last 30 days.',
    deltaRule,
  ],
  query: () => z.object(createThirtyDayWindowSchema()),
  data: DirectMessageChart,
  handle({ world, account, query }) {
    return buildDirectMessageChart(world, account, readWindow(query, world.clock.now(), thirtyDays))
  },
})

export const directMessageRoutes = [listStats, readChart]
