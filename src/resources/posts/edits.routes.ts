import { z } from 'zod'
import { createRouteDefiner } from '../define.ts'
import { requirePost, requirePublishedPost, toCreatedPost, toFeedPost } from './posts.ts'
import { CreatedPost, FeedPost, postFields } from './schemas.ts'
import { archivePost, setPostPinned, updatePost } from './writes.ts'

const defineRoute = createRouteDefiner({ group: 'Posts' })
const sibling = 'sibling services; answer by analogy'

const readPost = defineRoute({
  id: 'GET /v1/:account_id/posts/:post_id',
  permission: 'api_posts_read',
  evidence: sibling,
  summary: 'Read one post',
  errors: ['post_unknown'],
  rules: ['The response has the shape of a feed row. Also returns scheduled and archived posts.'],
  data: FeedPost,
  handle: ({ world, account, params }) =>
    world.json(toFeedPost, requirePost(world, account, params.post_id)),
})

const updatePostRoute = defineRoute({
  id: 'PUT /v1/:account_id/posts/:post_id',
  permission: 'api_posts_update',
  evidence: sibling,
  summary: 'Edit a post',
  errors: ['post_unknown', 'post_locked'],
  rules: [
    'The body has the fields of a new post, all optional. Omitted fields keep their values, ' +
      'but an omitted preview loses the ids that the new price or mediaFiles do not allow.',
    'Only a scheduled post can be rescheduled. expireDays counts from the publication and must ' +
      'end in the future. expireDays cannot be set to null.',
    'A post is ready if all its media are transcoded. The media that an edit adds are ' +
      'transcoded again, the others are not.',
  ],
  body: () => z.object({ ...postFields() }).partial(),
  data: CreatedPost,
  handle({ world, account, params, body }) {
    const post = requirePost(world, account, params.post_id)
    return toCreatedPost(world, updatePost(world, account, { post, changes: body }))
  },
})

const pinPostRoute = defineRoute({
  id: 'POST /v1/:account_id/posts/:post_id/pin',
  permission: 'api_posts_pin',
  evidence: 'a sibling service',
  summary: 'Pin a post',
  errors: ['post_unknown'],
  handle({ world, account, params }) {
    setPostPinned(world, requirePublishedPost(world, account, params.post_id), true)
  },
})

const unpinPostRoute = defineRoute({
  id: 'DELETE /v1/:account_id/posts/:post_id/pin',
  permission: 'api_posts_unpin',
  evidence: 'by analogy with pinning',
  summary: 'Unpin a post',
  errors: ['post_unknown'],
  handle({ world, account, params }) {
    setPostPinned(world, requirePublishedPost(world, account, params.post_id), false)
  },
})

const archivePostRoute = defineRoute({
  id: 'POST /v1/:account_id/posts/:post_id/archive',
  permission: 'api_posts_archive',
  evidence: 'a sibling service',
  summary: 'Archive a post',
  errors: ['post_unknown'],
  rules: ['The post moves from the feed to the archived bucket.'],
  handle({ world, account, params }) {
    archivePost(world, requirePublishedPost(world, account, params.post_id))
  },
})

export const postEditRoutes = [
  readPost,
  updatePostRoute,
  pinPostRoute,
  unpinPostRoute,
  archivePostRoute,
]
