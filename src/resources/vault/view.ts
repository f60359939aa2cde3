import { toPlatformTime, toIsoTime } from '../../lib/time.ts'
import type { World } from '../world.ts'
import { getMediaAsset, signMedia, noVideoSources, toVideoSources } from '../media/media-links.ts'
import type { MediaFiles } from '../media/media-links.ts'
import { findBuiltInListId } from './built-in-lists.ts'
import { createMedia } from './files.ts'
import { getReleaseForms, requireVaultList, vaultSorts } from './vault.ts'
import { toVaultKey, toHashKey } from './vault.table.ts'
import type { VaultList, VaultMedia, MediaType } from './vault.table.ts'
import { readPage, readIterablePage } from '../../api/lists/paging.ts'
import type { ListPage, PageQuery } from '../../api/lists/paging.ts'
import { defineService } from '../../world/service.ts'
import { TextSearch } from '../../data/text-search.ts'
import type { Account } from '../../world/tenancy/tenancy.table.ts'
import { createApiError } from '../../errors.ts'
import { mediaManifest } from '../../generated/media-manifest.ts'
import type { MediaAsset } from '../../generated/media-manifest.ts'

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
  const { listIds, likesCount, tipsSumm } = media
  const posts = findBuiltInListId(world, media.accountId, 'posts')
  return {
    id: media.id,
    type: media.type,
    createdAt: toPlatformTime(media.createdAt),
    isReady: media.isReady,
    counters: { likesCount, tipsSumm },
    duration: media.duration,
    hasError: media.hasError,
    hasCustomPreview: media.hasCustomPreview,
    convertedToVideo: media.convertedToVideo,
    hasPosts: posts !== undefined && listIds.includes(posts),
    releaseForms: getReleaseForms(world, media),
    lists: listIds
      .flatMap((listId) => world.db.vaultLists.get(listId) ?? [])
      .map(({ id, type, name }) => ({ id, type, name })),
  }
}

/** Full-text index of media by file name. */
const fileNames = defineService(() => new TextSearch<VaultMedia>((media) => media.fileName))

/** Filters, sort order and page of the media list. */
interface VaultQuery extends PageQuery {
  listId?: number
  type?: MediaType
  /** Part of the file name, ignoring case. */
  text?: string
  sort: keyof typeof vaultSorts
  order: 'asc' | 'desc'
}

/**
 * Reads a page of the account's media from a sorted index.
 * @throws {ApiError} vault_list_unknown
 */
export function listVaultMedia(
  world: World,
  account: Account,
  { listId, type, text, sort, order, ...query }: VaultQuery,
): ListPage<VaultMedia> {
  const scope =
    listId === undefined
      ? { accountId: account.id }
      : { listId: requireVaultList(world, account, listId).id }
  const rows = world.db.vaultMedia.in(vaultSorts[sort], toVaultKey(scope, type))
  const backwards = order === 'asc'
  return text === undefined
    ? readPage(rows, query, { backwards })
    : readIterablePage(
        world.service(fileNames).walk(rows, text, backwards ? rows.size - 1 : 0, backwards),
        query,
      )
}

/** Counts the media in a list, or in a whole vault, by type. */
export function countMediaTypes(
  world: World,
  scope: Parameters<typeof toVaultKey>[0],
): Record<MediaType, number> {
  const size = (type: MediaType) => world.db.vaultMedia.in('recent', toVaultKey(scope, type)).size
  return { photo: size('photo'), video: size('video'), gif: size('gif'), audio: size('audio') }
}

/**
 * Returns the newest media with the given file hash.
 * @throws {ApiError} media_hash_unknown
 */
export function requireMediaByHash(
  world: World,
  account: Account,
  hash: string,
  size: number,
): VaultMedia {
  const media = world.db.vaultMedia.in('byHash', toHashKey(account.id, hash, size)).at(0)
  if (media === undefined)
    throw createApiError('media_hash_unknown', { hash, size, account_id: account.id })
  return media
}

/**
 * Adds an uploaded file to the vault. Its content is not stored: media routes serve a file of the
 * same type from this package. The media item is ready after transcoding.
 */
export function addUploadedMedia(
  world: World,
  accountId: number,
  { type, ...original }: Pick<VaultMedia, 'type' | 'fileName' | 'hash' | 'size'>,
): VaultMedia {
  const fitting = mediaManifest.filter((asset) => asset.type === type)
  const asset =
    fitting[Number.parseInt(original.hash.slice(0, 6), 16) % fitting.length] ??
    (mediaManifest[0] as MediaAsset)
  const now = world.clock.now()
  const uploads = findBuiltInListId(world, accountId, 'media_stickers')
  return world.db.vaultMedia.insert(
    createMedia(asset, {
      id: world.nextId('vaultMedia'),
      accountId,
      createdAt: toIsoTime(now),
      isReady: false,
      readyAt: toIsoTime(now + world.options.transcodingMs),
      listIds: uploads === undefined ? [] : [uploads],
      original,
    }),
  )
}
