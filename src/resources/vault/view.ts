import { toPlatformTime } from '../../lib/time.ts'
import type { World } from '../world.ts'
import { assetOf, signMedia } from '../media/signatures.ts'
import type { MediaFiles } from '../media/signatures.ts'
import { noVideoSources, videoSourcesOf } from '../media/view.ts'
import { builtInListId } from './built-in-lists.ts'
import { countTypes } from './media.ts'
import { releaseFormsOf } from './release-forms.ts'
import { vaultKey } from './vault.table.ts'
import type { VaultList, VaultMedia } from './vault.table.ts'

const previewsShown = 4

/** A vault media item with its links. */
export function toVaultMedia(world: World, media: VaultMedia, files: MediaFiles) {
  const { variants } = assetOf(media)
  const sized = (name: keyof MediaFiles) => {
    const { width, height, size } = variants[name]
    return { ...files[name], ...(width === 0 ? {} : { width, height }), size }
  }
  return {
    ...factsOf(world, media),
    canView: media.canView && media.isReady,
    files: {
      full: sized('full'),
      thumb: sized('thumb'),
      preview: sized('preview'),
      squarePreview: sized('squarePreview'),
    },
    videoSources: media.type === 'video' ? videoSourcesOf(files) : noVideoSources,
  }
}

/** A vault media item with links of now. */
export function toVaultItem(world: World, media: VaultMedia) {
  return toVaultMedia(world, media, signMedia(world, media))
}

/** A media item as a post or a story shows it. */
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

/** A media item as the list of those that are still being transcoded shows it: without links. */
export function toProcessingMedia(world: World, media: VaultMedia) {
  return {
    ...factsOf(world, media),
    canView: false as const,
    files: { full: { url: null }, thumb: null, preview: null, squarePreview: null },
    videoSources: noVideoSources,
  }
}

/** A list as its rename answers it. */
export function toVaultList({ id, type, name, canUpdate, canDelete }: VaultList) {
  return { id, type, name, canUpdate, canDelete }
}

/** The contents of a list or a whole vault: counts by type, and previews of the newest media. */
export function toContents(world: World, scope: Parameters<typeof vaultKey>[0]) {
  const { photo, video, gif, audio } = countTypes(world, scope)
  const newest = world.db.vaultMedia.in('recent', vaultKey(scope)).slice(0, previewsShown)
  return {
    videosCount: video,
    photosCount: photo,
    gifsCount: gif,
    audiosCount: audio,
    medias: newest.map((media) => ({ type: media.type, url: signMedia(world, media).thumb.url })),
  }
}

/** The fields that ready media and those still being transcoded share. */
function factsOf(world: World, media: VaultMedia) {
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
  const posts = builtInListId(world, accountId, 'posts')
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
    releaseForms: releaseFormsOf(world, media),
    lists: listIds
      .flatMap((listId) => world.db.vaultLists.get(listId) ?? [])
      .map(({ id: listId, type: listType, name }) => ({ id: listId, type: listType, name })),
  }
}
