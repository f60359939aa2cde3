import { z } from 'zod'
import {
  createTextSchema,
  createWindowSchema,
  listLimit,
  offset,
  queryFlag,
  createQueryIntegerSchema,
  createLocalTimeBoundSchema,
} from '../../lib/fields.ts'
import { readPage } from '../../api/lists/paging.ts'
import { readWindow } from '../../api/lists/windows.ts'
import type { PageQuery, Sliceable } from '../../api/lists/paging.ts'
import { Page } from '../../api/route.ts'
import { toUtcDateTime } from '../../lib/time.ts'
import { createQueryParameterError } from '../../errors.ts'
import { createRouteDefiner } from '../define.ts'
import type { World } from '../world.ts'
import { listActiveFollows } from '../users/follows.ts'
import { requireUser } from '../users/marks.ts'
import { getProfileByUsername } from '../users/profiles.ts'
import { UserPage, UserProfile } from '../users/schemas.ts'
import { createUserObject, serialiseUser } from '../users/users.ts'
import { SubscriberCounts, TopSubscriberPage } from './schemas.ts'
import { listLatestSubscriptions } from './events.ts'
import { countSubscribers, listSubscribers, rankSpenders } from './subscribers.ts'
import type { TopMeasure } from './subscribers.ts'

const defineRoute = createRouteDefiner({ group: 'Subscribers' })
const byDirectory =
  "named in the directory of the service's own older reference; path by analogy with a sibling " +
  'service'
const paginated = { next: 'address', last: 'omitted' } as const
const pageQuery = () => ({ limit: listLimit, offset })
const filter = (what: string) => queryFlag.default(false).describe(what)

const listSubscribersRoute = defineRoute({
  id: 'GET /v1/:account_id/subscribers',
  permission: 'api_subscribers_list',
  source: 'published',
  summary: "List an account's subscribers",
  rules: [
    'When a subscription ends, it changes from active to expired. The sandbox does not renew ' +
      'subscriptions automatically.',
    'Restricted fans are listed, but blocked and deleted fans are not.',
    'sort_by=is_expired sorts in the same way as sort_by=expire_date, and returns 400 with ' +
      'type=active. filter_inactive (not seen for 30 days) has no effect with type=active.',
    'filter_online selects fans seen in the last 15 minutes. filter_recommenders selects ' +
      'fans who recommended the account to others. Filters are combined with AND.',
  ],
  pagination: paginated,
  query: () => ({
    ...pageQuery(),
    type: z.enum(['active', 'expired']).default('active'),
    sort_by: z
      .enum(['last_activity', 'expire_date', 'subscribe_date', 'is_expired'])
      .default('last_activity'),
    sort_dir: z.enum(['desc', 'asc']).default('desc'),
    filter_recommenders: filter('Only fans who recommended the account to others.'),
    filter_online: filter('Only fans who are online.'),
    filter_inactive: filter('Only fans who have not been seen for 30 days.'),
  }),
  data: UserPage,
  handle({ world, account, query }) {
    if (query.type === 'active' && query.sort_by === 'is_expired')
      throw createQueryParameterError(
        { sort_by: query.sort_by },
        'it is allowed only with type=expired',
      )
    const { rows, hasMore, next } = listSubscribers(world, account, {
      type: query.type,
      sort: query.sort_by,
      isAscending: query.sort_dir === 'asc',
      recommenders: query.filter_recommenders,
      online: query.filter_online,
      inactive: query.filter_inactive && query.type === 'expired',
      offset: query.offset,
      limit: query.limit,
    })
    return new Page(
      { list: rows.map(({ fanId }) => serialiseUser(world, account.id, fanId)), hasMore },
      next,
    )
  },
})

