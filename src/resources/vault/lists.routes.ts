import { z } from 'zod'
import { bodyId, offset, createPageLimitSchema } from '../../lib/fields.ts'
import { includesIgnoringCase } from '../../lib/text.ts'
import { readPage } from '../../api/lists/paging.ts'
import { Page } from '../../api/route.ts'
import { createBodyFieldError } from '../../errors.ts'
import type { Account } from '../../world/tenancy/tenancy.table.ts'
import { createRouteDefiner } from '../define.ts'
import type { World } from '../world.ts'
import { listSorts } from './vault.table.ts'
import {
  addMediaToList,
  createVaultList,
  deleteVaultList,
  getVaultListOrder,
  removeMediaFromList,
  renameVaultList,
  getSortedVaultLists,
  setVaultListOrder,
} from './lists.ts'
import { CreatedVaultList, VaultListItem, VaultListPage } from './schemas.ts'
import type { VaultList } from './vault.table.ts'
import { requireMediaByIds, requireVaultList } from './vault.ts'
import { readVaultContents, toVaultList } from './view.ts'

const defineRoute = createRouteDefiner({ group: 'Vault' })

const listBody = () =>
  z.object({
    name: z
      .string()
      .max(200)
      .regex(/\S/, { error: 'it must not be empty' })
      .describe('A built-in name (Stories, Posts, Messages, Streams, Uploads) returns 400.'),
  })
const mediaBody = () => z.object({ media_ids: z.array(bodyId).min(1).max(1000) })

const listLists = defineRoute({
  id: 'GET /v1/:account_id/vault/lists',
  permission: 'api_vault_lists_list',
  evidence: "named in the service's own older reference; fields of a sibling service",
  summary: 'List vault lists',
  rules: [
    'Built-in lists come first, then custom lists in the chosen order (by default, the order ' +
      'of creation).',
    'The list Posts contains the media of posts (including scheduled and archived posts). ' +
      'Messages contains the media of sent messages, Stories the media of stories (including ' +
      'old stories), and Streams the media of saved streams. Uploads contains uploaded files.',
    'all counts all media in the vault and ignores query.',
  ],
  pagination: { next: 'address', last: 'omitted' },
  query: () => ({
    limit: createPageLimitSchema(24, 100),
    offset,
    query: z.string().max(200).optional().describe('Part of a list name, case-insensitive.'),
  }),
  data: VaultListPage,
  handle({ world, account, query }) {
    const text = query.query ?? ''
    const lists = getSortedVaultLists(world, account).filter(({ name }) =>
      includesIgnoringCase(name, text),
    )
    const { rows, hasMore, next } = readPage(lists, query)
    const list = rows.map((each) => world.json(toListRow, each))
    const { sort, order } = getVaultListOrder(world, account)
    return new Page({ list, all: world.json(toVaultContents, account), hasMore, sort, order }, next)
  },
})

const sortRoute = defineRoute({
  id: 'POST /v1/:account_id/vault/lists/sort',
  permission: 'api_vault_lists_sort',
  source: 'published',
  summary: 'Sort the custom vault lists',
  rules: [
    'media sorts by the number of media. recent sorts by the last change. name sorts by name ' +
      '(case-insensitive). default sorts by creation. Lists with equal values are sorted by ' +
      'creation.',
    'With sort=custom, customOrder is required and order is ignored. With any other sort, order ' +
      'is required and customOrder is ignored. Lists created after a custom sort come last.',
  ],
  body: () =>
    z.object({
      sort: z.enum(listSorts),
      order: z.enum(['asc', 'desc']).optional(),
      customOrder: z
        .array(bodyId)
        .max(10_000)
        .optional()
        .describe('The ids of all custom lists, each once.'),
    }),
  handle({ world, account, body }) {
    const { sort, order, customOrder } = body
    if (sort !== 'custom' && order === undefined)
      throw createBodyFieldError({ order }, 'it must be one of asc, desc')
    if (sort === 'custom' && customOrder === undefined)
      throw createBodyFieldError({ customOrder }, 'it must be an array')
    setVaultListOrder(
      world,
      account,
      sort === 'custom'
        ? { sort, order: null, customOrder: customOrder ?? [] }
        : { sort, order: order ?? null, customOrder: [] },
    )
  },
})

const createList = defineRoute({
  id: 'POST /v1/:account_id/vault/lists',
  permission: 'api_vault_lists_create',
  source: 'reference §4 Vault',
  summary: 'Create a vault list',
  rules: ['The new list is custom and empty. Custom lists can be renamed and deleted.'],
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
  id: 'PATCH /v1/:account_id/vault/lists/:list_id',
  permission: 'api_vault_lists_rename',
  source: 'reference §4 Vault',
  summary: 'Rename a vault list',
  errors: ['vault_list_unknown', 'vault_list_protected'],
  rules: ['Returns 403 for a built-in list.'],
  body: listBody,
  data: VaultListItem,
  handle({ world, account, params, body }) {
    return toVaultList(
      renameVaultList(world, requireVaultList(world, account, params.list_id), body.name),
    )
  },
})

const deleteList = defineRoute({
  id: 'DELETE /v1/:account_id/vault/lists/:list_id',
  permission: 'api_vault_lists_delete',
  source: 'reference §4 Vault',
  summary: 'Delete a vault list',
  errors: ['vault_list_unknown', 'vault_list_protected'],
  rules: ['Returns 403 for a built-in list. Does not delete the media in the list.'],
  handle({ world, account, params }) {
    deleteVaultList(world, requireVaultList(world, account, params.list_id))
  },
})

const addRoute = defineRoute({
  id: 'POST /v1/:account_id/vault/lists/:list_id/media',
  permission: 'api_vault_lists_add_media',
  evidence: 'a sibling service',
  summary: 'Add media to a vault list',
  errors: ['vault_list_unknown', 'vault_list_protected'],
  rules: [
    'Returns 403 for a built-in list. If one of the media is not in the vault, the route ' +
      'returns 400 and adds nothing. Media that are already in the list are kept.',
  ],
  body: mediaBody,
  handle({ world, account, params, body }) {
    addMediaToList(
      world,
      requireVaultList(world, account, params.list_id),
      requireMediaByIds(world, account, body.media_ids, 'media_ids'),
    )
  },
})

const removeRoute = defineRoute({
  id: 'DELETE /v1/:account_id/vault/lists/:list_id/media',
  permission: 'api_vault_lists_remove_media',
  evidence: "named in the service's own older reference; body by analogy with adding",
  summary: 'Remove media from a vault list',
  errors: ['vault_list_unknown', 'vault_list_protected'],
  rules: [
    'Returns 403 for a built-in list. Does not delete the media from the vault. Media that are ' +
      'not in the list are ignored.',
  ],
  body: mediaBody,
  handle({ world, account, params, body }) {
    removeMediaFromList(
      world,
      requireVaultList(world, account, params.list_id),
      requireMediaByIds(world, account, body.media_ids, 'media_ids'),
    )
  },
})

function toListRow(world: World, list: VaultList) {
  const contents = readVaultContents(world, { listId: list.id })
  return { ...toVaultList(list), hasMedia: contents.medias.length > 0, ...contents }
}

function toVaultContents(world: World, { id }: Account) {
  return readVaultContents(world, { accountId: id })
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
