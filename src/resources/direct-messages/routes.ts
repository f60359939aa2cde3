import { z } from 'zod'
import {
  platformTime,
  createWindowSchema,
  listLimit,
  optionalInteger,
  createThirtyDayWindowSchema,
  lazyInferredObject,
} from '../../lib/fields.ts'
import { DailyMoney, DailySeries } from '../mass-messages/schemas.ts'
import { Page } from '../../api/route.ts'
import {
  readIterablePage,
  findWindowRange,
  readPageOfWholeSeconds,
} from '../../api/lists/paging.ts'
import { readWindow, thirtyDays, deltaRule } from '../../api/lists/windows.ts'
import type { Span, Window } from '../../api/lists/windows.ts'
import { createRouteDefiner } from '../define.ts'
import { buildDailyCountChart, buildDailySumChart } from '../../api/lists/day-counts.ts'
import { takeWhile } from '../../lib/iterables.ts'
import type { Account } from '../../world/tenancy/tenancy.table.ts'
import { toIsoTime, toPlatformTime, toUtcDateTime } from '../../lib/time.ts'
import type { World } from '../world.ts'
import { messageTexts } from '../messages/list.ts'
import { toPurchaseSourceKey } from '../messages/messages.table.ts'
import type { Message } from '../messages/messages.table.ts'
import { createPurchaseAccessors } from '../messages/message-purchases.ts'
import { toMessageItem } from '../messages/view.ts'

/** A message to an individual fan, with its statistics. */
export const DirectMessageStats = lazyInferredObject(() => ({
  id: z.int(),
  date: platformTime,
  text: z.string().describe('HTML.'),
  sentCount: z.int().describe('Always 1.'),
  viewedCount: z.int().describe('1 if the fan has read or bought it, else 0.'),
  mediaCount: z.int(),
  isFree: z.boolean(),
  isTip: z.boolean(),
}))

/** A page of messages to individual fans. */
export const DirectMessagePage = lazyInferredObject(() => ({
  hasMore: z.boolean(),
  items: z.array(DirectMessageStats),
}))

/** Messages to individual fans, and purchases of these messages, by day. */
export const DirectMessageChart = lazyInferredObject(() => ({
  direct_messages: DailySeries,
  direct_messages_purchases: DailyMoney,
}))

const defineRoute = createRouteDefiner({ group: 'Direct Messages' })

const listStats = defineRoute({
  id: 'GET /v1/:account_id/direct-messages',
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
  query: () => ({
    limit: listLimit,
    ...createWindowSchema(),
    query: z.string().min(1).max(200).optional().describe('Search text.'),
    offset: optionalInteger.describe('Number of rows to skip. Ignored without query.'),
  }),
  data: DirectMessagePage,
  handle({ world, account, query }) {
    const { limit, query: text, offset } = query
    const window = readWindow(query, world.clock.now())
    const { rows, hasMore, next } =
      text === undefined
        ? listDirectMessages(world, account, { window, limit })
        : searchDirectMessages(world, account, { window, limit, text, offset })
    return new Page(
      { hasMore, items: rows.map((message) => world.json(toDirectMessageStats, message)) },
      next && { limit, ...next },
    )
  },
})

const readChart = defineRoute({
  id: 'GET /v1/:account_id/direct-messages/chart',
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
  query: createThirtyDayWindowSchema,
  data: DirectMessageChart,
  handle({ world, account, query }) {
    const { start, end } = readWindow(query, world.clock.now(), thirtyDays)
    return world.json(toChart, account, { start, end })
  },
})

export const directMessageRoutes = [listStats, readChart]

/** Query parameters of the list of direct messages. */
interface DirectQuery {
  window: Window
  limit: number
}

/** One page of the account's direct messages, and the parameters of the next page. */
interface DirectPage {
  rows: Message[]
  hasMore: boolean
  next: Readonly<Record<string, string | number>> | null
}

/**
 * Returns one page of the messages that the account sent to individual fans, newest first. Messages
 * of the same second are always on the same page.
 */
function listDirectMessages(world: World, account: Account, query: DirectQuery): DirectPage {
  const { rows, next } = readPageOfWholeSeconds(
    world.db.messages.in('direct', account.id),
    query,
    ({ createdAt }) => createdAt,
  )
  return {
    rows,
    hasMore: next !== null,
    next: next === null ? null : { end_date: toUtcDateTime(next) },
  }
}

/**
 * Returns one page of the messages whose plain text contains `text`, ignoring case, newest first.
 */
function searchDirectMessages(
  world: World,
  account: Account,
  { window, limit, text, offset = 0 }: DirectQuery & { text: string; offset?: number },
): DirectPage {
  const rows = world.db.messages.in('direct', account.id)
  const found = world
    .service(messageTexts)
    .walk(rows, text, findWindowRange(rows, window, ({ createdAt }) => createdAt).from)
  const since = toIsoTime(window.start)
  return readIterablePage(
    takeWhile(found, ({ createdAt }) => createdAt >= since),
    { offset, limit },
  )
}

/** Converts a message to a row of the statistics. */
function toDirectMessageStats(world: World, message: Message) {
  const { mediaCount, isFree, isTip } = toMessageItem(world, message)
  const { id, createdAt, text, isViewed } = message
  return {
    id,
    date: toPlatformTime(createdAt),
    text,
    sentCount: 1,
    viewedCount: isViewed ? 1 : 0,
    mediaCount,
    isFree,
    isTip,
  }
}

/**
 * Counts the messages to individual fans in the window by UTC day, and adds up the purchases of
 * these messages.
 */
function toChart(world: World, account: Account, window: Span) {
  const { messages, messagePurchases } = world.db
  return {
    direct_messages: buildDailyCountChart(
      messages.in('direct', account.id),
      window,
      (message) => message.createdAt,
    ),
    direct_messages_purchases: buildDailySumChart(
      messagePurchases.in('bySource', toPurchaseSourceKey(account.id, 'direct')),
      window,
      createPurchaseAccessors(world),
    ),
  }
}
