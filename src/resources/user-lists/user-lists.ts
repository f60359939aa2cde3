import { getNextTieNumber } from '../../data/sorted-list.ts'
import type { Account } from '../../world/tenancy/tenancy.table.ts'
import { createApiError, createBodyFieldError } from '../../errors.ts'
import type { World } from '../world.ts'
import { removeListFromQueue } from '../mass-messages/mass-messages.ts'
import { isSystemList, getSystemList } from './system-lists.ts'
import type { MemberList, SystemSlug } from './system-lists.ts'
import type { UserList } from './user-lists.table.ts'

/**
 * Maximum number of custom lists per account. The number is limited because each user object
 * contains all lists.
 */
export const maxLists = 100

/**
 * Returns the account's custom list with the given id. `verb` names the operation in the error
 * message for system lists.
 * @throws {ApiError} user_list_unknown; user_list_protected for a system list
 */
export function requireCustomList(
  world: World,
  account: Account,
  id: number | string,
  verb: string,
): UserList {
  if (typeof id === 'string' && isSystemList(id))
    throw createApiError('user_list_protected', { list_id: id, verb })
  const list = typeof id === 'number' ? world.db.userLists.get(id) : undefined
  if (list?.accountId !== account.id)
    throw createApiError('user_list_unknown', { list_id: id, account_id: account.id })
  return list
}

/** A list of the account. Custom lists have a number as id, and system lists have their slug. */
export type AnyUserList =
  | { id: SystemSlug; type: SystemSlug; name: string; custom: undefined }
  | { id: number; type: 'custom'; name: string; custom: UserList }

/**
 * Returns the account's list with the given id or slug.
 * @throws {ApiError} user_list_unknown
 */
export function requireUserList(world: World, account: Account, id: number | string): AnyUserList {
  const key = typeof id === 'string' && /^\d{1,15}$/.test(id) ? Number(id) : id
  if (typeof key === 'string' && isSystemList(key))
    return { id: key, type: key, name: getSystemList(world, account, key).name, custom: undefined }
  return toAnyList(requireCustomList(world, account, key, 'read'))
}

/**
 * Returns the system lists with the given slugs, followed by all custom lists of the account in
 * order.
 */
export function listUserLists(
  world: World,
  account: Account,
  slugs: readonly SystemSlug[],
): AnyUserList[] {
  return [
    ...slugs.map((slug) => requireUserList(world, account, slug)),
    ...listCustomLists(world, account.id).map(toAnyList),
  ]
}

/** Returns the account's custom lists in order. */
export function listCustomLists(world: World, accountId: number): UserList[] {
  return world.db.userLists.list('byAccount', accountId)
}

/** Returns the members of a list. */
export function getListMembers(world: World, account: Account, list: AnyUserList): MemberList {
  if (list.custom === undefined) return getSystemList(world, account, list.id).members
  return getCustomListMembers(world, list.custom.id)
}

/** Returns the members of a custom list. */
export function getCustomListMembers(world: World, listId: number): MemberList {
  const rows = world.db.userListMembers.in('byList', listId)
  return {
    size: rows.size,
    slice: (from, to) => rows.slice(from, to).map(({ userId }) => userId),
    has: (userId) => isListMember(world, listId, userId),
  }
}

/**
 * Returns the ids of all members of a list, newest first.
 * @throws {ApiError} user_list_unknown
 */
export function listMemberIds(
  world: World,
  account: Account,
  listIdOrSlug: number | string,
): readonly number[] {
  return getListMembers(world, account, requireUserList(world, account, listIdOrSlug)).slice(
    0,
    Number.POSITIVE_INFINITY,
  )
}

/** True if the user is in the custom list. */
export function isListMember(world: World, listId: number, userId: number): boolean {
  return world.db.userListMembers.get(toMemberKey(listId, userId)) !== undefined
}

/**
 * Creates an empty list at the end of the order.
 * @throws {ApiError} parameter_invalid if the account already has the maximum number of lists
 */
