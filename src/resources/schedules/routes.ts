import { z } from 'zod'
import {
  markAsInferred,
  platformTime,
  createTextSchema,
  offset,
  createPageLimitSchema,
  createQueryValueSchema,
  lazyInferredObject,
  lazyInferredList,
} from '../../lib/fields.ts'
import { ListReference } from '../mass-messages/schemas.ts'
import { MessageItem } from '../messages/schemas.ts'
import { FeedPost } from '../posts/schemas.ts'
import type { Post } from '../posts/posts.table.ts'
import { readPage } from '../../api/lists/paging.ts'
import { formatWindowBound, createReversedWindowError } from '../../api/lists/windows.ts'
import { Page } from '../../api/route.ts'
import type { Account } from '../../world/tenancy/tenancy.table.ts'
import { toPlainText } from '../../lib/text.ts'
import { isTimeZone, createZoneCalendar } from '../../lib/time-zone.ts'
import type { ZoneCalendar } from '../../lib/time-zone.ts'
import { dayMs, parseRfc3339, toUtcDay, toPlatformTime } from '../../lib/time.ts'
import type { Span } from '../../api/lists/windows.ts'
import { createQueryParameterError } from '../../errors.ts'
import { createRouteDefiner } from '../define.ts'
import type { World } from '../world.ts'
import type { MassMessage } from '../mass-messages/mass-messages.table.ts'
import { toRecipientMessage } from '../mass-messages/view.ts'
import { toFeedPost } from '../posts/posts.ts'
import {
  deleteScheduledItem,
  publishScheduledItem,
  requireScheduledItem,
  toScheduledMessage,
  toScheduledPost,
  listScheduledItems,
} from './schedules.ts'

/** The types of items that can be scheduled. */
const scheduleTypes = ['chat', 'post', 'stream'] as const

/** A scheduled post, as it will appear in the feed. */
export const ScheduledPost = z.lazy(() =>
  markAsInferred(FeedPost.unwrap().extend({ scheduledAt: platformTime })),
)

/** A scheduled mass message, as its recipients will receive it. */
export const ScheduledMessage = z.lazy(() =>
  markAsInferred(
    MessageItem.unwrap().extend({
      rawText: z.string().describe('Plain text.'),
      scheduledAt: platformTime,
      userLists: z.array(ListReference),
      sentRulesType: z
        .enum(['lists', 'users', 'lists_and_users'])
        .describe('Type of the recipients.'),
    }),
  ),
)

const item = () => ({
  id: z.int().describe('Id of the scheduled item, not of its post or message.'),
  publishDateTime: platformTime,
  createdDateTime: platformTime,
})

/** A scheduled item. */
export const ScheduleItem = z.lazy(() =>
  markAsInferred(
    z.union([
      z.object({ ...item(), type: z.literal('post'), entity: ScheduledPost }),
      z.object({ ...item(), type: z.literal('chat'), entity: ScheduledMessage }),
    ]),
  ),
)

/** A page of scheduled items. */
export const SchedulePage = lazyInferredList(ScheduleItem)

/** Number of scheduled items by day and type. */
export const ScheduleCounters = lazyInferredObject(() => ({
  list: z
    .record(
      z.string(),
      z.object({
        post: z.int().optional(),
        chat: z.int().optional(),
        stream: z.int().optional(),
      }),
    )
    .describe('By day, YYYY-MM-DD. Days and types without items are omitted.'),
}))

const defineRoute = createRouteDefiner({ group: 'Schedules' })
const analogy =
  "by analogy with a sibling service's queue; the directory of the service's own older " +
  'reference mentions four routes here'

const day = () =>
  createQueryValueSchema(
    'it must be a date, YYYY-MM-DD',
    { type: 'string', format: 'date', examples: ['2026-09-01'] },
    (text) => (text.length === 10 && parseRfc3339(text) !== undefined ? text : undefined),
  )
const timezone = () =>
  createQueryValueSchema(
    'it must be a time zone from the IANA database, such as Europe/Berlin',
    { type: 'string', examples: ['Europe/Berlin'] },
    (text) => (isTimeZone(text) ? text : undefined),
  )
    .default('UTC')
    .describe('IANA name of the time zone in which days begin and end.')
const types = () =>
  z
    .union([createTextSchema(200), z.array(createTextSchema(200)).max(20)])
    .transform((values) => [values].flat().flatMap((text) => text.split(',')))
    .default([])
    .meta({ type: 'array', items: { type: 'string', enum: scheduleTypes } })
    .describe('Repeat the parameter, or separate several values with commas. Default: all types.')

const listSchedule = defineRoute({
  id: 'GET /v1/:account_id/schedules',
  permission: 'api_schedules_list',
  source: 'published',
  summary: 'List the scheduled items',
  errors: ['window_reversed'],
  rules: [
    'Lists scheduled posts and queued mass messages (type chat), soonest first. Published ' +
      'posts and sent messages are not listed. The sandbox has no scheduled streams, and no ' +
      'scheduled messages to individual fans.',
    'Days begin and end in the given time zone. An unknown zone returns 400.',
  ],
  pagination: { next: 'address', last: 'omitted' },
  query: () => ({
    start_date: day().optional().describe('The first day. Default: today, UTC.'),
    end_date: day().optional().describe('The last day. Default: start_date.'),
    timezone: timezone(),
    type: types(),
    limit: createPageLimitSchema(20, 100),
    offset,
  }),
  data: SchedulePage,
  handle({ world, account, query }) {
    const { type } = query
    const unknown = type.find((name) => !scheduleTypes.some((known) => known === name))
    if (unknown !== undefined)
      throw createQueryParameterError(
        { type: unknown },
        `it must be one or more of ${scheduleTypes.join(', ')}`,
      )
    const zone = createZoneCalendar(query.timezone)
    const items = listScheduledItems(world, account, {
      ...readDayWindow(query, { world, zone, days: 1 }),
      types: type,
    })
    const { rows, hasMore, next } = readPage(items, query)
    return new Page(
      {
        list: rows.map((item) =>
          item.type === 'post'
            ? world.json(toPostItem, item.post)
            : world.json(toChatItem, item.message),
        ),
        hasMore,
      },
      next,
    )
  },
})

