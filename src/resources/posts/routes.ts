import { z } from 'zod'
import {
  createTextSchema,
  createWindowSchema,
  offset,
  createPageLimitSchema,
  parseId,
  queryFlag,
  createQueryValueSchema,
} from '../../lib/fields.ts'
import { Page } from '../../api/route.ts'
import { readWindow } from '../../api/lists/windows.ts'
import { createQueryParameterError } from '../../errors.ts'
import { createRouteDefiner } from '../define.ts'
import type { World } from '../world.ts'
import { countPosts } from './statistics/counters.ts'
import { readFeed } from './feed.ts'
import { archiveBuckets } from './posts.table.ts'
import type { Post } from './posts.table.ts'
import { feedOrders, leaderboardMetrics, requirePost, toCreatedPost, toFeedPost } from './posts.ts'
import type { FeedOrder, LeaderboardMetric } from './posts.ts'
import { rankPosts, toLeaderboardPost, roundStatistics } from './statistics/top-post.ts'
import { CreatedPost, FeedPage, postFields, PostStatistics, TopPostPage } from './schemas.ts'
import { buildPostCharts } from './statistics/post-charts.ts'
import { createPost, deletePost, requireDeletablePost } from './writes.ts'

const defineRoute = createRouteDefiner({ group: 'Posts', source: 'reference §4 Posts' })

const label = () =>
  createQueryValueSchema(
    `it must be a numeric label id or one of ${archiveBuckets.join(', ')}`,
    { type: 'string' },
    (text) => parseId(text) ?? archiveBuckets.find((bucket) => bucket === text),
  )

/** Media types of the feed's filter, by query value. */
const feedMediaTypes = {
  photos: 'photo',
  videos: 'video',
  audios: 'audio',
  medias: 'media',
} as const

const listPosts = defineRoute({
  id: 'GET /v1/:account_id/posts',
  newestFirst: 'postedAt',
  permission: 'api_posts_list',
  summary: "List the creator's own posts",
  rules: [
    'A limit above 100 is lowered to 100.',
    'The feed contains published posts that are not in an archive bucket. To list the posts ' +
      'of a bucket, use label=archived or label=private_archived.',
    'A cursor for the opposite sort direction returns 400. In a ranked order, the cursors of ' +
      'the 1000 most recently deleted posts still work.',
    'headMarker and tailMarker are empty on an empty page.',
  ],
  pagination: { next: 'address', last: 'omitted' },
  query: () => ({
    limit: createPageLimitSchema(10, 100, { clamp: true }),
    media_type: z
      .enum(['photos', 'videos', 'audios', 'medias'])
      .optional()
      .describe(
        'medias: posts with photos, videos or audios. Default: all posts, including posts ' +
          'without media.',
      ),
    label: label().optional().describe('The id of a label, archived, or private_archived.'),
    exclude_label: label()
      .optional()
      .describe('Excludes posts with this label. Accepts the same values as label.'),
    query: createTextSchema(1_000).optional().describe('Part of a caption, case-insensitive.'),
    pinned: queryFlag
      .optional()
      .describe('true: only pinned posts. false: only posts that are not pinned.'),
    order: z
      .enum(Object.keys(feedOrders) as [FeedOrder, ...FeedOrder[]])
      .default('publish_date_desc'),
    counters: queryFlag.default(true).describe('false: the response has no counters.'),
    before_publish_time: createTextSchema(100)
      .optional()
      .describe('Cursor for a descending feed: the tailMarker of the previous page.'),
    after_publish_time: createTextSchema(100)
      .optional()
      .describe('Cursor for an ascending feed: the tailMarker of the previous page.'),
  }),
  data: FeedPage,
  handle({ world, account, query }) {
    const { order } = query
    const { cursor: name } = feedOrders[order]
    const other = name === 'before_publish_time' ? 'after_publish_time' : 'before_publish_time'
    if (query[other] !== undefined) {
      throw createQueryParameterError(
        { [other]: query[other] },
        `it must be left out with order ${order}, which uses ${name} instead`,
      )
    }
    const { posts, hasMore } = readFeed(world, account, {
      limit: query.limit,
      order,
      mediaType: query.media_type && feedMediaTypes[query.media_type],
      label: query.label,
      excludeLabel: query.exclude_label,
      text: query.query,
      isPinned: query.pinned,
      cursor: query[name],
    })
    const tailMarker = posts.at(-1)?.postedAtPrecise ?? ''
    const data = {
      list: posts.map((post) => world.json(toFeedPost, post)),
      hasMore,
      headMarker: posts[0]?.postedAtPrecise ?? '',
      tailMarker,
      ...(query.counters ? { counters: countPosts(world, account) } : {}),
    }
    return new Page(data, hasMore ? { [name]: tailMarker } : null)
  },
})

