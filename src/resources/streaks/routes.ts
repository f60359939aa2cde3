import { z } from 'zod'
import {
  platformTime,
  createWindowSchema,
  lazyInferredObject,
  lazyInferredList,
} from '../../lib/fields.ts'
import { getStartOfUtcDay } from '../../lib/time.ts'
import { readWindow } from '../../api/lists/windows.ts'
import { createRouteDefiner } from '../define.ts'
import { listStreaks, findTopStreak } from './streaks.ts'

/** A series of UTC days on which the creator published a post or story, or wrote to a fan. */
export const Streak = lazyInferredObject(() => ({
  id: z.int(),
  startDate: platformTime.describe('The start of the first day of the streak.'),
  endDate: platformTime.describe('The start of the last active day of the streak.'),
  isActive: z.boolean().describe('True if the streak can still be extended.'),
  daysCount: z.int().describe('Number of active days.'),
  postsCount: z.int(),
  storiesCount: z.int(),
  chatsCount: z.int().describe("The creator's messages to single fans."),
  streamsDuration: z.int().describe('Seconds of saved streams.'),
  frozenDays: z.array(platformTime).describe('Single days without activity within the streak.'),
}))

/** The streaks of a window. */
export const StreakList = lazyInferredList(Streak)

const defineRoute = createRouteDefiner({
  group: 'Activity',
  source: 'published',
  evidence: 'permission group by analogy',
})
const monthWindow = () => ({
  ...createWindowSchema(),
  start_date: createWindowSchema().start_date.describe(
    'Window start. Default: the first of the current UTC month.',
  ),
})

const listRoute = defineRoute({
  id: 'GET /v1/:account_id/streaks',
  permission: 'api_streaks_list',
  summary: 'List activity streaks',
  errors: ['window_reversed'],
  rules: [
    'A streak is a series of two or more UTC days on which the creator published a post, wrote ' +
      'to a single fan or published a story. Mass messages do not count.',
    'A single day without activity counts as a frozen day and does not end the streak. Two ' +
      'days in a row without activity end the streak.',
    'Lists streaks that overlap the window, newest first. A streak can begin before the ' +
      'window and end after it.',
  ],
  query: monthWindow,
  data: StreakList,
  handle: ({ world, account, query }) => ({
    list: listStreaks(
      world,
      account,
      readWindow(query, world.clock.now(), { startFor: getStartOfMonth }),
    ),
    hasMore: false,
  }),
})

const topRoute = defineRoute({
  id: 'GET /v1/:account_id/streaks/top',
  permission: 'api_streaks_read_top',
  summary: 'Read the longest activity streak',
  rules: [
    'Returns the streak with the most active days of all time. If several streaks have the ' +
      'same length, the newest streak is returned. The response is null if there is no streak.',
  ],
  data: Streak.nullable(),
  handle: ({ world, account }) => findTopStreak(world, account),
})

export const streakRoutes = [listRoute, topRoute]

function getStartOfMonth(now: number): number {
  return getStartOfUtcDay(new Date(now).setUTCDate(1))
}
