import { z } from 'zod'
import { bodyId, offset, pageLimit, pathId, Success } from '../../lib/fields.ts'
import { pageOf } from '../../api/lists/paging.ts'
import { page } from '../../api/route.ts'
import { invalidParameter } from '../../errors.ts'
import type { Account } from '../../world/tenancy/tenancy.table.ts'
import { defineRoute } from '../define.ts'
import type { World } from '../world.ts'
import { listSorts } from './lists.table.ts'
import {
  addMedia,
  createVaultList,
  deleteVaultList,
  listOrderOf,
  removeMedia,
  renameVaultList,
  sortedLists,
  sortLists,
} from './lists.ts'
import { CreatedVaultList, VaultListItem, VaultListPage } from './schemas.ts'
import type { VaultList } from './vault.table.ts'
import { requireMedia, requireVaultList } from './vault.ts'
import { toContents, toVaultList } from './view.ts'

const listParams = () => z.object({ list_id: pathId })
const listBody = () =>
  z.object({
    name: z
      .string()
      .max(200)
      .regex(/\S/, { error: 'it must not be empty' })
      .describe('A built-in name (Stories, Posts, Messages, Streams, Uploads) is 400.'),
  })
const mediaBody = () => z.object({ media_ids: z.array(bodyId).min(1).max(1000) })

const listLists = defineRoute({
  method: 'GET',
  path: '/v1/:account_id/vault/lists',
  group: 'Vault',
  permission: 'api_vault_lists_list',
  kind: 'relay',
  source: 'inferred',
  evidence: "named in the service's own older reference; fields of a sibling service",
  summary: 'List vault lists',
  rules: [
    'Built-in lists come first, then the custom ones as they were sorted last (at first: in the ' +
      'order they were made).',
    'Posts, Messages, Stories and Streams hold the media of posts (scheduled and archived ones ' +
      'too), sent messages, ' +
      'stories (also past their 24 hours) and saved streams; Uploads what was uploaded.',
    'all counts the whole vault, whatever query says.',
  ],
  pagination: { next: 'address', last: 'omitted' },
  query: () =>
    z.object({
      limit: pageLimit(24, 100),
      offset,
      query: z.string().max(200).optional().describe('Part of the name, in any case.'),
    }),
  data: VaultListPage,
  handle({ world, account, query }) {
    const needle = query.query?.toLowerCase() ?? ''
    const lists = sortedLists(world, account).filter(({ name }) =>
      name.toLowerCase().includes(needle),
    )
    const { rows, hasMore, next } = pageOf(lists, query)
    const list = rows.map((each) => world.json(toListRow, each))
    const { sort, order } = listOrderOf(world, account)
    return page({ list, all: world.json(toVaultContents, account), hasMore, sort, order }, next)
  },
})

const sortRoute = defineRoute({
  method: 'POST',
  path: '/v1/:account_id/vault/lists/sort',
  group: 'Vault',
  permission: 'api_vault_lists_sort',
  kind: 'relay',
  source: 'published',
  summary: 'Sort the custom vault lists',
  rules: [
    'media sorts by how many media a list holds, recent by when it was made, renamed, filled or ' +
      'emptied last, ' +
      'name by its name in any case, default by when it was made; ties by when they were made.',
    'order is needed, and customOrder not looked at, unless sort is custom; then it is the ' +
      'other way round. ' +
      'A list made after a custom sort comes last.',
  ],
  body: () =>
    z.object({
      sort: z.enum(listSorts),
      order: z.enum(['asc', 'desc']).optional(),
      customOrder: z.array(bodyId).max(10_000).optional().describe('Every custom list once.'),
    }),
  data: Success,
  handle({ world, account, body }) {
    const { sort, order, customOrder } = body
    if (sort !== 'custom' && order === undefined)
      throw invalidParameter('Body field', 'order', order, 'it must be one of asc, desc')
    if (sort === 'custom' && customOrder === undefined)
      throw invalidParameter('Body field', 'customOrder', customOrder, 'it must be an array')
    sortLists(
      world,
      account,
      sort === 'custom'
        ? { sort, order: null, customOrder: customOrder ?? [] }
        : { sort, order: order ?? null, customOrder: [] },
    )
    return { success: true as const }
  },
})

