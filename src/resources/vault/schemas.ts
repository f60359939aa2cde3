import { z } from 'zod'
import {
  markAsInferred,
  platformTime,
  lazyInferredObject,
  lazyObject,
  lazyInferredList,
} from '../../lib/fields.ts'
import { MediaType, SizedMediaFiles, VideoSources } from '../media/schemas.ts'

/** A person who appears in media. */
export const ReleaseFormUser = z.object({
  id: z.int(),
  name: z.string(),
  username: z.string(),
  avatar: z.string().nullable(),
  isVerified: z.boolean(),
  ivStatus: z.string(),
  isFromGuest: z.boolean(),
})

/** The consent of a person who appears in media. */
export const ReleaseFormItem = lazyInferredObject(() => ({
  id: z.int(),
  name: z.string(),
  partnerSource: z.string().nullable(),
  type: z.enum(['partner', 'guest']),
  user: ReleaseFormUser,
}))

const facts = () => ({
  id: z.int(),
  type: MediaType,
  createdAt: platformTime,
  isReady: z.boolean().describe('True if transcoding is finished.'),
  counters: z.object({ likesCount: z.int(), tipsSumm: z.number() }),
  duration: z.number().describe('Duration in seconds. 0 for photos and GIFs.'),
  hasError: markAsInferred(z.boolean()).optional(),
  hasCustomPreview: markAsInferred(z.boolean()).optional(),
  convertedToVideo: markAsInferred(z.boolean()).optional(),
  hasPosts: markAsInferred(
    z
      .boolean()
      .describe('True if a post uses the media item, including scheduled and archived posts.'),
  ).optional(),
  releaseForms: markAsInferred(z.array(ReleaseFormItem)).optional(),
  lists: markAsInferred(
    z
      .array(z.object({ id: z.int(), type: z.string(), name: z.string() }))
      .describe('Lists that contain the media item, including built-in lists.'),
  ).optional(),
})

/** A file in the vault. */
export const VaultMediaItem = lazyObject(() => ({
  ...facts(),
  canView: z.boolean(),
  files: SizedMediaFiles,
  videoSources: markAsInferred(VideoSources).optional(),
}))

/** A page of the vault. */
export const VaultMediaPage = lazyInferredList(VaultMediaItem)

/** A file in the vault that is being transcoded. */
export const ProcessingMedia = lazyInferredObject(() => ({
  ...facts(),
  canView: z.literal(false),
  files: z.object({
    full: z.object({ url: z.null() }),
    thumb: z.null(),
    preview: z.null(),
    squarePreview: z.null(),
  }),
  videoSources: z.object({ '240': z.null(), '720': z.null() }),
}))

/** Number of media by type. */
export const MediaTypeCounts = lazyInferredObject(() => ({
  list: z.array(z.object({ type: MediaType, count: z.int() })),
}))

/** A vault list, as returned after renaming. */
export const VaultListItem = lazyObject(() => ({
  id: z.int(),
  type: z.string(),
  name: z.string(),
  canUpdate: z.boolean(),
  canDelete: z.boolean(),
}))

/** A preview of a media item in a list. The API reference does not document its fields. */
export const VaultListMedia = lazyInferredObject(() => ({ type: MediaType, url: z.url() }))

const contents = () => ({
  videosCount: z.int(),
  photosCount: z.int(),
  gifsCount: z.int(),
  audiosCount: z.int(),
  medias: z.array(VaultListMedia),
})

/** A new vault list. */
export const CreatedVaultList = z.lazy(() => VaultListItem.unwrap().extend(contents()))

/** A vault list with its contents. */
export const VaultListRow = z.lazy(() =>
  markAsInferred(CreatedVaultList.unwrap().extend({ hasMedia: z.boolean() })),
)

/** A page of vault lists. */
export const VaultListPage = lazyInferredObject(() => ({
  list: z.array(VaultListRow),
  all: z.object(contents()).describe('The whole vault.'),
  hasMore: z.boolean(),
  sort: z.enum(['media', 'recent', 'name', 'default', 'custom']),
  order: z.enum(['asc', 'desc']).nullable().describe('Null with sort=custom.'),
}))
