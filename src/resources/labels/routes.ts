import { z } from 'zod'
import {
  bodyId,
  createTextSchema,
  listLimit,
  maxBodyIds,
  offset,
  lazyInferredObject,
} from '../../lib/fields.ts'
import { Page } from '../../api/route.ts'
import type { Account } from '../../world/tenancy/tenancy.table.ts'
import { createRouteDefiner } from '../define.ts'
import type { World } from '../world.ts'
import { archiveBuckets, toFeedKey } from '../posts/posts.table.ts'
import type { Post } from '../posts/posts.table.ts'
import { requirePost, requirePublishedPost } from '../posts/posts.ts'
import type { PostLabel } from './labels.table.ts'
import { md5 } from '@noble/hashes/legacy.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import type { SortedList } from '../../data/sorted-list.ts'
import { createApiError } from '../../errors.ts'

/** A post label: a custom label or an archive bucket. */
export const PostLabelItem = lazyInferredObject(() => ({
  id: z.union([z.int(), z.enum(['archived', 'private_archived'])]),
  name: z.string(),
  type: z.enum(['custom', 'archived', 'private_archived']),
  isClearInProgress: z.boolean(),
  postsCount: z.int(),
  posts: z.array(z.object({ id: z.int() })).describe('Some of the newest posts with the label.'),
}))

/** A page of labels. */
export const PostLabelPage = lazyInferredObject(() => ({
  list: z.array(PostLabelItem),
  hasMore: z.boolean(),
  nextOffset: z.int(),
  order: z.literal('asc'),
  sort: z.literal('default'),
  hashSort: z
    .string()
    .describe('A hash of the ids of the custom labels. Renaming a label does not change it.'),
}))

const defineRoute = createRouteDefiner({ group: 'Post Labels' })
const labelBody = () =>
  z.object({ name: createTextSchema(200).regex(/\S/, { error: 'it must not be empty' }) })
const bucketNames = { archived: 'Archived', private_archived: 'Private archive' } as const

const listLabels = defineRoute({
  id: 'GET /v1/:account_id/posts/labels',
  permission: 'api_post_labels_list',
  evidence: 'a sibling service',
  summary: 'List the post labels',
  rules: [
    'Lists the two archive buckets first, then the custom labels, oldest first. nextOffset ' +
      'is offset plus the number of returned rows.',
  ],
  pagination: { next: 'address', last: 'omitted' },
  query: () => ({ limit: listLimit, offset }),
  data: PostLabelPage,
  handle({ world, account, query }) {
    const custom = world.db.postLabels.in('byAccount', account.id)
    const buckets = archiveBuckets.slice(query.offset, query.offset + query.limit)
    const start = Math.max(0, query.offset - archiveBuckets.length)
    const labels = custom.slice(start, start + query.limit - buckets.length)
    const list = [
      ...buckets.map((bucket) => world.json(toBucket, account, bucket)),
      ...labels.map((label) => world.json(toItem, label)),
    ]
    const nextOffset = query.offset + list.length
    const hasMore = nextOffset < archiveBuckets.length + custom.size
    return new Page(
      {
        list,
        hasMore,
        nextOffset,
        order: 'asc' as const,
        sort: 'default' as const,
        hashSort: world.cached(hashLabelIds, account),
      },
      hasMore ? { offset: nextOffset } : null,
    )
  },
})

const createLabel = defineRoute({
  id: 'POST /v1/:account_id/posts/labels',
  permission: 'api_post_labels_create',
  evidence: 'a sibling service',
  summary: 'Create a post label',
  body: labelBody,
  data: PostLabelItem,
  handle: ({ world, account, body }) =>
    toItem(
      world,
      world.db.postLabels.insert({
        id: world.nextId('postLabels'),
        accountId: account.id,
        name: body.name,
        isClearInProgress: false,
      }),
    ),
})

const renameLabel = defineRoute({
  id: 'PATCH /v1/:account_id/posts/labels/:label_id',
  permission: 'api_post_labels_rename',
  evidence: 'by analogy with the vault lists',
  summary: 'Rename a post label',
  errors: ['label_unknown'],
  body: labelBody,
  data: PostLabelItem,
  handle: ({ world, account, params, body }) =>
    toItem(
      world,
      world.db.postLabels.update(requireLabel(world, account, params.label_id).id, {
        name: body.name,
      }),
    ),
})

