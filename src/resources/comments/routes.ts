import { z } from 'zod'
import {
  platformTime,
  ShortUser,
  listLimit,
  offset,
  lazyInferredObject,
  lazyObject,
} from '../../lib/fields.ts'
import type { World } from '../world.ts'
import type { Comment } from './comments.table.ts'
import { readPage } from '../../api/lists/paging.ts'
import { Page } from '../../api/route.ts'
import { toPlatformTime } from '../../lib/time.ts'
import { createRouteDefiner } from '../define.ts'
import { requirePost } from '../posts/posts.ts'
import { toUserReference } from '../users/users.ts'
import { getComments } from './comments.ts'

const defineRoute = createRouteDefiner({ group: 'Posts' })

/** A comment. The API reference does not document its fields. */
export const PostComment = lazyInferredObject(() => ({
  id: z.int(),
  author: ShortUser,
  text: z.string(),
  giphyId: z.string().nullable(),
  postedAt: platformTime,
  changedAt: platformTime,
  likesCount: z.int(),
  isLiked: z.boolean(),
  isLikedByAuthor: z.boolean(),
  isPinned: z.boolean(),
  canLike: z.boolean(),
}))

/** A page of comments. */
export const CommentPage = lazyObject(() => ({
  list: z.array(PostComment),
  hasMore: z.boolean(),
  nextOffset: z.int(),
}))

const listComments = defineRoute({
  id: 'GET /v1/:account_id/posts/:post_id/comments',
  permission: 'api_posts_list_comments',
  source: 'reference §4 Posts',
  summary: "List a post's comments",
  errors: ['post_unknown'],
  rules: [
    'nextOffset is offset plus the number of returned rows.',
    'next_page is null on the last page.',
  ],
  pagination: { next: 'address', last: 'null' },
  query: () => ({
    limit: listLimit,
    offset,
    sort: z.enum(['desc', 'asc']).default('desc').describe('desc: newest first.'),
  }),
  data: CommentPage,
  handle({ world, account, params, query }) {
    const post = requirePost(world, account, params.post_id)
    const comments = getComments(world, post.id)
    const { rows, hasMore, next } = readPage(comments, query, { backwards: query.sort === 'asc' })
    const list = rows.map((comment) => world.json(toItem, comment))
    return new Page({ list, hasMore, nextOffset: query.offset + list.length }, next)
  },
})

export const commentRoutes = [listComments]

function toItem(
  _world: World,
  { accountId: _account, postId: _post, fanId, postedAt, changedAt, ...comment }: Comment,
) {
  return {
    ...comment,
    postedAt: toPlatformTime(postedAt),
    changedAt: toPlatformTime(changedAt),
    author: toUserReference(fanId),
  }
}
