import { z } from 'zod'
import {
  bodyTimestamp,
  createTextSchema,
  ChartPoint,
  expireDays,
  mediaIds,
  platformTime,
  postPrice,
  releaseFormTags,
  ShortUser,
  taggedPeople,
  lazyObject,
} from '../../lib/fields.ts'
import { MediaFiles, MediaType } from '../media/schemas.ts'

/** A media item of a post. */
export const PostMedia = lazyObject(() => ({
  id: z.int(),
  type: MediaType,
  canView: z.boolean(),
  isReady: z.boolean(),
  duration: z.number().describe('Seconds. 0 for photos.'),
  files: MediaFiles,
}))

/** A post, as returned in the feed. */
export const FeedPost = lazyObject(() => ({
  id: z.int(),
  responseType: z.literal('post'),
  postedAt: platformTime,
  postedAtPrecise: z
    .string()
    .describe('The same time in fractional epoch seconds, which serves as the cursor.'),
  text: z.string().describe('Caption as HTML.'),
  rawText: z.string().describe('Caption as plain text.'),
  author: ShortUser,
  canDelete: z.boolean(),
  canComment: z.boolean(),
  canEdit: z.boolean(),
  canToggleFavorite: z.boolean(),
  canViewMedia: z.boolean(),
  isMediaReady: z.boolean().describe('True if all attached media are transcoded.'),
  mediaCount: z.int(),
  media: z.array(PostMedia),
  tipsAmount: z.string().describe('Total tips, as a formatted string.'),
}))

/** The account's number of posts and of media items. Filters do not affect these numbers. */
export const FeedCounters = lazyObject(() => ({
  postsCount: z.int(),
  photosCount: z.int(),
  videosCount: z.int(),
  audiosCount: z.int(),
  mediasCount: z.int(),
  streamsCount: z.int(),
  archivedPostsCount: z.int(),
  privateArchivedPostsCount: z.int(),
}))

/** A page of the post feed. */
export const FeedPage = lazyObject(() => ({
  list: z.array(FeedPost),
  hasMore: z.boolean(),
  headMarker: z
    .string()
    .describe('Publication time of the first row. Empty if the page has no rows.'),
  tailMarker: z
    .string()
    .describe('Publication time of the last row. Empty if the page has no rows.'),
  counters: FeedCounters.optional().describe('Omitted with counters=false.'),
}))

/** Response to the creation of a post. */
export const CreatedPost = lazyObject(() => ({
  id: z.int(),
  postedAt: platformTime.describe('Time of publication, past or scheduled.'),
  text: z.string(),
  rawText: z.string(),
  author: ShortUser,
  isMediaReady: z.boolean(),
  canDelete: z.boolean(),
  canEdit: z.boolean(),
  tipsAmount: z.string(),
}))

const totals = () => ({
  lookCount: z.int(),
  uniqueLookCount: z.int(),
  likeCount: z.int(),
  commentCount: z.int(),
  tipCount: z.int(),
  tipSum: z.int(),
  purchasedCount: z.int(),
  purchasedSumm: z.int(),
})

/** The totals of a post, and its charts if they were requested. */
export const PostStatistics = lazyObject(() => ({
  isAvailable: z.boolean(),
  hasStats: z
    .boolean()
    .describe('False if there are no statistics yet. The counters are then zero.'),
  hasVideo: z.boolean(),
  hasAudio: z.boolean(),
  ...totals(),
  lookDuration: z.int(),
  lookDurationAverage: z.int().describe('Seconds. For videos.'),
  lookChart: z.array(ChartPoint).optional(),
  uniqueLookChart: z.array(ChartPoint).optional(),
  likeChart: z.array(ChartPoint).optional(),
  commentChart: z.array(ChartPoint).optional(),
  tipChart: z.array(ChartPoint).optional(),
  tipSumChart: z.array(ChartPoint).optional(),
  purchasesChart: z.array(ChartPoint).optional(),
}))

/** An entry of the engagement leaderboard. */
export const TopPost = lazyObject(() => ({
  id: z.int(),
  postedAt: platformTime,
  text: z.string(),
  rawText: z.string(),
  mediaCount: z.int(),
  price: z
    .number()
    .optional()
    .describe('Price to unlock the post, in dollars. Omitted on free posts.'),
  isPinned: z.boolean(),
  favoritesCount: z.int(),
  stats: z.object({
    ...totals(),
  }),
  media: z.array(
    z.object({
      id: z.int(),
      type: MediaType,
      files: MediaFiles,
      duration: z.number(),
      videoSources: z
        .object({ 240: z.url(), 720: z.url() })
        .optional()
        .describe('Only for videos.'),
    }),
  ),
}))

/** A page of the leaderboard. */
export const TopPostPage = lazyObject(() => ({ items: z.array(TopPost), hasMore: z.boolean() }))

/** Maximum length of a caption, characters. */
const maxCaptionLength = 50_000

/** Fields accepted when creating or updating a post. */
export const postFields = () =>
  ({
    text: createTextSchema(maxCaptionLength).describe(
      'Caption, stored as HTML. A caption of only white space counts as empty.',
    ),
    mediaFiles: mediaIds.describe('Unique ids of the vault media to attach.'),
    price: postPrice.describe(
      'Price to unlock the post, in dollars (whole cents). The post is paid if the price ' +
        'is above 0.',
    ),
    preview: mediaIds.describe('For a paid post: ids in mediaFiles that are shown for free.'),
    rfTag: releaseFormTags.describe('Unique release-form tag ids.'),
    rfGuest: taggedPeople.describe('Unique guest user ids.'),
    rfPartner: taggedPeople.describe('Unique partner user ids.'),
    scheduledTime: bodyTimestamp
      .describe('Publication time, with time of day and zone.')
      .meta({ examples: ['2026-10-01T09:00:00Z'] }),
    expireDays: expireDays.describe('Whole days from publication until the post is removed.'),
  }) as const
