import { z } from 'zod'
import { bodyId, listLimit, offset, pathId, createQueryIntegerSchema } from '../../lib/fields.ts'
import { readPage } from '../../api/lists/paging.ts'
import { Page } from '../../api/route.ts'
import type { Account } from '../../world/tenancy/tenancy.table.ts'
import { ApiError, createBodyFieldError } from '../../errors.ts'
import { createRouteDefiner } from '../define.ts'
import type { World } from '../world.ts'
import { requireOtherUser, findUser, requireNotDeleted } from '../users/marks.ts'
import { UserPage } from '../users/schemas.ts'
import { serialiseUser } from '../users/users.ts'
import {
  AddedToLists,
  pathListId,
  SystemListSlug,
  UserListItem,
  UserListPage,
  createListItem,
  searchUserLists,
  serialiseListItem,
  serialiseListRow,
} from './view.ts'
import {
  addListMembers,
  clearUserList,
  createUserList,
  deleteUserList,
  getListMembers,
  removeListMember,
  requireCustomList,
  requireUserList,
  updateUserList,
} from './user-lists.ts'

const defineRoute = createRouteDefiner({ group: 'User Lists' })
const sibling = 'sibling services'
const listParams = () => z.object({ list_id: pathListId() })
const memberParams = () => z.object({ list_id: pathListId(), user_id: pathId })
const listName = () => z.string().max(64).regex(/\S/, { error: 'it must not be empty' })
const maxIds = 1000
const success = { success: true as const }

const listLists = defineRoute({
  id: 'GET /v1/:account_id/user-lists',
  permission: 'api_user_lists_list',
  source: 'published',
  summary: 'List the user lists of an account',
  rules: [
    "Returns the account's custom lists, without the system lists (fans, following, recent, " +
      'friends, muted, tagged). Routes for a single list also accept the slug of a system list ' +
      'as list_id.',
    'next_page always contains limit, sort_by and sort_dir, even if they are the defaults.',
    'fans: active subscribers. recent: fans of the last 30 days. friends: fans that the ' +
      'account follows. muted: fans with muted chats. tagged: fans with a platform note.',
    'query selects lists with this text in their name, case-insensitive. related_user selects ' +
      'lists that contain this user.',
  ],
  pagination: { next: 'address', last: 'omitted' },
  query: () => ({
    limit: listLimit,
    offset,
    sort_by: z.enum(['custom', 'recent', 'name', 'people']).default('custom'),
    sort_dir: z.enum(['asc', 'desc']).default('asc'),
    query: z.string().max(100).optional().describe('Part of a list name.'),
    related_user: createQueryIntegerSchema({ min: 1 })
      .optional()
      .describe('Only lists that contain this user.'),
  }),
  data: UserListPage,
  handle({ world, account, query }) {
    const { sort_by: sort, sort_dir: order } = query
    const lists = searchUserLists(world, account, {
      sort,
      isAscending: order === 'asc',
      text: query.query,
      relatedUser: query.related_user,
    })
    const { rows, hasMore, next } = readPage(lists, query)
    return new Page(
      { list: rows.map((each) => serialiseListRow(world, account, each)), hasMore, sort, order },
      next && { limit: query.limit, sort_by: sort, sort_dir: order, ...next },
    )
  },
})

const readList = defineRoute({
  id: 'GET /v1/:account_id/user-lists/:list_id',
  permission: 'api_user_lists_read',
  evidence: sibling,
  summary: 'Read one user list',
  errors: ['user_list_unknown'],
  params: listParams,
  data: UserListItem,
  handle: ({ world, account, params }) => serialiseListItem(world, account, params.list_id),
})

const createList = defineRoute({
  id: 'POST /v1/:account_id/user-lists',
  permission: 'api_user_lists_create',
  evidence: sibling,
  summary: 'Create a user list',
  rules: [
    'The new list is custom, empty and last in the order. An account can have at most 100 ' +
      'custom lists.',
  ],
  body: () => z.object({ name: listName() }),
  data: UserListItem,
  handle: ({ world, account, body }) =>
    createListItem(world, account, createUserList(world, account, body.name).id),
})

const updateList = defineRoute({
  id: 'PATCH /v1/:account_id/user-lists/:list_id',
  permission: 'api_user_lists_update',
  evidence: sibling,
  summary: 'Rename or pin a user list',
  errors: ['user_list_unknown', 'user_list_protected'],
  rules: [
    'Omitted keys keep their values. A request that changes nothing does not affect the ' +
      'order with sort_by=recent. Returns 403 for a system list.',
  ],
  params: listParams,
  body: () =>
    z.object({
      name: listName().optional(),
      isPinnedToFeed: z.boolean().optional(),
      isPinnedToChat: z.boolean().optional(),
    }),
  data: UserListItem,
  handle({ world, account, params, body }) {
    const list = requireCustomList(world, account, params.list_id, 'changed')
    const {
      name = list.name,
      isPinnedToFeed = list.isPinnedToFeed,
      isPinnedToChat = list.isPinnedToChat,
    } = body
    updateUserList(world, list, { name, isPinnedToFeed, isPinnedToChat })
    return createListItem(world, account, list.id)
  },
})

