import { z } from 'zod'
import { markAsInferred, parseId, createQueryValueSchema, ShortUser } from '../../lib/fields.ts'

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
export const UserListRow = z.lazy(() =>
  markAsInferred(
    z.object({
      id: z.union([z.int(), z.string()]).describe('An integer, or the slug of a system list.'),
      type: z.string().describe('custom, or the slug of a system list.'),
      name: z.string(),
      usersCount: z.int(),
      postsCount: z.int().describe('Number of posts by members whom the account follows.'),
    }),
  ),
)

/** A user list, as returned by routes for a single list. */
export const UserListItem = z.lazy(() =>
  markAsInferred(
    z.object({
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
    }),
  ),
)

/** A page of lists. */
export const UserListPage = z.lazy(() =>
  markAsInferred(
    z.object({
      list: z.array(UserListRow),
      hasMore: z.boolean(),
      sort: z.string().describe('The value of sort_by.'),
      order: z.string().describe('The value of sort_dir.'),
    }),
  ),
)

/** The result of adding a user to several lists. */
export const AddedToLists = z.lazy(() =>
  markAsInferred(
    z.object({
      success: z.array(z.object({ listId: z.int(), success: z.literal(true) })),
      errors: z.array(z.object({ listId: z.union([z.int(), z.string()]), error: z.string() })),
    }),
  ),
)
