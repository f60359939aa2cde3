import { z } from 'zod'
import {
  boundedText,
  dateWindow,
  listLimit,
  offset,
  pathId,
  queryInteger,
  thirtyDayWindow,
} from '../../lib/fields.ts'
import { pageOf } from '../../api/lists/paging.ts'
import { page } from '../../api/route.ts'
import { toPlatformTime } from '../../lib/time.ts'
import { readWindow, thirtyDays } from '../../api/lists/window.ts'
import { defineRoute } from '../define.ts'
import { pageBuyers } from '../messages/purchases.ts'
import { listsOf, membersOf, requireUserList } from '../user-lists/user-lists.ts'
import { requireMassMessage } from './mass-messages.ts'
import {
  FanListPage,
  MassMessageBody,
  MassMessageBuyers,
  MassMessageChart,
  MassMessageItem,
  MassMessageStats,
} from './schemas.ts'
import { chartMassMessages, readStatistics } from './stats.ts'
import { fanListOf, toQueueItem, toStatsRow } from './view.ts'
import { createMassMessage } from './writes.ts'

const ofMassMessages = { group: 'Mass Messages', kind: 'relay', source: 'inferred' } as const

const listStatistics = defineRoute({
  ...ofMassMessages,
  method: 'GET',
  path: '/v1/:account_id/mass-messages',
  permission: 'api_mass_messages_list',
  source: 'published',
  evidence: 'id by analogy: the buyers are read by it',
  summary: 'List the mass messages that went out, with their figures',
  rules: [
    'data is a bare array, newest first. The next page is asked for with the date of the last ' +
      'row as end_date: ' +
      'an instant leaves out what went out in that second and later.',
    'So a page ends with a whole second: it has fewer rows than limit where the next second ' +
      'would not fit, ' +
      'and more where one second alone has more.',
    'viewedCount counts who ever read or bought it; deleting a message or a chat does not ' +
      'change it.',
    'Both ends of the window are inclusive when they are days, now or relative.',
  ],
  pagination: { next: 'address', last: 'omitted' },
  query: () => z.object({ limit: listLimit, ...dateWindow() }),
  data: z.array(MassMessageStats),
  handle({ world, account, query }) {
    const window = readWindow(query, world.clock.now())
    const { rows, next } = readStatistics(world, account, { window, limit: query.limit })
    return page(
      rows.map((item) => world.json(toStatsRow, item)),
      next === null ? null : { end_date: toPlatformTime(next) },
    )
  },
})

const send = defineRoute({
  ...ofMassMessages,
  method: 'POST',
  path: '/v1/:account_id/mass-messages',
  withoutEffect: {
    filters: 'its inner keys are not known: the message goes to all who are named',
    recommenders: 'likewise',
  },
  permission: 'api_mass_messages_send',
  evidence:
    'named in reference §4 Routes named without shapes; path by analogy, body as the older ' +
    'reference updates one',
  summary: 'Send a message to many fans, or queue it for later',
  rules: [
    'It goes to the members of userLists and to userIds, less the members of excludedLists: ' +
      'each fan once, as a message in their chat. ' +
      'Only fans of the account get it, subscribed or lapsed; blocked ones never.',
    'userLists or userIds must name somebody. Lists must be lists of the account, userIds its ' +
      'fans, mediaFiles media of its vault.',
    'price is 0 or from 3 to 200, in whole cents, and needs mediaFiles. filters and ' +
      'recommenders are taken and narrow nothing.',
    'With scheduledDate, which must be later than now, it waits in the queue; the lists are ' +
      'read when it goes out. ' +
      'Who was in an excluded list that is deleted by then does not get it.',
  ],
  body: () => MassMessageBody,
  data: MassMessageItem,
  handle: ({ world, account, body }) => toQueueItem(world, createMassMessage(world, account, body)),
})

const listFanLists = defineRoute({
  ...ofMassMessages,
  method: 'GET',
  path: '/v1/:account_id/mass-messages/lists',
  permission: 'api_mass_messages_list_fan_lists',
  source: 'published',
  summary: 'List the lists of fans that a mass message can go to',
  rules: [
    "The lists fans, recent and following come first, then the account's own.",
    'The next page names limit, also where it is left at its default.',
  ],
  pagination: { next: 'address', last: 'omitted' },
  query: () =>
    z.object({
      limit: listLimit,
      offset,
      query: boundedText(1_000)
        .optional()
        .describe('Text to find in the names, whatever its case.'),
      related_user: queryInteger({ min: 0 }).optional().describe('Only lists that have this user.'),
    }),
  data: FanListPage,
  handle({ world, account, query }) {
    const { related_user: user } = query
    const text = (query.query ?? '').toLowerCase()
    const hasUser = (id: number | string) =>
      user === undefined || membersOf(world, account, requireUserList(world, account, id)).has(user)
    const all = listsOf(world, account, ['fans', 'recent', 'following'])
    const lists = all.filter(({ id, name }) => name.toLowerCase().includes(text) && hasUser(id))
    const { rows, hasMore, next } = pageOf(lists, query)
    return page(
      { list: rows.map(({ id }) => world.json(fanListOf, account, id)), hasMore },
      next && { limit: query.limit, ...next },
    )
  },
})

const readChart = defineRoute({
  ...ofMassMessages,
  method: 'GET',
  path: '/v1/:account_id/mass-messages/chart',
  permission: 'api_mass_messages_read_chart',
  source: 'published',
  summary: 'Chart the mass messages that went out and what was paid for them',
  rules: [
    'The points of a chart sum to its total. group_messages counts; group_messages_purchases is ' +
      'dollars, before fees.',
  ],
  query: () => z.object(thirtyDayWindow()),
  data: MassMessageChart,
  handle({ world, account, query }) {
    return chartMassMessages(world, account, readWindow(query, world.clock.now(), thirtyDays))
  },
})

const listBuyers = defineRoute({
  ...ofMassMessages,
  method: 'GET',
  path: '/v1/:account_id/mass-messages/:message_id/buyers',
  permission: 'api_mass_messages_list_buyers',
  evidence:
    'permission and rows named in reference §4 Routes named without shapes; path and keys by ' +
    'analogy with a sibling service',
  summary: 'List the fans who bought a mass message',
  rules: [
    'message_id is the id of the mass message, not that of the message in a chat.',
    'Rows hold only ids, latest buyer first; refunded ones are left out. A free message has an ' +
      'empty list.',
    'Buyers stay when their message, or the whole chat, is deleted.',
    'The first page is asked for without a marker; sent back unchanged, ' +
      'the marker keeps those who bought or were paid back since from shifting later pages.',
  ],
  pagination: { next: 'address', last: 'omitted' },
  params: () => z.object({ message_id: pathId }),
  query: () =>
    z.object({
      limit: listLimit,
      offset,
      marker: queryInteger({ min: 0 })
        .optional()
        .describe('The marker of the first page; left out on the first page.'),
    }),
  data: MassMessageBuyers,
  handle({ world, account, params, query }) {
    const { id } = requireMassMessage(world, account, params.message_id)
    const { rows, hasMore, next, marker } = pageBuyers(world, id, query)
    return page(
      { list: rows.map(({ fanId }) => ({ id: fanId })), hasMore, marker },
      next && { ...next, marker },
    )
  },
})

export const massMessageRoutes = [listStatistics, send, listFanLists, readChart, listBuyers]