const countSchedule = defineRoute({
  id: 'GET /v1/:account_id/schedules/counters',
  permission: 'api_schedules_counters',
  source: 'published',
  summary: 'Count the scheduled items by day',
  errors: ['window_reversed'],
  rules: [
    'Days and types without items are omitted.',
    'Days begin and end in the given time zone. An unknown zone returns 400.',
  ],
  query: () => ({
    start_date: day().optional().describe('The first day. Default: today, UTC.'),
    end_date: day().optional().describe('The last day. Default: 30 days after start_date.'),
    timezone: timezone(),
  }),
  data: ScheduleCounters,
  handle({ world, account, query }) {
    const { timezone: name } = query
    const days = readDayWindow(query, { world, zone: createZoneCalendar(name), days: 31 })
    return { list: world.json(countByDay, account, { ...days, timezone: name }) }
  },
})

const publishItem = defineRoute({
  id: 'PUT /v1/:account_id/schedules/:item_id/publish',
  permission: 'api_schedules_publish',
  evidence: analogy,
  summary: 'Publish a scheduled item now',
  errors: ['schedule_item_unknown', 'post_locked'],
  rules: [
    'A post is published with the current time, and a mass message is sent to its recipients. ' +
      'The item is then no longer scheduled, so a second call returns 404.',
    'Returns 403 for a post with canEdit false.',
  ],
  handle({ world, account, params }) {
    publishScheduledItem(world, requireScheduledItem(world, account, params.item_id))
  },
})

const deleteItem = defineRoute({
  id: 'DELETE /v1/:account_id/schedules/:item_id',
  permission: 'api_schedules_delete',
  evidence: analogy,
  summary: 'Delete a scheduled item',
  errors: ['schedule_item_unknown', 'post_locked'],
  rules: [
    'Deletes a post permanently, or cancels a mass message. A second delete returns 404.',
    'Returns 403 for a post with canDelete false.',
  ],
  handle({ world, account, params }) {
    deleteScheduledItem(world, requireScheduledItem(world, account, params.item_id))
  },
})

export const scheduleRoutes = [listSchedule, countSchedule, publishItem, deleteItem]

/** Counts the scheduled items in the window, by type and by local day. */
function countByDay(
  world: World,
  account: Account,
  { timezone: name, ...window }: Span & { timezone: string },
) {
  const zone = createZoneCalendar(name)
  const list: Record<string, { post?: number; chat?: number }> = {}
  for (const { at, type } of listScheduledItems(world, account, { ...window, types: [] })) {
    const counts = (list[zone.getDay(Date.parse(at))] ??= {})
    counts[type] = (counts[type] ?? 0) + 1
  }
  return list
}

/**
 * Returns the window from the first to the last day, epoch ms. Without a last day, the window has
 * `days` days.
 * @throws {ApiError} window_reversed
 */
function readDayWindow(
  { start_date, end_date }: { start_date?: string; end_date?: string },
  { world, zone, days }: { world: World; zone: ZoneCalendar; days: number },
) {
  const from = start_date ?? toUtcDay(world.clock.now())
  const to = end_date ?? toUtcDay((parseRfc3339(from) ?? 0) + (days - 1) * dayMs)
  if (to < from)
    throw createReversedWindowError(
      { name: 'start_date', value: formatWindowBound(start_date, from) },
      { name: 'end_date', value: formatWindowBound(end_date, to) },
    )
  return { start: zone.getDayStart(from), end: zone.getDayEnd(to) }
}

function toPostItem(world: World, post: Post) {
  const { id, at } = toScheduledPost(post)
  const scheduledAt = toPlatformTime(at)
  return {
    id,
    type: 'post' as const,
    publishDateTime: scheduledAt,
    createdDateTime: toPlatformTime(post.createdAt),
    entity: { ...toFeedPost(world, post), scheduledAt },
  }
}

function toChatItem(world: World, message: MassMessage) {
  const { id, at } = toScheduledMessage(message)
  const scheduledAt = toPlatformTime(at)
  const { userLists, text, createdAt } = message
  const entity = {
    ...toRecipientMessage(world, message),
    rawText: toPlainText(text),
    scheduledAt,
    userLists: [...userLists],
    sentRulesType: getRecipientKind(message),
  }
  return {
    id,
    type: 'chat' as const,
    publishDateTime: scheduledAt,
    createdDateTime: toPlatformTime(createdAt),
    entity,
  }
}

/** Returns how the recipients of a mass message were chosen: by lists, individually or both. */
function getRecipientKind({
  userLists,
  userIds,
}: MassMessage): 'lists' | 'users' | 'lists_and_users' {
  if (userIds.length === 0) return 'lists'
  return userLists.length === 0 ? 'users' : 'lists_and_users'
}
