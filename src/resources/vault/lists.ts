import { compareIds } from '../../data/rows.ts'
import type { Account } from '../../world/tenancy/tenancy.table.ts'
import { createApiError, createBodyFieldError } from '../../errors.ts'
import { requireTexts } from '../../seed/texts.ts'
import type { World } from '../world.ts'
import type { listSorts, VaultListOrder, VaultList, VaultMedia } from './vault.table.ts'
import { toVaultKey, builtInLists } from './vault.table.ts'

/** Returns the sort order of the account's lists. */
export function getVaultListOrder(world: World, account: Account): VaultListOrder {
  return (
    world.db.vaultListOrders.get(account.id) ?? {
      id: account.id,
      sort: 'default',
      order: 'asc',
      customOrder: [],
    }
  )
}

/**
 * Returns the account's lists: first the built-in lists, then the custom lists in their sort order.
 */
export function getSortedVaultLists(world: World, account: Account): VaultList[] {
  const lists = world.db.vaultLists.list('byAccount', account.id)
  const { sort, order, customOrder } = getVaultListOrder(world, account)
  const custom = lists.filter(({ type }) => type === 'custom')
  const places = new Map(customOrder.map((id, place) => [id, place]))
  const keys: Record<(typeof listSorts)[number], (list: VaultList) => number | string> = {
    media: ({ id }) => world.db.vaultMedia.in('recent', toVaultKey({ listId: id })).size,
    recent: ({ modifiedAt = '' }) => modifiedAt,
    name: ({ name }) => name.toLowerCase(),
    default: ({ id }) => id,
    // Lists that were created after the last change of the order come last.
    custom: ({ id }) => places.get(id) ?? places.size,
  }
  const sign = order === 'desc' ? -1 : 1
  const keyed = custom.map((list) => ({ list, key: keys[sort](list) }))
  keyed.sort((a, b) => sign * (compareIds(a.key, b.key) || a.list.id - b.list.id))
  return [...lists.filter(({ type }) => type !== 'custom'), ...keyed.map(({ list }) => list)]
}

/**
 * Sets the sort order of the account's custom lists.
 * @throws {ApiError} parameter_invalid if a custom order does not contain each custom list exactly
 * once
 */
export function setVaultListOrder(
  world: World,
  account: Account,
  { sort, order, customOrder }: Omit<VaultListOrder, 'id'>,
): void {
  if (sort === 'custom') requireEveryList(world, account, customOrder)
  world.db.vaultListOrders.put({ id: account.id, sort, order, customOrder: [...customOrder] })
}

function requireEveryList(world: World, account: Account, customOrder: readonly number[]): void {
  const custom = world.db.vaultLists
    .list('byAccount', account.id)
    .filter(({ type }) => type === 'custom')
  const named = new Set(customOrder)
  if (
    named.size === customOrder.length &&
    named.size === custom.length &&
    custom.every(({ id }) => named.has(id))
  )
    return
  throw createBodyFieldError(
    { customOrder },
    `it must contain each custom list of account ${account.id} once: ` +
      `${custom.length === 0 ? 'no id' : `${custom.length} ids`}`,
  )
}

/**
 * Creates an empty custom list.
 * @throws {ApiError} parameter_invalid for the name of a built-in list
 */
export function createVaultList(world: World, account: Account, name: string): VaultList {
  rejectBuiltInName(world, name)
  return world.db.vaultLists.insert({
    id: world.nextId('vaultLists'),
    accountId: account.id,
    type: 'custom',
    name,
    modifiedAt: world.clock.iso(),
  })
}

/**
 * Renames a custom list.
 * @throws {ApiError} vault_list_protected for a built-in list, parameter_invalid for the name of a
 * built-in list
 */
export function renameVaultList(world: World, list: VaultList, name: string): VaultList {
  if (!list.canUpdate) throw createProtectedError(list, 'renamed')
  rejectBuiltInName(world, name)
  return world.db.vaultLists.update(list.id, { name, modifiedAt: world.clock.iso() })
}

/**
 * Deletes a custom list. Its media stay in the vault.
 * @throws {ApiError} vault_list_protected for a built-in list
 */
export function deleteVaultList(world: World, list: VaultList): void {
  if (!list.canDelete) throw createProtectedError(list, 'deleted')
  takeFromList(world, list, world.db.vaultMedia.list('recent', toVaultKey({ listId: list.id })))
  world.db.vaultLists.remove(list.id)
}

/**
 * Adds media to a custom list.
 * @throws {ApiError} vault_list_protected for a built-in list
 */
export function addMediaToList(world: World, list: VaultList, media: readonly VaultMedia[]): void {
  if (!list.canUpdate) throw createProtectedError(list, 'filled manually')
  world.db.vaultLists.update(list.id, { modifiedAt: world.clock.iso() })
  for (const { id } of media) {
    const listIds = world.db.vaultMedia.get(id)?.listIds ?? []
    if (!listIds.includes(list.id))
      world.db.vaultMedia.update(id, { listIds: [...listIds, list.id] })
  }
}

/**
 * Removes media from a custom list. The media stay in the vault.
 * @throws {ApiError} vault_list_protected for a built-in list
 */
export function removeMediaFromList(
  world: World,
  list: VaultList,
  media: readonly VaultMedia[],
): void {
  if (!list.canUpdate) throw createProtectedError(list, 'emptied manually')
  world.db.vaultLists.update(list.id, { modifiedAt: world.clock.iso() })
  takeFromList(world, list, media)
}

function createProtectedError({ id, name }: VaultList, verb: string) {
  return createApiError('vault_list_protected', { list_id: id, name, verb })
}

function takeFromList(world: World, list: VaultList, media: readonly VaultMedia[]): void {
  for (const { id } of media) {
    const listIds = world.db.vaultMedia.get(id)?.listIds ?? []
    if (listIds.includes(list.id))
      world.db.vaultMedia.update(id, { listIds: listIds.filter((other) => other !== list.id) })
  }
}

function rejectBuiltInName(world: World, name: string): void {
  const texts = requireTexts(world).lists.vault
  const names = builtInLists.map((type) => texts[type])
  const isBuiltIn = names.some((builtIn) => builtIn.toLowerCase() === name.trim().toLowerCase())
  if (isBuiltIn)
    throw createBodyFieldError(
      { name },
      `it must not be one of ${names.join(', ')}, which are built in`,
    )
}