const createList = defineRoute({
  method: 'POST',
  path: '/v1/:account_id/vault/lists',
  group: 'Vault',
  permission: 'api_vault_lists_create',
  kind: 'relay',
  source: 'reference §4 Vault',
  summary: 'Create a vault list',
  rules: ['The new list is custom, may be renamed and deleted, and is empty.'],
  body: listBody,
  data: CreatedVaultList,
  handle({ world, account, body }) {
    const list = createVaultList(world, account, body.name)
    return {
      ...toVaultList(list),
      videosCount: 0,
      photosCount: 0,
      gifsCount: 0,
      audiosCount: 0,
      medias: [],
    }
  },
})

const renameList = defineRoute({
  method: 'PATCH',
  path: '/v1/:account_id/vault/lists/:list_id',
  group: 'Vault',
  permission: 'api_vault_lists_rename',
  kind: 'relay',
  source: 'reference §4 Vault',
  summary: 'Rename a vault list',
  rules: ['A built-in list is 403.'],
  params: listParams,
  body: listBody,
  data: VaultListItem,
  handle({ world, account, params, body }) {
    return toVaultList(
      renameVaultList(world, requireVaultList(world, account, params.list_id), body.name),
    )
  },
})

const deleteList = defineRoute({
  method: 'DELETE',
  path: '/v1/:account_id/vault/lists/:list_id',
  group: 'Vault',
  permission: 'api_vault_lists_delete',
  kind: 'relay',
  source: 'reference §4 Vault',
  summary: 'Delete a vault list',
  rules: ['A built-in list is 403; the media inside stay in the vault.'],
  params: listParams,
  data: Success,
  handle({ world, account, params }) {
    deleteVaultList(world, requireVaultList(world, account, params.list_id))
    return { success: true as const }
  },
})

const addRoute = defineRoute({
  method: 'POST',
  path: '/v1/:account_id/vault/lists/:list_id/media',
  group: 'Vault',
  permission: 'api_vault_lists_add_media',
  kind: 'relay',
  source: 'inferred',
  evidence: 'a sibling service',
  summary: 'Put media into a vault list',
  rules: [
    'A built-in list is 403. Media that are not in the vault are 400 and nothing is added; what ' +
      'the list holds already stays.',
  ],
  params: listParams,
  body: mediaBody,
  data: Success,
  handle({ world, account, params, body }) {
    addMedia(
      world,
      requireVaultList(world, account, params.list_id),
      requireMedia(world, account, body.media_ids, 'media_ids'),
    )
    return { success: true as const }
  },
})

const removeRoute = defineRoute({
  method: 'DELETE',
  path: '/v1/:account_id/vault/lists/:list_id/media',
  group: 'Vault',
  permission: 'api_vault_lists_remove_media',
  kind: 'relay',
  source: 'inferred',
  evidence: "named in the service's own older reference; body by analogy with adding",
  summary: 'Take media out of a vault list',
  rules: [
    'A built-in list is 403. The media stay in the vault; what the list does not hold is passed ' +
      'over.',
  ],
  params: listParams,
  body: mediaBody,
  data: Success,
  handle({ world, account, params, body }) {
    removeMedia(
      world,
      requireVaultList(world, account, params.list_id),
      requireMedia(world, account, body.media_ids, 'media_ids'),
    )
    return { success: true as const }
  },
})

function toListRow(world: World, list: VaultList) {
  const contents = toContents(world, { listId: list.id })
  return { ...toVaultList(list), hasMedia: contents.medias.length > 0, ...contents }
}

function toVaultContents(world: World, { id }: Account) {
  return toContents(world, { accountId: id })
}

export const vaultListRoutes = [
  listLists,
  sortRoute,
  createList,
  renameList,
  deleteList,
  addRoute,
  removeRoute,
]
