import { defineResource } from '../define.ts'
import { commentPost } from './actions.ts'
import { fillCommentCounts, createCommentCountUpdater } from './comments.ts'
import { commentRoutes } from './routes.ts'
import * as schemas from './schemas.ts'
import { seedComments } from './seed.ts'
import { commentSizes } from './sizes.ts'

export const comments = defineResource({
  name: 'comments',
  routes: commentRoutes,
  schemas: [schemas],
  actions: [commentPost],
  sizes: commentSizes,
  completeRecords: fillCommentCounts,
  seeds: [
    {
      name: 'comments',
      after: ['posts', 'subscribers', 'payments for posts'],
      account: seedComments,
    },
  ],
  listeners: [
    {
      name: 'comments of posts',
      attach: (world) => world.db.comments.onChange(createCommentCountUpdater(world)),
    },
  ],
})
