import { z } from 'zod'
import { lazyObject } from '../../lib/fields.ts'
import {
  compareAscending,
  defineTable,
  compareDescending,
  combineComparators,
  recordTime,
} from '../../data/define-table.ts'
import { MediaType as MediaTypeSchema } from '../media/schemas.ts'
import { ReleaseFormUser } from './schemas.ts'
import { count, defineSize } from '../../api/sizes.ts'
import type { SizeValues } from '../../api/sizes.ts'

/** Type of a media item. */
export type MediaType = z.infer<typeof MediaTypeSchema>

/**
 * Types of the built-in vault lists, in the platform's order. Clients cannot create, rename or
 * delete built-in lists.
 */
export const builtInLists = ['stories', 'posts', 'messages', 'streams', 'media_stickers'] as const

/** A photo, video, GIF or audio file in an account's vault. */
export const VaultMedia = lazyObject(() => ({
  id: z.int(),
  accountId: z.int(),
  type: MediaTypeSchema,
  createdAt: recordTime,
  /** True if transcoding is finished. */
  isReady: z.boolean().default(true),
  /** End of the transcoding. Null if only the action `media.ready` ends it. */
  readyAt: recordTime.nullable(),
  canView: z.boolean().default(true),
  likesCount: z.int().default(0),
  tipsSumm: z.number().default(0),
  /** Duration in seconds. 0 for photos and GIFs. */
  duration: z.number().default(0),
  /** Name of the file in fixtures/media that is served for this media item. */
  asset: z.string(),
  /** Name of the uploaded file. The search uses it. */
  fileName: z.string(),
  /**
   * MD5 of the uploaded file as lower-case hexadecimal digits, or the multipart ETag of a file
   * that was uploaded in parts. The renditions that the sandbox serves have different hashes.
   */
  hash: z.string(),
  /** Size of the uploaded file in bytes. */
  size: z.int(),
  hasError: z.boolean().default(false),
  hasCustomPreview: z.boolean().default(false),
  convertedToVideo: z.boolean().default(false),
  releaseFormIds: z.array(z.int()).default([]),
  /** Ids of the lists that contain the media item, including built-in lists. */
  listIds: z.array(z.int()).default([]),
  /**
   * Id of the fan who sent the media item. Absent for the creator's own media. Media from fans
   * are not in the vault.
   */
  senderId: z.int().optional(),
}))
export type VaultMedia = Readonly<z.infer<typeof VaultMedia>>

/** A folder of the vault. */
export const VaultList = lazyObject(() => ({
  id: z.int(),
  accountId: z.int(),
  type: z.string(),
  name: z.string(),
  canUpdate: z.boolean().default(true),
  canDelete: z.boolean().default(true),
  /** Time of the last change. Absent if the list has never changed. */
  modifiedAt: recordTime.optional(),
}))
export type VaultList = Readonly<z.infer<typeof VaultList>>

/** Sorts after all times of records. */
const latestTime = '9999-12-31T23:59:59.999Z'

const newestFirst = compareDescending<VaultMedia>(
  (media) => media.createdAt,
  (media) => media.id,
)

const highestFirst = (field: 'likesCount' | 'tipsSumm') =>
  combineComparators<VaultMedia>(
    compareDescending((media) => media[field]),
    newestFirst,
  )

export const vaultMedia = defineTable({
  schema: VaultMedia,
  references: { accountId: 'accounts', releaseFormIds: 'releaseForms', listIds: 'vaultLists' },
  firstId: 3_845_000_000,
  indexes: {
    recent: { group: getVaultKeys, order: newestFirst },
    likes: { group: getVaultKeys, order: highestFirst('likesCount') },
    tips: { group: getVaultKeys, order: highestFirst('tipsSumm') },
    byHash: {
      group: ({ accountId, hash, size, senderId }) =>
        senderId === undefined ? toHashKey(accountId, hash, size) : null,
      order: newestFirst,
    },
    processing: {
      group: ({ isReady, accountId, senderId }) => {
        if (isReady) return null
        return senderId === undefined ? ['all', accountId] : ['all']
      },
      order: compareAscending(
        (media) => media.readyAt ?? latestTime,
        (media) => media.id,
      ),
    },
  },
})

export const vaultLists = defineTable({
  schema: VaultList,
  references: { accountId: 'accounts' },
  firstId: 19_200_000,
  indexes: {
    byAccount: { group: (list) => list.accountId, order: compareAscending((list) => list.id) },
  },
})

/**
 * Returns the key in the sorted indexes for the media of an account or a list, of one type or all
 * types. For example: `account 310240117:photo`.
 */
export function toVaultKey(
  scope: { accountId: number } | { listId: number },
  type: MediaType | 'all' = 'all',
): string {
  return 'listId' in scope ? `${scope.listId}:${type}` : `account ${scope.accountId}:${type}`
}

/** Returns the keys of a media item in the sorted indexes. */
function getVaultKeys({ accountId, listIds, type, senderId }: VaultMedia): readonly string[] {
  if (senderId !== undefined) return []
  return [{ accountId }, ...listIds.map((listId) => ({ listId }))].flatMap((scope) => [
    toVaultKey(scope),
    toVaultKey(scope, type),
  ])
}

/** Returns the key in the index `byHash` for media with the given file hash. */
export function toHashKey(accountId: number, hash: string, size: number): string {
  return `${accountId}:${hash}:${size}`
}

/** Sort orders of custom vault lists. */
export const listSorts = ['media', 'recent', 'name', 'default', 'custom'] as const

/**
 * Sort order of an account's vault lists. The id is the id of the account. Without a row, the
 * default order applies.
 */
export const VaultListOrder = lazyObject(() => ({
  id: z.int(),
  sort: z.enum(listSorts),
  /** Sort direction. Null if `sort` is `custom`. */
  order: z.enum(['asc', 'desc']).nullable(),
  customOrder: z.array(z.int()),
}))
export type VaultListOrder = Readonly<z.infer<typeof VaultListOrder>>

export const vaultListOrders = defineTable({
  schema: VaultListOrder,
  references: { id: 'accounts' },
  indexes: {},
})

/**
 * The consent of a person who appears in media. The person is another creator (partner) or a guest.
 */
export const ReleaseForm = lazyObject(() => ({
  id: z.int(),
  accountId: z.int(),
  name: z.string(),
  partnerSource: z.string().nullable().default(null),
  type: z.enum(['partner', 'guest']),
  user: ReleaseFormUser,
}))
export type ReleaseForm = Readonly<z.infer<typeof ReleaseForm>>

export const releaseForms = defineTable({
  schema: ReleaseForm,
  references: { accountId: 'accounts' },
  firstId: 88_100,
  indexes: {},
})

/** Scenario settings for media and vault lists. */
export const vaultSizes = {
  vaultMedia: defineSize(
    () => count.describe('Number of media in the vault, of all four types.'),
    0,
  ),
  vaultLists: defineSize(
    () =>
      z
        .union([z.array(z.string().max(200)).max(10_000), count])
        .describe(
          'Names of custom vault lists, or the number of lists to create. With a number, the ' +
            'persona supplies the names.',
        ),
    [],
  ),
  stuckMedia: defineSize(
    () =>
      z
        .boolean()
        .describe(
          'true: the generated media that are being transcoded stay so until the action ' +
            'media.ready. Default: false.',
        ),
    false,
  ),
}
export type VaultSizes = SizeValues<typeof vaultSizes>