const readCounts = defineRoute({
  id: 'GET /v1/:account_id/subscribers/counts',
  permission: 'api_subscribers_read_counts',
  evidence: byDirectory,
  summary: 'Count the subscribers of an account, and the users that it follows',
  rules: [
    'active and expired exclude blocked and deleted fans, like the list. all excludes only ' +
      'deleted fans.',
    'restricted, blocked and muted count only current and former subscribers. The lists of ' +
      'restricted and blocked users can also contain users who never subscribed.',
  ],
  data: SubscriberCounts,
  handle: ({ world, account }) => countSubscribers(world, account),
})

const topPage = 10

const listTop = defineRoute({
  id: 'GET /v1/:account_id/subscribers/top',
  permission: 'api_subscribers_list_top',
  source: 'published',
  summary: 'Rank the fans of an account by their payments',
  errors: ['window_reversed'],
  rules: [
    'Pages have ten rows. Blocked and deleted fans, and fans without payments are excluded. ' +
      'Payments with status undo do not count. Payments without a time count only with by=total. A payment without an ' +
      'amount counts as 0.',
    'by=total counts all payments and ignores the window. Other values of by count only ' +
      'payments in the window. by=currency and by=recent count all payments in the window, and ' +
      'by=recent sorts by the latest payment. by=messages counts paid messages. by=posts counts ' +
      'unlocked posts without streams. by=media counts messages, posts and streams.',
    'Times in the query have no zone: YYYY-MM-DD HH:MM:SS is UTC. The letter T is allowed ' +
      'instead of the space. A time that ends in Z or +00:00 returns 400.',
  ],
  pagination: paginated,
  query: () => ({
    start_date: createLocalTimeBoundSchema()
      .optional()
      .describe('Window start, without a zone. Default: a month ago.'),
    end_date: createLocalTimeBoundSchema()
      .optional()
      .describe('Window end, without a zone. Default: now.'),
    by: z
      .enum(['total', 'currency', 'recent', 'messages', 'posts', 'media'] satisfies TopMeasure[])
      .default('total'),
    offset: createQueryIntegerSchema({ min: 0 })
      .refine((value) => value % topPage === 0, { error: 'it must be a multiple of 10' })
      .meta({ multipleOf: topPage })
      .default(0)
      .describe('Number of rows to skip, a multiple of 10.'),
  }),
  data: TopSubscriberPage,
  handle({ world, account, query }) {
    const { start, end, start_date, end_date } = readWindow(query, world.clock.now(), {
      startFor: (now) => getStartOfSecond(getMonthBefore(now)),
      // The window includes the current second.
      endFor: (now) => getStartOfSecond(now + 999),
      write: toUtcDateTime,
    })
    const { rows, hasMore, next } = rankSpenders(world, account, {
      by: query.by,
      start,
      end,
      offset: query.offset,
      limit: topPage,
    })
    const list = rows.map(({ fanId, cents }) =>
      world.json(toTop, requireUser(world, fanId), { accountId: account.id, cents }),
    )
    // The URL of the next page contains the window. So the window stays the same while the clock
    // runs.
    return new Page({ list, hasMore }, next && { start_date, end_date, ...next })
  },
})

/** Kinds of events by the values of the parameter `type`. */
const latestKinds = { total: 'total', new: 'new', renewals: 'renewal' } as const

const listLatest = defineRoute({
  id: 'GET /v1/:account_id/subscribers/latest',
  permission: 'api_subscribers_list_latest',
  evidence: byDirectory,
  summary: 'List the fans who subscribed or renewed in a window, newest first',
  errors: ['window_reversed'],
  rules: [
    'type=new lists fans who first subscribed in the window. type=renewals lists fans who ' +
      'renewed in the window. type=total lists both. There is one row per fan. ' +
      'The rows are sorted by the latest event of the fan in the window.',
    'The date of a paid renewal is the time of its payment. The date of a free renewal is the ' +
      'start of its period. Blocked and deleted fans are not listed.',
    'visitors.subscriptions in the earnings overview counts the same events, but counts each ' +
      'renewal and includes blocked and deleted fans.',
  ],
  pagination: paginated,
  query: () => ({
    ...createWindowSchema(),
    ...pageQuery(),
    type: z.enum(['total', 'new', 'renewals']).default('total'),
  }),
  data: UserPage,
  handle({ world, account, query }) {
    const { start, end, start_date, end_date } = readWindow(query, world.clock.now())
    const { rows, hasMore, next } = listLatestSubscriptions(world, account.id, {
      kind: latestKinds[query.type],
      start,
      end,
      offset: query.offset,
      limit: query.limit,
    })
    return new Page(
      { list: rows.map(({ fanId }) => serialiseUser(world, account.id, fanId)), hasMore },
      next && { start_date, end_date, ...next },
    )
  },
})

