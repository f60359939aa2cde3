import { z } from 'zod'
import { assetOf } from '../model/media-links.ts'
import type { MediaFiles } from '../model/media-links.ts'
import { createVaultList, deleteVaultList, renameVaultList, requireVaultList, requireVaultMedia } from '../model/vault.ts'
import type { VaultList, VaultMedia } from '../model/vault.ts'
import { defineRoute } from '../route.ts'
import { pathId, Success } from '../schemas/common.ts'
import { CreatedVaultList, VaultListItem, VaultMediaItem } from '../schemas/vault.ts'

const listParams = z.object({ list_id: pathId })
const listBody = z.object({ name: z.string().regex(/\S/, { error: 'it must not be empty' }).describe('A built-in name (Stories, Posts, Messages, Streams, Uploads) is 400.') })

const readMedia = defineRoute({
  method: 'GET',
  path: '/v1/:account_id/vault/media/:media_id',
  group: 'Vault',
  permission: 'api_vault_list_media',
  kind: 'relay',
  source: 'reference §4 Vault',
  summary: 'Read one vault media item',
  rules: ['Without refresh the same links are handed out until they expire; with refresh, whatever its value, a new two-hour window.'],
  params: z.object({ media_id: pathId }),
  query: z.object({ refresh: z.string().optional().describe('Any value, also an empty one: new links.') }),
  data: VaultMediaItem,
  handle({ world, account, params, query }) {
    const media = requireVaultMedia(world, account, params.media_id)
    return toVaultMedia(media, world.mediaLinks.window(media, query.refresh !== undefined))
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
    return { ...toVaultList(list), videosCount: 0, photosCount: 0, gifsCount: 0, audiosCount: 0, medias: [] }
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
    return toVaultList(renameVaultList(world, requireVaultList(world, account, params.list_id), body.name))
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

export const vaultRoutes = [readMedia, createList, renameList, deleteList]

function toVaultList({ id, type, name, canUpdate, canDelete }: VaultList) {
  return { id, type, name, canUpdate, canDelete }
}

function toVaultMedia(media: VaultMedia, files: MediaFiles) {
  const { id, type, createdAt, isReady, canView, likesCount, tipsSumm, duration } = media
  const { variants } = assetOf(media)
  const sized = (name: keyof MediaFiles) => {
    const { width, height, size } = variants[name]
    return { ...files[name], ...(width === 0 ? {} : { width, height }), size }
  }
  return {
    id,
    type,
    createdAt,
    isReady,
    canView,
    counters: { likesCount, tipsSumm },
    files: { full: sized('full'), thumb: sized('thumb'), preview: sized('preview'), squarePreview: sized('squarePreview') },
    duration,
  }
}
