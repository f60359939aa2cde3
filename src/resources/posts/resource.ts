import { toIdList } from '../../api/resource.ts'
import { defineResource } from '../define.ts'
import { likePost, publish, viewPost } from './actions.ts'
import { createPostCounterUpdater } from './figures/counters.ts'
import { postEditRoutes } from './edits.routes.ts'
import { postFigures } from './figures/figures.ts'
import { postInvariants } from './figures/invariants.ts'
import { createMediaLikeUpdater } from './figures/engagement.ts'
import {
  createMediaTipUpdater,
  createTippedMediaRecorder,
  deriveMediaTips,
} from './figures/media-tips.ts'
import { createPublishedDayUpdater } from './figures/published-days.ts'
import { createRemovedPostRecorder } from './removed-posts.ts'
import { postRoutes } from './routes.ts'
import * as schemas from './schemas.ts'
import { postSizes } from './sizes.ts'
import { derivePostPaymentFigures, createPostPaymentUpdater } from './figures/stats.ts'
import { findNextPostExpiry, findNextPostPublication } from './writes.ts'

export const posts = defineResource({
  name: 'posts',
  groups: { Posts: { about: "An account's own posts, their statistics and comments." } },
  routes: [...postRoutes, ...postEditRoutes],
  schemas: [schemas],
  examples: ({ own }) => {
    const { id } = own('posts', { status: 'published', bucket: null })
    return { address: { post_id: id, by: 'likes' }, body: { post_ids: toIdList(id) } }
  },
  actions: [publish, likePost, viewPost],
  sizes: postSizes,
  completeRecords(world) {
    derivePostPaymentFigures(world)
    deriveMediaTips(world)
  },
  listeners: [
    {
      name: 'figures of posts',
      attach: (world) => world.db.transactions.onChange(createPostPaymentUpdater(world)),
    },
    {
      name: 'published days',
      attach: (world) => world.db.posts.onChange(createPublishedDayUpdater(world)),
    },
    {
      name: 'removed posts',
      attach: (world) => world.db.posts.onChange(createRemovedPostRecorder(world)),
    },
    {
      name: 'counters of posts',
      after: ['comments of posts'],
      attach: (world) => world.db.posts.onChange(createPostCounterUpdater(world)),
    },
    {
      name: 'likes of media',
      attach: (world) => world.db.posts.onChange(createMediaLikeUpdater(world)),
    },
    {
      name: 'tips of media',
      attach: (world) => world.db.transactions.onChange(createMediaTipUpdater(world)),
    },
    {
      name: 'media of tips',
      attach: (world) => world.db.posts.onChange(createTippedMediaRecorder(world)),
    },
  ],
  agenda: [
    { name: 'scheduled posts', next: findNextPostPublication },
    { name: 'expiring posts', next: findNextPostExpiry },
  ],
  figures: postFigures,
  invariants: postInvariants,
})