export function createUserList(world: World, account: Account, name: string): UserList {
  const lists = listCustomLists(world, account.id)
  if (lists.length >= maxLists)
    throw createBodyFieldError(
      { name },
      `the account already has ${maxLists} lists. Delete one first`,
    )
  const [id, now] = [world.nextId('userLists'), world.clock.iso()]
  const order = (lists.at(-1)?.order ?? 0) + 1
  return world.db.userLists.insert({
    id,
    accountId: account.id,
    name,
    order,
    createdAt: now,
    ...createUpdateFields(world, account.id),
  })
}

/**
 * Renames or pins a list. Omitted fields are not changed. `updatedAt` changes only if a value
 * really changes.
 */
export function updateUserList(
  world: World,
  list: UserList,
  changes: Partial<Pick<UserList, 'name' | 'isPinnedToFeed' | 'isPinnedToChat'>>,
): UserList {
  const isUnchanged = (Object.keys(changes) as (keyof typeof changes)[]).every(
    (field) => changes[field] === list[field],
  )
  return isUnchanged
    ? list
    : world.db.userLists.update(list.id, {
        ...changes,
        ...createUpdateFields(world, list.accountId),
      })
}

/**
 * Deletes a list, but not its users. Queued mass messages that exclude the list continue to exclude
 * its users. Queued mass messages without other recipients are cancelled.
 */
export function deleteUserList(world: World, list: UserList): void {
  const members = world.db.userListMembers.list('byList', list.id).map(({ userId }) => userId)
  removeListFromQueue(world, { accountId: list.accountId, listId: list.id, members })
  removeAll(world, list)
  world.db.userLists.remove(list.id)
}

/** Adds users to a list. Existing members keep their position. */
export function addListMembers(world: World, list: UserList, userIds: readonly number[]): void {
  const addedAt = world.clock.iso()
  const added = [...new Set(userIds)].filter((userId) => !isListMember(world, list.id, userId))
  for (const userId of added)
    world.db.userListMembers.insert({
      id: toMemberKey(list.id, userId),
      accountId: list.accountId,
      listId: list.id,
      userId,
      addedAt,
      number: getNextTieNumber(world.db.userListMembers.in('byList', list.id), addedAt, {
        timeOf: (row) => row.addedAt,
        numberOf: (row) => row.number,
      }),
    })
  if (added.length > 0) setUpdatedAt(world, list)
}

/**
 * Removes a user from a list.
 * @throws {ApiError} user_list_member_unknown
 */
export function removeListMember(world: World, list: UserList, userId: number): void {
  if (world.db.userListMembers.remove(toMemberKey(list.id, userId)) === undefined)
    throw createApiError('user_list_member_unknown', { user_id: userId, list_id: list.id })
  setUpdatedAt(world, list)
}

/** Removes all users from a list. */
export function clearUserList(world: World, list: UserList): void {
  if (removeAll(world, list) > 0) setUpdatedAt(world, list)
}

/** Removes all users from a list and returns the number of removed users. */
function removeAll(world: World, list: UserList): number {
  const members = world.db.userListMembers.list('byList', list.id)
  world.db.userListMembers.removeMany(members.map(({ id }) => id))
  return members.length
}

/** Sets `updatedAt` to now. */
function setUpdatedAt(world: World, { id, accountId }: UserList): void {
  world.db.userLists.update(id, createUpdateFields(world, accountId))
}

/** Returns the fields of a list that changes now, after all other lists of the account. */
function createUpdateFields(
  world: World,
  accountId: number,
): Pick<UserList, 'updatedAt' | 'updateNumber'> {
  const now = world.clock.iso()
  const numbers = listCustomLists(world, accountId)
    .filter(({ updatedAt }) => updatedAt === now)
    .map(({ updateNumber }) => updateNumber + 1)
  return { updatedAt: now, updateNumber: Math.max(0, ...numbers) }
}

function toAnyList(list: UserList): AnyUserList {
  return { id: list.id, type: 'custom', name: list.name, custom: list }
}

/** Returns the record id of a member of a list, such as `1020000007:218000005`. */
export function toMemberKey(listId: number, userId: number): string {
  return `${listId}:${userId}`
}
