import { defineResource } from '../define.ts'
import { commentPost } from './actions.ts'
import { fillCommentCounts } from './comments.ts'
import * as routes from './routes.ts'
import { commentSizes } from './comments.table.ts'

export const comments = defineResource({
  name: 'comments',
  routes: routes.commentRoutes,
  schemas: [routes],
  actions: [commentPost],
  sizes: commentSizes,
  completeRecords: fillCommentCounts,
})
