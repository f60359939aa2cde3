import { z } from 'zod'
import {
  createTextSchema,
  createWindowSchema,
  listLimit,
  offset,
  createQueryIntegerSchema,
  createThirtyDayWindowSchema,
} from '../../lib/fields.ts'
import { readPage } from '../../api/lists/paging.ts'
import { readWindow, thirtyDays } from '../../api/lists/windows.ts'
import { Page } from '../../api/route.ts'
import { includesIgnoringCase } from '../../lib/text.ts'
import { toPlatformTime } from '../../lib/time.ts'
import { createRouteDefiner } from '../define.ts'
import { listMassMessageBuyers } from '../messages/message-purchases.ts'
import { listUserLists, getListMembers, requireUserList } from '../user-lists/user-lists.ts'
import { requireMassMessage, buildMassMessageChart, listMassMessageStats } from './mass-messages.ts'
import {
  FanListPage,
  MassMessageBody,
  MassMessageBuyers,
  MassMessageChart,
  MassMessageItem,
  MassMessageStats,
  MassMessageChanges,
  MassMessageDetails,
  MassMessageQueue,
} from './schemas.ts'
import { toRecipientList, toQueueItem, toMassMessageStats, toMassMessageDetails } from './view.ts'
import { createMassMessage, cancelMassMessage, updateMassMessage } from './writes.ts'

const defineRoute = createRouteDefiner({ group: 'Mass Messages', source: 'published' })

const listStatistics = defineRoute({
  id: 'GET /v1/:account_id/mass-messages',
  permission: 'api_mass_messages_list',
  evidence: 'id by analogy, because the buyers route needs it',
  summary: 'List sent mass messages, with statistics',
  errors: ['window_reversed'],
  rules: [
    'data is an array, newest first. For the next page, send the date of the last row as ' +
      'end_date. An end_date with a time is exclusive.',
    'Rows with the same second are never split across pages, so a page can have fewer or ' +
      'more rows than limit.',
    'viewedCount is the number of fans who read or bought the message. Deleting a message or a ' +
      'chat does not change viewedCount.',
    'The start and the end of the window are inclusive if they are dates, relative times or now.',
  ],
  pagination: { next: 'address', last: 'omitted' },
  query: () => ({ limit: listLimit, ...createWindowSchema() }),
  data: z.array(MassMessageStats),
  handle({ world, account, query }) {
    const window = readWindow(query, world.clock.now())
    const { rows, next } = listMassMessageStats(world, account, { window, limit: query.limit })
    return new Page(
      rows.map((item) => world.json(toMassMessageStats, item)),
      next === null ? null : { end_date: toPlatformTime(next) },
    )
  },
})

const send = defineRoute({
  id: 'POST /v1/:account_id/mass-messages',
  withoutEffect: {
    filters: 'its inner keys are unknown, so the message is sent to all recipients',
    recommenders: 'its inner keys are unknown, so the message is sent to all recipients',
  },
  permission: 'api_mass_messages_send',
  source: 'inferred',
  evidence:
    'named in reference §4 Routes named without shapes; path by analogy, body as for updates in ' +
    'the older reference',
  summary: 'Send a message to many fans, or queue it for later',
  rules: [
    'The recipients are the members of userLists and the users in userIds, except the members of ' +
      'excludedLists. The message appears once in the chat with each recipient. Only current ' +
      'and lapsed ' +
      'fans of the account get the message. Blocked fans, and closed and deleted profiles do not.',
    'userLists or userIds is required. All lists, fans and media must belong to the account.',
    'price is 0 or from 3 to 200, in whole cents. A price above 0 requires mediaFiles. filters ' +
      'and recommenders have no effect.',
    'With scheduledDate, which must be later than now, the message is queued. The recipients of ' +
      'a queued message are determined when it is sent. Members of an excluded list are ' +
      'excluded even if the list is deleted before the message is sent.',
  ],
  body: () => MassMessageBody,
  data: MassMessageItem,
  handle: ({ world, account, body }) => toQueueItem(world, createMassMessage(world, account, body)),
})

const listFanLists = defineRoute({
  id: 'GET /v1/:account_id/mass-messages/lists',
  permission: 'api_mass_messages_list_fan_lists',
  summary: 'List the fan lists that can receive a mass message',
  rules: [
    "The lists fans, recent and following are first, then the account's custom lists.",
    'next_page always contains limit, even if it is the default.',
  ],
  pagination: { next: 'address', last: 'omitted' },
  query: () => ({
    limit: listLimit,
    offset,
    query: createTextSchema(1_000).optional().describe('Part of a list name, case-insensitive.'),
    related_user: createQueryIntegerSchema({ min: 0 })
      .optional()
      .describe('Only lists that contain this user.'),
  }),
  data: FanListPage,
  handle({ world, account, query }) {
    const { related_user: user } = query
    const text = query.query ?? ''
    const hasUser = (id: number | string) =>
      user === undefined ||
      getListMembers(world, account, requireUserList(world, account, id)).has(user)
    const all = listUserLists(world, account, ['fans', 'recent', 'following'])
    const lists = all.filter(({ id, name }) => includesIgnoringCase(name, text) && hasUser(id))
    const { rows, hasMore, next } = readPage(lists, query)
    return new Page(
      { list: rows.map(({ id }) => world.json(toRecipientList, account, id)), hasMore },
      next && { limit: query.limit, ...next },
    )
  },
})

