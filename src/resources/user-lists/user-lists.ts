import type { Account } from '../../world/tenancy/tenancy.table.ts'
import { apiError, invalidParameter } from '../../errors.ts'
import type { World } from '../world.ts'
import { keepExcluded } from '../mass-messages/mass-messages.ts'
import { isSystemList, systemList } from './system-lists.ts'
import type { MemberList, SystemSlug } from './system-lists.ts'
import type { UserList } from './user-lists.table.ts'

/** The most custom lists that an account may have. Each user object names all of them. */
export const maxLists = 100

/**
 * The account's custom list of that id. `verb` says in the error what cannot be done to a system
 * list.
 * @throws {ApiError} user_list_unknown; user_list_protected for a system list
 */
export function requireCustomList(
  world: World,
  account: Account,
  id: number | string,
  verb: string,
): UserList {
  if (typeof id === 'string' && isSystemList(id))
    throw apiError('user_list_protected', { list_id: id, verb })
  const list = typeof id === 'number' ? world.db.userLists.get(id) : undefined
  if (list?.accountId !== account.id)
    throw apiError('user_list_unknown', { list_id: id, account_id: account.id })
  return list
}

/** A list of the account: a custom one with its number, or a system one with its slug. */
export type AnyUserList =
  | { id: SystemSlug; type: SystemSlug; name: string; custom: undefined }
  | { id: number; type: 'custom'; name: string; custom: UserList }

/** The account's list of that number or slug. @throws {ApiError} user_list_unknown */
export function requireUserList(world: World, account: Account, id: number | string): AnyUserList {
  const key = typeof id === 'string' && /^\d{1,15}$/.test(id) ? Number(id) : id
  if (typeof key === 'string' && isSystemList(key))
    return { id: key, type: key, name: systemList(world, account, key).name, custom: undefined }
  return toAnyList(requireCustomList(world, account, key, 'read'))
}

/** The system lists of those slugs, then all custom lists of the account in order. */
export function listsOf(
  world: World,
  account: Account,
  slugs: readonly SystemSlug[],
): AnyUserList[] {
  return [
    ...slugs.map((slug) => requireUserList(world, account, slug)),
    ...customLists(world, account.id).map(toAnyList),
  ]
}

/** The account's custom lists in order. */
export function customLists(world: World, accountId: number): UserList[] {
  return world.db.userLists.in('byAccount', accountId).slice()
}

/** The members of a list. */
export function membersOf(world: World, account: Account, list: AnyUserList): MemberList {
  if (list.custom === undefined) return systemList(world, account, list.id).members
  return customMembers(world, list.custom.id)
}

/** The members of a custom list. */
export function customMembers(world: World, listId: number): MemberList {
  const rows = world.db.userListMembers.in('byList', listId)
  return {
    size: rows.size,
    slice: (from, to) => rows.slice(from, to).map(({ userId }) => userId),
    has: (userId) => isMember(world, listId, userId),
  }
}

/** The ids of all members of a list, newest first. @throws {ApiError} user_list_unknown */
export function memberIds(
  world: World,
  account: Account,
  listIdOrSlug: number | string,
): readonly number[] {
  return membersOf(world, account, requireUserList(world, account, listIdOrSlug)).slice(
    0,
    Number.POSITIVE_INFINITY,
  )
}

/** Whether the user is in the custom list. */
export function isMember(world: World, listId: number, userId: number): boolean {
  return world.db.userListMembers.get(memberKey(listId, userId)) !== undefined
}

/**
 * Creates an empty list, the last in the order. @throws {ApiError} parameter_invalid when there are
 * too many
 */
export function createUserList(world: World, account: Account, name: string): UserList {
  const lists = customLists(world, account.id)
  if (lists.length >= maxLists)
    throw invalidParameter(
      'Body field',
      'name',
      name,
      `the account has ${maxLists} lists already: delete one first`,
    )
  const [id, now] = [world.nextId('userLists'), world.clock.iso()]
  const order = (lists.at(-1)?.order ?? 0) + 1
  return world.db.userLists.insert({
    id,
    accountId: account.id,
    name,
    order,
    isPinnedToFeed: false,
    isPinnedToChat: false,
    createdAt: now,
    updatedAt: now,
  })
}

/**
 * Renames or pins a list. A field that is left out stays. Without any change the list keeps its
 * `updatedAt`.
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
    : world.db.userLists.update(list.id, { ...changes, updatedAt: world.clock.iso() })
}

/**
 * Removes a list. Its users stay, and queued mass messages that excluded the list still exclude
 * them.
 */
export function deleteUserList(world: World, list: UserList): void {
  const members = world.db.userListMembers
    .in('byList', list.id)
    .slice()
    .map(({ userId }) => userId)
  keepExcluded(world, { accountId: list.accountId, listId: list.id, members })
  removeAll(world, list)
  world.db.userLists.remove(list.id)
}

/** Adds users to a list. A user who is in it already keeps their place. */
export function addMembers(world: World, list: UserList, userIds: readonly number[]): void {
  const addedAt = world.clock.iso()
  const added = [...new Set(userIds)].filter((userId) => !isMember(world, list.id, userId))
  for (const userId of added)
    world.db.userListMembers.insert({
      id: memberKey(list.id, userId),
      accountId: list.accountId,
      listId: list.id,
      userId,
      addedAt,
    })
  if (added.length > 0) touch(world, list)
}

/** Takes a user out of a list. @throws {ApiError} user_list_member_unknown */
export function removeMember(world: World, list: UserList, userId: number): void {
  if (world.db.userListMembers.remove(memberKey(list.id, userId)) === undefined)
    throw apiError('user_list_member_unknown', { user_id: userId, list_id: list.id })
  touch(world, list)
}

/** Takes all users out of a list. */
export function clearUserList(world: World, list: UserList): void {
  if (removeAll(world, list) > 0) touch(world, list)
}

/** Takes all users out of a list, and returns how many there were. */
function removeAll(world: World, list: UserList): number {
  const members = world.db.userListMembers.in('byList', list.id).slice()
  for (const { id } of members) world.db.userListMembers.remove(id)
  return members.length
}

/** Notes that the list changed now. */
function touch(world: World, list: UserList): void {
  world.db.userLists.update(list.id, { updatedAt: world.clock.iso() })
}

function toAnyList(list: UserList): AnyUserList {
  return { id: list.id, type: 'custom', name: list.name, custom: list }
}

/** The id of a member of a list, such as `1020000007:218000005`. */
export function memberKey(listId: number, userId: number): string {
  return `${listId}:${userId}`
}
