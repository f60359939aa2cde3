import { z } from 'zod'
import { apiError, invalidParameter } from '../errors.ts'
import { MediaType as MediaTypeSchema } from '../schemas/media.ts'
import type { Account } from './organisations.ts'
import { ascending, defineTable, descending, orderBy } from './table.ts'
import type { World } from './world.ts'

/** The type of a media item. */
export type MediaType = z.infer<typeof MediaTypeSchema>

/** The built-in vault lists: their names and the platform's types. They can be neither created, renamed nor deleted. */
export const builtInLists = { Stories: 'stories', Posts: 'posts', Messages: 'messages', Streams: 'streams', Uploads: 'media_stickers' } as const

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

export const vaultMedia = defineTable({
  schema: VaultMedia,
  indexes: {
    byAccount: { group: (media) => media.accountId, order: orderBy(descending((media) => media.createdAt), descending((media) => media.id)) },
    byList: { group: (media) => media.listIds, order: orderBy(descending((media) => media.createdAt), descending((media) => media.id)) },
    processing: { group: (media) => (media.isReady ? null : 'all'), order: ascending((media) => media.readyAt) },
  },
})
export const vaultLists = defineTable({
  schema: VaultList,
  indexes: { byAccount: { group: (list) => list.accountId, order: ascending((list) => list.id) } },
})

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

/** Makes an empty custom list. @throws {ApiError} parameter_invalid for the name of a built-in list. */
export function createVaultList(world: World, account: Account, name: string): VaultList {
  rejectBuiltInName(name)
  return world.db.vaultLists.insert({ id: world.nextId('vaultLists'), accountId: account.id, type: 'custom', name, canUpdate: true, canDelete: true })
}

/** Renames a custom list. @throws {ApiError} vault_list_protected for a built-in one, parameter_invalid for the name of one. */
export function renameVaultList(world: World, list: VaultList, name: string): VaultList {
  if (!list.canUpdate) throw apiError('vault_list_protected', { list_id: list.id, name: list.name, verb: 'renamed' })
  rejectBuiltInName(name)
  return world.db.vaultLists.update(list.id, { name })
}

/** Removes a custom list; its media stay in the vault. @throws {ApiError} vault_list_protected for a built-in one. */
export function deleteVaultList(world: World, list: VaultList): void {
  if (!list.canDelete) throw apiError('vault_list_protected', { list_id: list.id, name: list.name, verb: 'deleted' })
  for (const media of world.db.vaultMedia.in('byList', list.id).slice()) {
    world.db.vaultMedia.update(media.id, { listIds: media.listIds.filter((id) => id !== list.id) })
  }
  world.db.vaultLists.remove(list.id)
}

function rejectBuiltInName(name: string): void {
  const isBuiltIn = Object.keys(builtInLists).some((builtIn) => builtIn.toLowerCase() === name.trim().toLowerCase())
  if (isBuiltIn) throw invalidParameter('Body field', 'name', name, `it must not be one of ${Object.keys(builtInLists).join(', ')}, which are built in`)
}
