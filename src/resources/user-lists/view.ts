import { z } from 'zod'
import { parseId, createQueryValueSchema, ShortUser, lazyInferredObject } from '../../lib/fields.ts'
import type { JsonFragment } from '../../lib/json-fragment.ts'
import { includesIgnoringCase } from '../../lib/text.ts'
import { compareIds } from '../../data/rows.ts'
import type { Account } from '../../world/tenancy/tenancy.table.ts'
import type { World } from '../world.ts'
import { countCreatorPosts } from '../users/profiles.ts'
import { toUserReference } from '../users/users.ts'
import { filterFollowed } from './system-lists.ts'
import type { MemberList } from './system-lists.ts'
import {
  getCustomListMembers,
  listUserLists,
  getListMembers,
  requireUserList,
} from './user-lists.ts'
import type { AnyUserList } from './user-lists.ts'

/** The slug of a system list. */
export const SystemListSlug = z.enum(['fans', 'following', 'friends', 'muted', 'recent', 'tagged'])

/** A list in the path: the id, or the slug of a system list. */
export const pathListId = () =>
  createQueryValueSchema(
    `it must be an integer or one of ${SystemListSlug.options.join(', ')}`,
    {
      anyOf: [
        { type: 'integer', format: 'int64', minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
        { type: 'string', enum: SystemListSlug.options },
      ],
      examples: ['fans'],
    },
    (text) => parseId(text) ?? SystemListSlug.safeParse(text).data,
  )

const order = () => z.object({ order: z.string(), direction: z.string() })

/** A user list, in the format of the list of user lists. */
export const UserListRow = lazyInferredObject(() => ({
  id: z.union([z.int(), z.string()]).describe('An integer, or the slug of a system list.'),
  type: z.string().describe('custom, or the slug of a system list.'),
  name: z.string(),
  usersCount: z.int(),
  postsCount: z.int().describe('Number of posts by members whom the account follows.'),
}))

/** A user list, as returned by routes for a single list. */
export const UserListItem = lazyInferredObject(() => ({
  ...UserListRow.unwrap().shape,
  canUpdate: z.boolean(),
  canDelete: z.boolean(),
  canManageUsers: z.boolean(),
  canAddUsers: z.boolean(),
  canPinnedToFeed: z.boolean(),
  isPinnedToFeed: z.boolean(),
  canPinnedToChat: z.boolean(),
  isPinnedToChat: z.boolean(),
  order: z.string(),
  direction: z.string(),
  sortList: z.array(order()).describe('Possible sort orders of the members.'),
  users: z.array(ShortUser).describe('The three newest members.'),
}))

/** A page of lists. */
export const UserListPage = lazyInferredObject(() => ({
  list: z.array(UserListRow),
  hasMore: z.boolean(),
  sort: z.string().describe('The value of sort_by.'),
  order: z.string().describe('The value of sort_dir.'),
}))

/** The result of adding a user to several lists. */
export const AddedToLists = lazyInferredObject(() => ({
  success: z.array(z.object({ listId: z.int(), success: z.literal(true) })),
  errors: z.array(z.object({ listId: z.union([z.int(), z.string()]), error: z.string() })),
}))

/** Filters and sort order of the lists. */
interface ListQuery {
  sort: 'custom' | 'recent' | 'name' | 'people'
  isAscending: boolean
  /** Part of the name of a list, ignoring case. */
  text?: string
  /** If set, only lists that contain this user are returned. */
  relatedUser?: number
}

/**
 * Returns the account's custom lists that match the filters, in order. Sorts them on each call,
 * because an account has few lists.
 */
export function searchUserLists(
  world: World,
  account: Account,
  { sort, isAscending, text = '', relatedUser }: ListQuery,
): AnyUserList[] {
  const lists = listUserLists(world, account, []).filter(({ name }) =>
    includesIgnoringCase(name, text),
  )
  const related =
    relatedUser === undefined
      ? lists
      : lists.filter((list) => getListMembers(world, account, list).has(relatedUser))
  const ranked = related.map((list, index) => ({
    list,
    index,
    number: sort === 'recent' ? (list.custom?.updateNumber ?? 0) : 0,
    key: getSortKey(world, account, list, { sort, index }),
  }))
  const sign = isAscending ? 1 : -1
  return ranked
    .toSorted(
      (a, b) => sign * (compareIds(a.key, b.key) || a.number - b.number || a.index - b.index),
    )
    .map(({ list }) => list)
}

/** Returns a row of the list of user lists, serialised. */
export function serialiseListRow(
  world: World,
  account: Account,
  { id }: AnyUserList,
): JsonFragment<z.infer<typeof UserListRow>> {
  return world.json(toListRow, account, id)
}

/**
 * Returns a list in the format of routes for a single list, serialised.
 * @throws {ApiError} user_list_unknown
 */
export function serialiseListItem(
  world: World,
  account: Account,
  id: number | string,
): JsonFragment<z.infer<typeof UserListItem>> {
  return world.json(createListItem, account, requireUserList(world, account, id).id)
}

/**
 * Returns a list in the format of routes for a single list. The result is not cached, because it is
 * needed only once, after a change.
 */
export function createListItem(
  world: World,
  account: Account,
  id: AnyUserList['id'],
): z.infer<typeof UserListItem> {
  const list = requireUserList(world, account, id)
  const { custom } = list
  const isCustom = custom !== undefined
  const newest = { order: 'recent', direction: 'desc' }
  return {
    ...toListRow(world, account, id),
    canUpdate: isCustom,
    canDelete: isCustom,
    canManageUsers: isCustom,
    canAddUsers: isCustom,
    canPinnedToFeed: isCustom,
    isPinnedToFeed: custom?.isPinnedToFeed ?? false,
    canPinnedToChat: isCustom,
    isPinnedToChat: custom?.isPinnedToChat ?? false,
    ...newest,
    sortList: [newest, { order: 'recent', direction: 'asc' }],
    users: getListMembers(world, account, list).slice(0, 3).map(toUserReference),
  }
}

function toListRow(
  world: World,
  account: Account,
  id: AnyUserList['id'],
): z.infer<typeof UserListRow> {
  const list = requireUserList(world, account, id)
  const members = getListMembers(world, account, list)
  const { type, name, custom } = list
  // Counting the posts of a custom list is slow, so the count is cached separately from the name of
  // the list.
  const postsCount =
    custom === undefined
      ? countMemberPosts(world, account, members)
      : world.cached(countPostsOfCustomList, account, custom.id)
  return { id, type, name, usersCount: members.size, postsCount }
}

function countPostsOfCustomList(world: World, account: Account, listId: number): number {
  return countMemberPosts(world, account, getCustomListMembers(world, listId))
}

/** Counts the posts of the members whom the account follows. */
export function countMemberPosts(world: World, account: Account, members: MemberList): number {
  return filterFollowed(world, account, members).reduce(
    (sum, userId) => sum + countCreatorPosts(world, userId),
    0,
  )
}

/** Returns the sort key of a list. */
function getSortKey(
  world: World,
  account: Account,
  list: AnyUserList,
  { sort, index }: { sort: ListQuery['sort']; index: number },
): number | string {
  if (sort === 'name') return list.name.toLowerCase()
  if (sort === 'people') return getListMembers(world, account, list).size
  return sort === 'recent' ? (list.custom?.updatedAt ?? account.joinDate) : index
}