const deleteList = defineRoute({
  id: 'DELETE /v1/:account_id/user-lists/:list_id',
  permission: 'api_user_lists_delete',
  evidence: sibling,
  summary: 'Delete a user list',
  errors: ['user_list_unknown', 'user_list_protected'],
  rules: [
    'Does not delete the users in the list. Returns 403 for a system list.',
    'A queued mass message is cancelled if the list contained its only recipients.',
  ],
  params: listParams,
  handle({ world, account, params }) {
    deleteUserList(world, requireCustomList(world, account, params.list_id, 'deleted'))
  },
})

const listMembers = defineRoute({
  id: 'GET /v1/:account_id/user-lists/:list_id/users',
  withoutEffect: { sort_by: 'it has only one value, which is the default order' },
  permission: 'api_user_lists_list_members',
  source: 'published',
  summary: 'List the members of a user list',
  errors: ['user_list_unknown'],
  rules: [
    'The members of custom lists are sorted by date added, newest first. The members of ' +
      'system lists are sorted by their latest subscription or follow, and the members of ' +
      'muted by their latest chat.',
  ],
  pagination: { next: 'address', last: 'omitted' },
  params: listParams,
  query: () => ({
    limit: listLimit,
    offset,
    sort_by: z.enum(['recent']).default('recent'),
    sort_dir: z.enum(['desc', 'asc']).default('desc'),
  }),
  data: UserPage,
  handle({ world, account, params, query }) {
    const members = getListMembers(world, account, requireUserList(world, account, params.list_id))
    const { rows, hasMore, next } = readPage(members, query, {
      backwards: query.sort_dir === 'asc',
    })
    return new Page({ list: rows.map((id) => serialiseUser(world, account.id, id)), hasMore }, next)
  },
})

const addMembersRoute = defineRoute({
  id: 'POST /v1/:account_id/user-lists/:list_id/users',
  permission: 'api_user_lists_add_members',
  evidence: sibling,
  summary: 'Add users to a list',
  errors: ['user_list_unknown', 'user_list_protected', 'fan_deleted'],
  rules: [
    "Returns 400 and adds no user if an id is unknown or is the account's own id. " +
      'Existing members keep their position. Returns 403 for a system list, and for a user who ' +
      'deleted their profile.',
  ],
  params: listParams,
  body: () => z.object({ ids: z.array(bodyId).min(1).max(maxIds).describe('User ids.') }),
  handle({ world, account, params, body }) {
    const list = requireCustomList(world, account, params.list_id, 'changed manually')
    const unknown = body.ids.find((id) => id === account.id || findUser(world, id) === undefined)
    if (unknown !== undefined)
      throw createBodyFieldError(
        { ids: unknown },
        'it must contain only ids of users other than the account itself',
      )
    for (const id of body.ids) requireNotDeleted(world, account.id, id)
    addListMembers(world, list, body.ids)
  },
})

const removeMemberRoute = defineRoute({
  id: 'DELETE /v1/:account_id/user-lists/:list_id/users/:user_id',
  permission: 'api_user_lists_remove_member',
  evidence: sibling,
  summary: 'Remove a user from a list',
  errors: ['user_list_unknown', 'user_list_protected', 'user_list_member_unknown'],
  rules: ['Returns 404 if the user is not in the list, and 403 for a system list.'],
  params: memberParams,
  handle({ world, account, params }) {
    removeListMember(
      world,
      requireCustomList(world, account, params.list_id, 'changed manually'),
      params.user_id,
    )
  },
})

const clearList = defineRoute({
  id: 'DELETE /v1/:account_id/user-lists/:list_id/users',
  permission: 'api_user_lists_clear',
  evidence: sibling,
  summary: 'Remove all users from a list',
  errors: ['user_list_unknown', 'user_list_protected'],
  rules: ['Returns 403 for a system list.'],
  params: listParams,
  handle({ world, account, params }) {
    clearUserList(world, requireCustomList(world, account, params.list_id, 'cleared'))
  },
})

const addToLists = defineRoute({
  id: 'POST /v1/:account_id/users/:user_id/lists',
  permission: 'api_user_lists_add_user_to_lists',
  evidence: 'a sibling service',
  summary: 'Add a user to several lists',
  errors: ['user_unknown', 'user_list_unknown', 'user_list_protected', 'fan_deleted'],
  rules: [
    'Each list is handled separately. The status is 200, and errors contains the failures. ' +
      'Returns 404 for an unknown user, 400 for the account itself, and 403 for a user who ' +
      'deleted their profile.',
  ],
  body: () =>
    z.object({
      listIds: z
        .array(z.union([bodyId, SystemListSlug]))
        .min(1)
        .max(100),
    }),
  data: AddedToLists,
  handle({ world, account, params, body }) {
    const { id: userId } = requireOtherUser(world, account.id, params.user_id)
    const results = [...new Set(body.listIds)].map((listId) =>
      addToList(world, account, listId, userId),
    )
    return {
      success: results.flatMap(({ success: each }) => each ?? []),
      errors: results.flatMap(({ error }) => error ?? []),
    }
  },
})

export const userListRoutes = [
  listLists,
  readList,
  createList,
  updateList,
  deleteList,
  listMembers,
  addMembersRoute,
  removeMemberRoute,
  clearList,
  addToLists,
]

function addToList(world: World, account: Account, listId: number | string, userId: number) {
  try {
    const list = requireCustomList(world, account, listId, 'changed manually')
    addListMembers(world, list, [userId])
    return { success: { listId: list.id, ...success } }
  } catch (error) {
    if (error instanceof ApiError) return { error: { listId, error: error.message } }
    throw error
  }
}
