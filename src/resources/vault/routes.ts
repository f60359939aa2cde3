import { z } from 'zod'
import { createTextSchema, listLimit, offset, createQueryIntegerSchema } from '../../lib/fields.ts'
import { Page } from '../../api/route.ts'
import { createRouteDefiner } from '../define.ts'
import { getMediaLinks } from '../media/media-links.ts'
import { MediaType } from '../media/schemas.ts'
import { deleteMedia } from './built-in-lists.ts'
import {
  requireMediaByHash,
  countMediaTypes,
  listVaultMedia,
  toMinimalMedia,
  toProcessingMedia,
  toVaultItem,
  toVaultMedia,
} from './view.ts'
import { getReleaseForms, requireVaultMedia, vaultSorts } from './vault.ts'
import {
  MediaTypeCounts,
  ProcessingMedia,
  ReleaseFormItem,
  VaultMediaItem,
  VaultMediaPage,
} from './schemas.ts'

const defineRoute = createRouteDefiner({ group: 'Vault' })

const listMedia = defineRoute({
  id: 'GET /v1/:account_id/vault/media',
  newestFirst: 'createdAt',
  permission: 'api_vault_list_media',
  evidence: "named in the service's own older reference; parameters of a sibling service",
  summary: 'List vault media',
  errors: ['vault_list_unknown'],
  rules: [
    'Newest first by default. sort is recent, most-liked or highest-tips. Items with equal ' +
      'values are sorted newest first. order=asc reverses the order.',
    'list_id, type and query are combined with AND. query is a case-insensitive part of the ' +
      'name of the uploaded file. An unknown list returns 404.',
    'Media that are still being processed are listed with canView false, although their ' +
      'links work.',
  ],
  pagination: { next: 'address', last: 'omitted' },
  query: () => ({
    limit: listLimit,
    offset,
    list_id: createQueryIntegerSchema({ min: 1 })
      .optional()
      .describe('The id of a custom or built-in list.'),
    query: z.string().max(200).optional().describe('Part of a file name.'),
    type: MediaType.optional(),
    sort: z.enum(Object.keys(vaultSorts) as (keyof typeof vaultSorts)[]).default('recent'),
    order: z.enum(['asc', 'desc']).default('desc'),
  }),
  data: VaultMediaPage,
  handle({ world, account, query: { list_id: listId, query: text, ...query } }) {
    const { rows, hasMore, next } = listVaultMedia(world, account, { ...query, listId, text })
    return new Page({ list: rows.map((each) => world.json(toVaultItem, each)), hasMore }, next)
  },
})

const listProcessing = defineRoute({
  id: 'GET /v1/:account_id/vault/media/processing',
  permission: 'api_vault_list_processing',
  source: 'published',
  summary: 'List the vault media that are being transcoded',
  rules: [
    'Sorted by the time when the media become ready. Unlike the rows of other lists, these ' +
      'rows have no links.',
  ],
  data: z.object({ list: z.array(ProcessingMedia) }),
  handle: ({ world, account }) => ({
    list: world.db.vaultMedia
      .list('processing', account.id)
      .map((media) => world.json(toProcessingMedia, media)),
  }),
})

const readTypes = defineRoute({
  id: 'GET /v1/:account_id/vault/media/types',
  permission: 'api_vault_read_types',
  source: 'published',
  summary: 'Count the vault media by type',
  rules: ['Always contains all four types.'],
  data: MediaTypeCounts,
  handle({ world, account }) {
    const counts = countMediaTypes(world, { accountId: account.id })
    return { list: MediaType.options.map((type) => ({ type, count: counts[type] })) }
  },
})

const lookUpHash = defineRoute({
  id: 'GET /v1/:account_id/vault/media/hash',
  permission: 'api_media_hash_lookup',
  source: 'published',
  summary: 'Find a vault media item by the hash and size of its file',
  errors: ['media_hash_unknown'],
  rules: [
    'h is the MD5 of the uploaded file, or the multipart ETag of a file uploaded in parts. ' +
      'If several media have the same bytes, the route returns the newest one. If no ' +
      'media have these bytes, the route returns 404.',
  ],
  query: () => ({
    h: createTextSchema(100).regex(/^[\da-f]{32}(-[1-9]\d{0,4})?$/, {
      error:
        'it must be an MD5 of 32 lower-case hexadecimal digits, optionally with a hyphen and ' +
        'the number of parts',
    }),
    size: createQueryIntegerSchema({ min: 1 }).describe('Size of the file in bytes.'),
  }),
  data: VaultMediaItem,
  handle: ({ world, account, query }) =>
    world.json(toVaultItem, requireMediaByHash(world, account, query.h, query.size)),
})

const readMedia = defineRoute({
  id: 'GET /v1/:account_id/vault/media/:media_id',
  permission: 'api_vault_list_media',
  source: 'reference §4 Vault',
  summary: 'Read one vault media item',
  errors: ['media_unknown'],
  rules: [
    'Media that a fan sent are not in the vault, so their ids return 404.',
    'Without refresh, the route returns the same links until they expire. With any value of ' +
      'refresh, the route returns new links, which are valid for two hours.',
  ],
  query: () => ({
    refresh: createTextSchema(200)
      .optional()
      .describe('Any value, even an empty string, requests new links.'),
  }),
  data: VaultMediaItem,
  handle({ world, account, params, query }) {
    const media = requireVaultMedia(world, account, params.media_id)
    return world.json(
      world.options.documentedOnly === true ? toMinimalMedia : toVaultMedia,
      media,
      getMediaLinks(world).window(media, query.refresh !== undefined),
    )
  },
})

const removeMedia = defineRoute({
  id: 'DELETE /v1/:account_id/vault/media/:media_id',
  permission: 'api_vault_delete_media',
  evidence: "named in the service's own older reference; path by analogy",
  summary: 'Delete a vault media item',
  errors: ['media_unknown'],
  rules: [
    'Deletes the item permanently, and removes it from every list. After that, the links of ' +
      'the item return 404.',
    'The item is removed from the media and previews of posts, messages and mass messages. ' +
      'These posts and messages are not deleted and keep their price, even without other media. ' +
      'A queued mass message that needs media is cancelled if none are left, and a scheduled ' +
      'post that is paid or has no text is deleted.',
  ],
  handle({ world, account, params }) {
    deleteMedia(world, requireVaultMedia(world, account, params.media_id))
  },
})

const listReleaseForms = defineRoute({
  id: 'GET /v1/:account_id/vault/media/:media_id/release-forms',
  permission: 'api_vault_read_release_forms',
  evidence: "named in the service's own older reference; fields of a sibling service",
  summary: 'List the release forms of a vault media item',
  errors: ['media_unknown'],
  data: z.object({ list: z.array(ReleaseFormItem) }),
  handle: ({ world, account, params }) => ({
    list: getReleaseForms(world, requireVaultMedia(world, account, params.media_id)),
  }),
})

export const vaultRoutes = [
  listMedia,
  listProcessing,
  readTypes,
  lookUpHash,
  readMedia,
  removeMedia,
  listReleaseForms,
]
