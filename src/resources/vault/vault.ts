import type { DueEffect } from '../../world/timeline.ts'
import type { Account } from '../../world/tenancy/tenancy.table.ts'
import { parseIso, toIsoTime } from '../../lib/time.ts'
import { createApiError, createBodyFieldError } from '../../errors.ts'
import type { World } from '../world.ts'
import { toVaultKey } from './vault.table.ts'
import type { VaultMedia, VaultList, ReleaseForm } from './vault.table.ts'
import type { FactoryContext } from '../define.ts'

/** Sort orders of the vault, each with its index. */
export const vaultSorts = {
  recent: 'recent',
  'most-liked': 'likes',
  'highest-tips': 'tips',
} as const

/** Returns the media item with the given id, if it is in the account's vault. */
function findVaultMedia(world: World, account: Account, mediaId: number): VaultMedia | undefined {
  const media = world.db.vaultMedia.get(mediaId)
  return media?.accountId === account.id && media.senderId === undefined ? media : undefined
}

/**
 * Returns the account's vault media item with the given id.
 * @throws {ApiError} media_unknown, also for media that a fan sent
 */
export function requireVaultMedia(world: World, account: Account, mediaId: number): VaultMedia {
  const media = findVaultMedia(world, account, mediaId)
  if (media === undefined)
    throw createApiError('media_unknown', { media_id: mediaId, account_id: account.id })
  return media
}

/**
 * Returns the media of a post, message or story in order. Omits media that are no longer in the
 * vault.
 */
export function getAttachedMedia(
  world: World,
  { mediaFiles }: { mediaFiles: readonly number[] },
): VaultMedia[] {
  const media: VaultMedia[] = []
  for (const id of mediaFiles) {
    const found = world.db.vaultMedia.get(id)
    if (found !== undefined) media.push(found)
  }
  return media
}

/**
 * Returns the vault media with the ids in a body field, in the same order.
 * @throws {ApiError} parameter_invalid if an id is not in the account's vault, such as the id of
 * media that a fan sent
 */
export function requireMediaByIds(
  world: World,
  account: Account,
  ids: readonly number[],
  field: string,
): VaultMedia[] {
  return ids.map((id) => {
    const media = findVaultMedia(world, account, id)
    if (media === undefined)
      throw createBodyFieldError(
        { [field]: id },
        `it must contain only ids of media in the vault of account ${account.id}`,
      )
    return media
  })
}

/**
 * Starts to transcode published or sent media, even if they were ready. Until the transcoding is
 * finished, all posts and messages show these media as not ready. Media that wait for the action
 * `media.ready` continue to wait.
 */
export function startTranscoding(world: World, mediaIds: readonly number[]): void {
  const readyAt = toIsoTime(world.clock.now() + world.options.transcodingMs)
  for (const id of mediaIds) {
    const media = world.db.vaultMedia.get(id)
    const isStuck = media?.isReady === false && media.readyAt === null
    if (!isStuck) world.db.vaultMedia.update(id, { isReady: false, readyAt })
  }
}

/** Marks a media item as transcoded. */
export function finishTranscoding(world: World, media: VaultMedia): void {
  world.db.vaultMedia.update(media.id, { isReady: true })
}

/**
 * Returns the account's vault list with the given id.
 * @throws {ApiError} vault_list_unknown
 */
export function requireVaultList(world: World, account: Account, listId: number): VaultList {
  const list = world.db.vaultLists.get(listId)
  if (list?.accountId !== account.id)
    throw createApiError('vault_list_unknown', { list_id: listId, account_id: account.id })
  return list
}

/** Returns the time when the next transcoding ends. */
export function findNextTranscodingEnd(world: World): DueEffect | undefined {
  const media = world.db.vaultMedia.in('processing', 'all').at(0)
  if (media === undefined || media.readyAt === null) return undefined
  return { at: parseIso(media.readyAt), fire: () => finishTranscoding(world, media) }
}

/** Returns the release forms of a media item without their account id. */
export function getReleaseForms(world: World, media: VaultMedia): Omit<ReleaseForm, 'accountId'>[] {
  return media.releaseFormIds
    .flatMap((id) => world.db.releaseForms.get(id) ?? [])
    .map(({ id, name, partnerSource, type, user }) => ({ id, name, partnerSource, type, user }))
}

/**
 * Picks a random photo from the account's vault that is ready at the time of the record. Empty if
 * there is no such photo.
 */
export function pickPhoto({ world, random, iso }: FactoryContext, accountId: number): number[] {
  const photos = world.db.vaultMedia.in('recent', toVaultKey({ accountId }, 'photo'))
  const first = photos.findPartitionPoint(({ createdAt }) => createdAt <= iso)
  if (first >= photos.size) return []
  const start = random.integer(first, photos.size - 1)
  for (const { id, isReady } of photos.walk(start)) if (isReady) return [id]
  return []
}