const createPostRoute = defineRoute({
  id: 'POST /v1/:account_id/posts',
  permission: 'api_posts_create',
  summary: 'Publish or schedule a post',
  rules: [
    'mediaFiles must be media in the vault. On a paid post, preview can list some of these ' +
      'media. text may be empty or only white space if there are media.',
    'The media are transcoded again. Until the transcoding is finished, all posts and messages ' +
      'that contain these media show them as not ready.',
    'A scheduled post appears in the feed at its scheduled time. expireDays is the number of ' +
      'days from publication until the post is removed.',
  ],
  body: () => {
    const { scheduledTime, expireDays, ...fields } = postFields()
    return z.object({
      text: fields.text,
      mediaFiles: fields.mediaFiles.default([]),
      price: fields.price.default(0),
      preview: fields.preview.default([]),
      rfTag: fields.rfTag.default([]),
      rfGuest: fields.rfGuest.default([]),
      rfPartner: fields.rfPartner.default([]),
      scheduledTime: scheduledTime
        .optional()
        .describe('Publication time, with time of day and zone. Default: immediately.'),
      expireDays: expireDays
        .optional()
        .describe('Whole days from publication until the post is removed. Default: never.'),
    })
  },
  data: CreatedPost,
  handle: ({ world, account, body }) => toCreatedPost(world, createPost(world, account, body)),
})

const deletePostRoute = defineRoute({
  id: 'DELETE /v1/:account_id/posts/:post_id',
  permission: 'api_posts_delete',
  summary: 'Delete a post permanently',
  errors: ['post_unknown', 'post_locked'],
  rules: [
    'Also deletes the comments and statistics of the post. Deleting a post again returns 404.',
    'Returns 403 for a post with canDelete false.',
  ],
  handle({ world, account, params }) {
    deletePost(world, requireDeletablePost(requirePost(world, account, params.post_id)))
  },
})

const readStatistics = defineRoute({
  id: 'GET /v1/:account_id/posts/:post_id/stats',
  permission: 'api_posts_read_stats',
  summary: "Read a post's statistics",
  errors: ['post_unknown'],
  rules: [
    'The counts of a chart add up to its total.',
    'A new post has hasStats false, zero counters and empty charts.',
  ],
  query: () => ({ with_chart: queryFlag.default(true).describe('false: only the totals.') }),
  data: PostStatistics,
  handle({ world, account, params, query }) {
    return world.json(toStatistics, requirePost(world, account, params.post_id), query.with_chart)
  },
})

const leaderboardSize = 10

const rankPostsRoute = defineRoute({
  id: 'GET /v1/:account_id/engagement/posts/:by',
  permission: 'api_engagement_list_posts',
  summary: 'Rank posts by one metric',
  errors: ['window_reversed'],
  rules: [
    'Pages have ten rows. next_page contains start_date, end_date and offset, including defaults.',
    'A start after the end returns 400, even if the start or the end is a default.',
  ],
  pagination: { next: 'address', last: 'omitted' },
  params: () =>
    z.object({
      by: z.enum(Object.keys(leaderboardMetrics) as [LeaderboardMetric, ...LeaderboardMetric[]]),
    }),
  query: () => ({ ...createWindowSchema(), offset }),
  data: TopPostPage,
  handle({ world, account, params, query }) {
    const window = readWindow(query, world.clock.now())
    const { rows, hasMore, next } = rankPosts(world, account, {
      metric: params.by,
      ...window,
      offset: query.offset,
      limit: leaderboardSize,
    })
    const { start_date, end_date } = window
    return new Page(
      { items: rows.map((post) => world.json(toLeaderboardPost, post)), hasMore },
      next && { start_date, end_date, ...next },
    )
  },
})

export const postRoutes = [
  listPosts,
  createPostRoute,
  deletePostRoute,
  readStatistics,
  rankPostsRoute,
]

function toStatistics(world: World, post: Post, hasChart: boolean) {
  return {
    isAvailable: true,
    hasStats: post.hasStats,
    hasVideo: post.mediaTypes.includes('video'),
    hasAudio: post.mediaTypes.includes('audio'),
    lookDuration: post.lookDuration,
    lookDurationAverage: post.lookCount === 0 ? 0 : Math.round(post.lookDuration / post.lookCount),
    ...roundStatistics(post),
    ...(hasChart ? buildPostCharts(world, post) : {}),
  }
}
