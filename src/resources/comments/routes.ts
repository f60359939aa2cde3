import type { World } from '../world.ts'
import type { Comment } from './comments.table.ts'
import { z } from 'zod'
import { listLimit, offset, pathId } from '../../lib/fields.ts'
import { readPage } from '../../api/lists/paging.ts'
import { createPage } from '../../api/route.ts'
import { toPlatformTime } from '../../lib/time.ts'
import { defineRoute } from '../define.ts'
import { requirePost } from '../posts/posts.ts'
import { toUserReference } from '../users/users.ts'
import { getComments } from './comments.ts'
import { CommentPage } from './schemas.ts'

const listComments = defineRoute({
  method: 'GET',
  path: '/v1/:account_id/posts/:post_id/comments',
  group: 'Posts',
  permission: 'api_posts_list_comments',
  kind: 'relay',
  source: 'reference §4 Posts',
  summary: "List a post's comments",
  errors: ['post_unknown'],
  rules: [
    'nextOffset is offset plus the number of returned rows.',
    'next_page is null on the last page.',
  ],
  pagination: { next: 'address', last: 'null' },
  params: () => z.object({ post_id: pathId }),
  query: () =>
    z.object({
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
    return createPage({ list, hasMore, nextOffset: query.offset + list.length }, next)
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
