import { defineResource } from '../define.ts'
import { commentPost } from './actions.ts'
import { fillCommentCounts } from './comments.ts'
import { commentRoutes } from './routes.ts'
import * as schemas from './schemas.ts'
import { commentSizes } from './sizes.ts'

export const comments = defineResource({
  name: 'comments',
  routes: commentRoutes,
  schemas: [schemas],
  actions: [commentPost],
  sizes: commentSizes,
  completeRecords: fillCommentCounts,
})