const listFollowing = defineRoute({
  id: 'GET /v1/:account_id/subscribers/following',
  permission: 'api_subscribers_list_following',
  evidence: byDirectory,
  summary: 'List the creators that an account follows now, newest first',
  pagination: paginated,
  query: pageQuery,
  data: UserPage,
  handle: ({ world, account, query }) =>
    toPage(world, account.id, query, listActiveFollows(world, account.id)),
})

const listRestricted = defineRoute({
  id: 'GET /v1/:account_id/subscribers/restricted',
  permission: 'api_subscribers_list_restricted',
  evidence: byDirectory,
  summary: 'List the users that an account restricted, latest first',
  pagination: paginated,
  query: pageQuery,
  data: UserPage,
  handle: ({ world, account, query }) =>
    toPage(world, account.id, query, world.db.userMarks.in('restricted', account.id)),
})

const listBlocked = defineRoute({
  id: 'GET /v1/:account_id/subscribers/blocked',
  permission: 'api_subscribers_list_blocked',
  evidence: byDirectory,
  summary: 'List the users that an account blocked, latest first',
  pagination: paginated,
  query: pageQuery,
  data: UserPage,
  handle: ({ world, account, query }) =>
    toPage(world, account.id, query, world.db.userMarks.in('blocked', account.id)),
})

const readProfile = defineRoute({
  id: 'GET /v1/:account_id/users/:username',
  permission: 'api_subscribers_read_profile',
  evidence: byDirectory,
  summary: 'Read the profile of a user by their username',
  errors: ['user_unknown'],
  rules: [
    'The username is case-insensitive. It can belong to a fan, a followed creator or an account.',
  ],
  params: () => z.object({ username: createTextSchema(200) }),
  data: UserProfile,
  handle: ({ world, account, params }) => getProfileByUsername(world, account, params.username),
})

export const subscriberRoutes = [
  listSubscribersRoute,
  readCounts,
  listTop,
  listLatest,
  listFollowing,
  listRestricted,
  listBlocked,
  readProfile,
]

function getStartOfSecond(epochMs: number): number {
  return Math.floor(epochMs / 1000) * 1000
}

/**
 * Returns the same day and time one month earlier, epoch ms. If the earlier month has no such day,
 * returns its last day.
 */
function getMonthBefore(epochMs: number): number {
  const date = new Date(epochMs)
  const day = date.getUTCDate()
  date.setUTCDate(1)
  date.setUTCMonth(date.getUTCMonth() - 1)
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
  return date.setUTCDate(Math.min(day, lastDay))
}

/** Converts a user to a row of the top subscribers. */
function toTop(
  world: World,
  user: { id: number },
  { accountId, cents }: { accountId: number; cents: number },
) {
  const { id, name, username, avatar, subscribePrice, isVerified } = createUserObject(
    world,
    accountId,
    user.id,
  )
  return { id, name, username, avatar, subscribePrice, isVerified, spentTotal: cents / 100 }
}

/** Converts a page of rows to a page of users. */
function toPage(
  world: World,
  accountId: number,
  query: PageQuery,
  users: Sliceable<{ userId: number }>,
) {
  const { rows, hasMore, next } = readPage(users, query)
  return new Page(
    { list: rows.map(({ userId }) => serialiseUser(world, accountId, userId)), hasMore },
    next,
  )
}
