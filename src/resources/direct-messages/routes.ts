import { z } from 'zod'
import { dateWindow, listLimit, queryInteger, thirtyDayWindow } from '../../engine/fields.ts'
import { page } from '../../engine/route.ts'
import { readWindow, thirtyDays } from '../../engine/window.ts'
import { invalidParameter } from '../../errors.ts'
import { defineRoute } from '../../world/define.ts'
import { chartDirect, readDirect, toDirectStats } from './direct-messages.ts'
import { DirectMessageChart, DirectMessageStats } from './schemas.ts'

const ofDirectMessages = { group: 'Direct Messages', method: 'GET', kind: 'relay', source: 'inferred' } as const

const listStats = defineRoute({
  ...ofDirectMessages,
  path: '/v1/:account_id/direct-messages',
  permission: 'api_direct_messages_stats',
  source: 'published',
  summary: 'List the messages to single fans with what became of each',
  rules: [
    'Newest first; messages of mass messages are not among them, nor those unsent. ' +
      'viewedCount is 1 once the fan has read or bought it, also when that was paid back.',
    "The next page takes the last row's date as end_date: an instant is exclusive, " +
      'but before_id keeps what was sent at it and not shown. With query, offset pages instead.',
  ],
  pagination: { next: 'address', last: 'omitted' },
  query: z.object({
    limit: listLimit,
    ...dateWindow,
    before_id: queryInteger({ min: 0 }).optional().describe('The last message of the page before, when end_date is its date.'),
    query: z.string().min(1).max(200).optional().describe('Words to find in the text.'),
    offset: queryInteger({ min: 0 }).optional().describe('Rows to skip; only with query.'),
  }),
  data: DirectMessageStats,
  handle({ world, account, query }) {
    const { limit, before_id: beforeId, query: text, offset } = query
    if (offset !== undefined && text === undefined)
      throw invalidParameter('Query parameter', 'offset', offset, 'it must be left out when query is')
    const { rows: messages, next } = readDirect(world, account, {
      window: readWindow(query, world.clock.now()),
      limit,
      beforeId,
      text,
      offset,
    })
    const rows = messages.map((message) => toDirectStats(world, message))
    const last = rows.at(-1)
    if (next === null || last === undefined) return page(rows, null)
    return page(rows, text === undefined ? { end_date: last.date, before_id: last.id } : next)
  },
})

const readChart = defineRoute({
  ...ofDirectMessages,
  path: '/v1/:account_id/direct-messages/chart',
  permission: 'api_direct_messages_read_chart',
  evidence: 'a sibling service; path by analogy with mass messages',
  summary: 'Count the messages to single fans, and those that were bought, by day',
  rules: [
    'Purchases stay when their message or chat is deleted.',
    'UTC days with activity; the default window is the last 30 days. delta compares with the window of the same length before.',
  ],
  query: z.object(thirtyDayWindow),
  data: DirectMessageChart,
  handle({ world, account, query }) {
    return chartDirect(world, account, readWindow(query, world.clock.now(), thirtyDays))
  },
})

export const directMessageRoutes = [listStats, readChart]