const deleteLabelRoute = defineRoute({
  id: 'DELETE /v1/:account_id/posts/labels/:label_id',
  permission: 'api_post_labels_delete',
  evidence: 'by analogy with the vault lists',
  summary: 'Delete a post label',
  errors: ['label_unknown'],
  rules: ['Removes the label from all posts. Does not delete posts.'],
  handle({ world, account, params }) {
    deleteLabel(world, requireLabel(world, account, params.label_id))
  },
})

const addPosts = defineRoute({
  id: 'POST /v1/:account_id/posts/labels/:label_id/posts',
  permission: 'api_post_labels_add_posts',
  evidence: 'by analogy with the vault lists',
  summary: 'Add a label to posts',
  errors: ['post_unknown', 'label_unknown'],
  rules: [
    'If an id is not a published post of the account, the route returns 404 and changes nothing.',
  ],
  body: () => z.object({ post_ids: z.array(bodyId).min(1).max(maxBodyIds) }),
  handle({ world, account, params, body }) {
    labelPosts(world, account, {
      label: requireLabel(world, account, params.label_id),
      postIds: body.post_ids,
    })
  },
})

const removePost = defineRoute({
  id: 'DELETE /v1/:account_id/posts/labels/:label_id/posts/:post_id',
  permission: 'api_post_labels_remove_post',
  evidence: 'by analogy with the route that adds',
  summary: 'Remove a label from a post',
  errors: ['post_unknown', 'label_unknown'],
  handle({ world, account, params }) {
    const label = requireLabel(world, account, params.label_id)
    unlabelPost(world, requirePost(world, account, params.post_id), label)
  },
})

export const postLabelRoutes = [
  listLabels,
  createLabel,
  renameLabel,
  deleteLabelRoute,
  addPosts,
  removePost,
]

/** Maximum number of posts shown per label. */
const previewSize = 3

function toItem(world: World, label: PostLabel) {
  const posts = listLabelledPosts(world, label)
  return {
    id: label.id,
    name: label.name,
    type: 'custom' as const,
    isClearInProgress: label.isClearInProgress,
    postsCount: posts.size,
    posts: posts.slice(0, previewSize).map(({ id }) => ({ id })),
  }
}

function toBucket(world: World, account: Account, bucket: (typeof archiveBuckets)[number]) {
  const posts = world.db.posts.in('byTime', toFeedKey(account.id, bucket))
  return {
    id: bucket,
    name: bucketNames[bucket],
    type: bucket,
    isClearInProgress: false,
    postsCount: posts.size,
    posts: posts.slice(0, previewSize).map(({ id }) => ({ id })),
  }
}

/**
 * Returns the account's custom label with the given id.
 * @throws {ApiError} label_unknown
 */
function requireLabel(world: World, account: Account, labelId: number): PostLabel {
  const label = world.db.postLabels.get(labelId)
  if (label?.accountId !== account.id)
    throw createApiError('label_unknown', { label_id: labelId, account_id: account.id })
  return label
}

/**
 * Returns a hash of the ids of the account's labels. The hash changes when a label is added or
 * removed.
 */
function hashLabelIds(world: World, account: Account): string {
  const ids = world.db.postLabels.list('byAccount', account.id).map(({ id }) => id)
  return bytesToHex(md5(utf8ToBytes(ids.join())))
}

/** Returns the posts in the feed that have the label, newest first. */
function listLabelledPosts(world: World, { accountId, id }: PostLabel): SortedList<Post> {
  return world.db.posts.in('byTime', toFeedKey(accountId, 'feed', id))
}

/** Deletes a label and removes it from its posts. */
function deleteLabel(world: World, label: PostLabel): void {
  const posts = world.db.posts.list('byLabel', label.id)
  world.db.posts.updateMany(posts.map((post) => [post.id, omitLabel(post, label)]))
  world.db.postLabels.remove(label.id)
}

/**
 * Adds a label to posts.
 * @throws {ApiError} post_unknown if an id is not a published post of the account. In that case, no
 * post gets the label.
 */
function labelPosts(
  world: World,
  account: Account,
  { label, postIds }: { label: PostLabel; postIds: readonly number[] },
): void {
  const posts = postIds.map((id) => requirePublishedPost(world, account, id))
  world.db.posts.updateMany(
    posts.map(({ id, labels }) => [id, { labels: [...new Set([...labels, label.id])] }]),
  )
}

/** Removes a label from a post. */
function unlabelPost(world: World, post: Post, label: PostLabel): void {
  world.db.posts.update(post.id, omitLabel(post, label))
}

function omitLabel({ labels }: Post, label: PostLabel): Pick<Post, 'labels'> {
  return { labels: labels.filter((id) => id !== label.id) }
}