const readChart = defineRoute({
  id: 'GET /v1/:account_id/mass-messages/chart',
  permission: 'api_mass_messages_read_chart',
  summary: 'Chart sent mass messages and their purchases',
  errors: ['window_reversed'],
  rules: [
    'The points of a chart add up to its total. group_messages counts messages. ' +
      'group_messages_purchases is in dollars before fees.',
  ],
  query: createThirtyDayWindowSchema,
  data: MassMessageChart,
  handle({ world, account, query }) {
    return buildMassMessageChart(world, account, readWindow(query, world.clock.now(), thirtyDays))
  },
})

const listBuyers = defineRoute({
  id: 'GET /v1/:account_id/mass-messages/:message_id/buyers',
  permission: 'api_mass_messages_list_buyers',
  source: 'inferred',
  evidence:
    'permission and rows named in reference §4 Routes named without shapes; path and keys by ' +
    'analogy with a sibling service',
  summary: 'List the fans who bought a mass message',
  errors: ['mass_message_unknown'],
  rules: [
    'message_id is the id of the mass message, not of the message in a chat.',
    'Rows contain only ids. The latest buyer is first, and refunded purchases are excluded. ' +
      'For a free message, the list is empty.',
    'Buyers are still listed after their message or chat is deleted.',
    'Request the first page without a marker. Send the marker of the first page unchanged ' +
      'with later pages, so new purchases and refunds do not shift the pages.',
  ],
  pagination: { next: 'address', last: 'omitted' },
  query: () => ({
    limit: listLimit,
    offset,
    marker: createQueryIntegerSchema({ min: 0 })
      .optional()
      .describe('The marker from the first page. Omit this field for the first page.'),
  }),
  data: MassMessageBuyers,
  handle({ world, account, params, query }) {
    const { id } = requireMassMessage(world, account, params.message_id)
    const { rows, hasMore, next, marker } = listMassMessageBuyers(world, id, query)
    return new Page(
      { list: rows.map(({ fanId }) => ({ id: fanId })), hasMore, marker },
      next && { ...next, marker },
    )
  },
})

export const massMessageRoutes = [listStatistics, send, listFanLists, readChart, listBuyers]

const listQueue = defineRoute({
  id: 'GET /v1/:account_id/mass-messages/queue',
  permission: 'api_mass_messages_list_queue',
  evidence: 'path known only from a link; permission by analogy, rows as in a sibling service',
  summary: 'List the queued mass messages',
  rules: [
    'Returns the whole queue, soonest first. If the last list of recipients of a queued message, ' +
      'or the media that it needs, are deleted, the message is cancelled and has hasError true.',
  ],
  data: MassMessageQueue,
  handle: ({ world, account }) => ({
    list: world.db.massMessages
      .list('queued', account.id)
      .map((item) => world.json(toQueueItem, item)),
    hasMore: false,
  }),
})

const readItem = defineRoute({
  id: 'GET /v1/:account_id/mass-messages/queue/:queue_id',
  permission: 'api_mass_messages_read',
  summary: 'Read a mass message',
  errors: ['mass_message_unknown'],
  rules: ['Sent and cancelled mass messages can also be read.'],
  data: MassMessageDetails,
  handle: ({ world, account, params }) =>
    world.json(toMassMessageDetails, requireMassMessage(world, account, params.queue_id)),
})

const updateItem = defineRoute({
  id: 'PUT /v1/:account_id/mass-messages/queue/:queue_id',
  permission: 'api_mass_messages_update',
  summary: 'Edit or reschedule a queued mass message',
  errors: ['mass_message_unknown', 'mass_message_final'],
  rules: [
    'Omitted fields keep their values and are not validated again. Send only scheduledDate ' +
      'to reschedule.',
    'Returns 403 if the mass message was sent or cancelled.',
    'The given fields must be consistent with each other and with the stored fields. filters ' +
      'and recommenders have no effect.',
  ],
  body: () => MassMessageChanges,
  data: MassMessageDetails,
  handle({ world, account, params, body }) {
    const item = requireMassMessage(world, account, params.queue_id)
    return toMassMessageDetails(world, updateMassMessage(world, account, { item, changes: body }))
  },
})

const cancelItem = defineRoute({
  id: 'DELETE /v1/:account_id/mass-messages/queue/:queue_id',
  permission: 'api_mass_messages_cancel_queue',
  source: 'inferred',
  evidence: "named in the service's own older reference; by analogy with its other deletes",
  summary: 'Cancel a mass message',
  errors: ['mass_message_unknown', 'mass_message_final'],
  rules: [
    'A queued mass message is removed from the queue and not sent.',
    'A message that was sent within the last 24 hours is removed for all fans who did not buy it ' +
      'or got a refund. The statistics still include the message, marked as cancelled, with ' +
      'its views and purchases.',
    'Returns 403 if the message is already cancelled or was sent more than 24 hours ago.',
  ],
  handle({ world, account, params }) {
    cancelMassMessage(world, requireMassMessage(world, account, params.queue_id))
  },
})

export const massMessageQueueRoutes = [listQueue, readItem, updateItem, cancelItem]
