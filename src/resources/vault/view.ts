import { toPlatformTime } from '../../lib/time.ts'
import type { World } from '../world.ts'
import { getMediaAsset, signMedia, noVideoSources, toVideoSources } from '../media/signatures.ts'
import type { MediaFiles } from '../media/signatures.ts'
import { findBuiltInListId } from './built-in-lists.ts'
import { countMediaTypes } from './media.ts'
import { getReleaseForms } from './vault.ts'
import { toVaultKey } from './vault.table.ts'
import type { VaultList, VaultMedia } from './vault.table.ts'

const previewsShown = 4

/** Converts a vault media item to its API form, with the given links. */
export function toVaultMedia(world: World, media: VaultMedia, files: MediaFiles) {
  const { variants } = getMediaAsset(media)
  const sized = (name: keyof MediaFiles) => {
    const { width, height, size } = variants[name]
    return { ...files[name], ...(width === 0 ? {} : { width, height }), size }
  }
  return {
    ...getMediaFields(world, media),
    canView: media.canView && media.isReady,
    files: {
      full: sized('full'),
      thumb: sized('thumb'),
      preview: sized('preview'),
      squarePreview: sized('squarePreview'),
    },
    videoSources: media.type === 'video' ? toVideoSources(files) : noVideoSources,
  }
}

/** Converts a vault media item to its API form with only the documented fields. */
export function toMinimalMedia(world: World, media: VaultMedia, files: MediaFiles) {
  const { id, type, createdAt, isReady, counters, duration, canView, ...rest } = toVaultMedia(
    world,
    media,
    files,
  )
  return { id, type, createdAt, isReady, counters, duration, canView, files: rest.files }
}

/** Converts a vault media item to its API form, with new links. */
export function toVaultItem(world: World, media: VaultMedia) {
  return toVaultMedia(world, media, signMedia(world, media))
}

/** Converts a media item to the format used in posts and stories. */
export function toAttachedMedia(world: World, media: VaultMedia) {
  const { id, type, canView, isReady, duration } = media
  return {
    id,
    type,
    canView: canView && isReady,
    isReady,
    duration,
    files: signMedia(world, media),
  }
}

/** Converts a media item that is still being transcoded to its API form, which has no links. */
export function toProcessingMedia(world: World, media: VaultMedia) {
  return {
    ...getMediaFields(world, media),
    canView: false as const,
    files: { full: { url: null }, thumb: null, preview: null, squarePreview: null },
    videoSources: noVideoSources,
  }
}

/** Converts a list to the format that is returned after renaming. */
export function toVaultList({ id, type, name, canUpdate, canDelete }: VaultList) {
  return { id, type, name, canUpdate, canDelete }
}

/**
 * Returns the contents of a list or of a whole vault: the number of media of each type, and
 * previews of the newest media.
 */
export function readVaultContents(world: World, scope: Parameters<typeof toVaultKey>[0]) {
  const { photo, video, gif, audio } = countMediaTypes(world, scope)
  const newest = world.db.vaultMedia.in('recent', toVaultKey(scope)).slice(0, previewsShown)
  return {
    videosCount: video,
    photosCount: photo,
    gifsCount: gif,
    audiosCount: audio,
    medias: newest.map((media) => ({ type: media.type, url: signMedia(world, media).thumb.url })),
  }
}

/** Returns the fields that all media have, including media that are still being transcoded. */
function getMediaFields(world: World, media: VaultMedia) {
  const {
    id,
    accountId,
    type,
    createdAt,
    isReady,
    likesCount,
    tipsSumm,
    duration,
    hasError,
    hasCustomPreview,
    convertedToVideo,
    listIds,
  } = media
  const posts = findBuiltInListId(world, accountId, 'posts')
  return {
    id,
    type,
    createdAt: toPlatformTime(createdAt),
    isReady,
    counters: { likesCount, tipsSumm },
    duration,
    hasError,
    hasCustomPreview,
    convertedToVideo,
    hasPosts: posts !== undefined && listIds.includes(posts),
    releaseForms: getReleaseForms(world, media),
    lists: listIds
      .flatMap((listId) => world.db.vaultLists.get(listId) ?? [])
      .map(({ id: listId, type: listType, name }) => ({ id: listId, type: listType, name })),
  }
}
