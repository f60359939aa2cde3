import { readPage, readIterablePage } from '../../api/lists/paging.ts'
import type { ListPage, PageQuery } from '../../api/lists/paging.ts'
import { defineService } from '../../world/service.ts'
import { TextSearch } from '../../data/text-search.ts'
import type { Account } from '../../world/tenancy/tenancy.table.ts'
import { toIsoTime } from '../../lib/time.ts'
import { createApiError } from '../../errors.ts'
import { mediaManifest } from '../../generated/media-manifest.ts'
import type { MediaAsset } from '../../generated/media-manifest.ts'
import type { World } from '../world.ts'
import { findBuiltInListId } from './built-in-lists.ts'
import { toHashKey, toVaultKey } from './vault.table.ts'
import type { MediaType, VaultMedia } from './vault.table.ts'
import { requireVaultList, vaultSorts } from './vault.ts'

/** Full-text index of media by file name. */
const fileNames = defineService(() => new TextSearch<VaultMedia>((media) => media.fileName))

/** Filters, sort order and page of the media list. */
export interface VaultQuery extends PageQuery {
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
  { type, fileName, hash, size }: Pick<VaultMedia, 'type' | 'fileName' | 'hash' | 'size'>,
): VaultMedia {
  const fitting = mediaManifest.filter((asset) => asset.type === type)
  const asset =
    fitting[Number.parseInt(hash.slice(0, 6), 16) % fitting.length] ??
    (mediaManifest[0] as MediaAsset)
  const now = world.clock.now()
  const uploads = findBuiltInListId(world, accountId, 'media_stickers')
  return world.db.vaultMedia.insert({
    id: world.nextId('vaultMedia'),
    accountId,
    type,
    createdAt: toIsoTime(now),
    isReady: false,
    readyAt: toIsoTime(now + world.options.transcodingMs),
    canView: true,
    likesCount: 0,
    tipsSumm: 0,
    duration: asset.duration,
    asset: asset.name,
    fileName,
    hash,
    size,
    hasError: false,
    hasCustomPreview: false,
    convertedToVideo: false,
    releaseFormIds: [],
    listIds: uploads === undefined ? [] : [uploads],
  })
}
