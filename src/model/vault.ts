import { z } from 'zod'
import { apiError, invalidParameter } from '../errors.ts'
import { MediaType as MediaTypeSchema } from '../schemas/media.ts'
import type { Account } from './organisations.ts'
import { ascending, defineTable, descending, orderBy } from './table.ts'
import type { World } from './world.ts'

/** The type of a media item. */
export type MediaType = z.infer<typeof MediaTypeSchema>

/** The types of the built-in vault lists, in the platform's order. The lists can be neither created, renamed nor deleted. */
export const builtInLists = ['stories', 'posts', 'messages', 'streams', 'media_stickers'] as const

/** A photo, video, GIF or audio file in an account's vault. */
export const VaultMedia = z.object({
  id: z.int(),
  accountId: z.int(),
  type: MediaTypeSchema,
  createdAt: z.iso.datetime(),
  /** False until the platform has transcoded it. */
  isReady: z.boolean(),
  /** When transcoding is over. */
  readyAt: z.iso.datetime(),
  canView: z.boolean(),
  likesCount: z.int(),
  tipsSumm: z.number(),
  /** Seconds; 0 for photos and GIFs. */
  duration: z.number(),
  /** The name of the file in fixtures/media that it is served from. */
  asset: z.string(),
  /** The name of the file that was uploaded; what the vault is searched by. */
  fileName: z.string(),
  /** MD5 of the file that was uploaded in lower-case hex, or its ETag where it came in parts. */
  hash: z.string(),
  /** Bytes of the file that was uploaded. */
  size: z.int(),
  hasError: z.boolean(),
  hasCustomPreview: z.boolean(),
  convertedToVideo: z.boolean(),
  releaseFormIds: z.array(z.int()),
  /** The lists that hold it, built-in ones included. */
  listIds: z.array(z.int()),
})
export type VaultMedia = Readonly<z.infer<typeof VaultMedia>>

/** A folder of the vault. */
export const VaultList = z.object({
  id: z.int(),
  accountId: z.int(),
  type: z.string(),
  name: z.string(),
  canUpdate: z.boolean(),
  canDelete: z.boolean(),
})
export type VaultList = Readonly<z.infer<typeof VaultList>>

/** The orders of the vault, each with the index that it is read off. */
export const vaultSorts = { recent: 'recent', 'most-liked': 'likes', 'highest-tips': 'tips' } as const

const newestFirst = orderBy<VaultMedia>(
  descending((media) => media.createdAt),
  descending((media) => media.id),
)
const highestFirst = (field: 'likesCount' | 'tipsSumm') =>
  orderBy<VaultMedia>(
    descending((media) => media[field]),
    newestFirst,
  )

export const vaultMedia = defineTable({
  schema: VaultMedia,
  indexes: {
    recent: { group: facetsOf, order: newestFirst },
    likes: { group: facetsOf, order: highestFirst('likesCount') },
    tips: { group: facetsOf, order: highestFirst('tipsSumm') },
    byHash: { group: ({ accountId, hash, size }) => hashKey(accountId, hash, size), order: newestFirst },
    processing: { group: (media) => (media.isReady ? null : ['all', media.accountId]), order: orderBy(ascending((media) => media.readyAt), ascending((media) => media.id)) },
  },
})
export const vaultLists = defineTable({
  schema: VaultList,
  indexes: { byAccount: { group: (list) => list.accountId, order: ascending((list) => list.id) } },
})

/** The group of a vault's media in its sorted indexes: those of one account or of one list, of all types or of one. */
export function vaultFacet(place: { accountId: number } | { listId: number }, type: MediaType | 'all' = 'all'): string {
  return 'listId' in place ? `${place.listId}:${type}` : `account ${place.accountId}:${type}`
}

function facetsOf({ accountId, listIds, type }: VaultMedia): readonly string[] {
  return [{ accountId }, ...listIds.map((listId) => ({ listId }))].flatMap((place) => [vaultFacet(place), vaultFacet(place, type)])
}

/** The group of the media with those bytes in the index `byHash`. */
export function hashKey(accountId: number, hash: string, size: number): string {
  return `${accountId}:${hash}:${size}`
}

/** The vault media of that id on the account. @throws {ApiError} media_unknown */
export function requireVaultMedia(world: World, account: Account, mediaId: number): VaultMedia {
  const media = world.db.vaultMedia.get(mediaId)
  if (media?.accountId !== account.id) throw apiError('media_unknown', { media_id: mediaId, account_id: account.id })
  return media
}

/** The vault media that a body field names, in its order. @throws {ApiError} parameter_invalid when one is not in the account's vault. */
export function requireMedia(world: World, account: Account, ids: readonly number[], field: string): VaultMedia[] {
  return ids.map((id) => {
    const media = world.db.vaultMedia.get(id)
    if (media?.accountId !== account.id) throw invalidParameter('Body field', field, id, `it must list only ids of media in the vault of account ${account.id}`)
    return media
  })
}

/** What the agenda does when the platform has transcoded the media. */
export function finishTranscoding(world: World, media: VaultMedia): void {
  world.db.vaultMedia.update(media.id, { isReady: true })
}

/** The list of that id on the account. @throws {ApiError} vault_list_unknown */
export function requireVaultList(world: World, account: Account, listId: number): VaultList {
  const list = world.db.vaultLists.get(listId)
  if (list?.accountId !== account.id) throw apiError('vault_list_unknown', { list_id: listId, account_id: account.id })
  return list
}
