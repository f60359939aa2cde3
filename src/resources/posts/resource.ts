import { toIdList } from '../../api/resource.ts'
import { defineResource } from '../define.ts'
import { likePost, publish, viewPost } from './actions.ts'
import { postEditRoutes } from './edits.routes.ts'
import { postFigures, postInvariants } from './statistics/invariants.ts'
import { deriveMediaTips, deriveViewers } from './statistics/engagement.ts'
import { postRoutes } from './routes.ts'
import * as schemas from './schemas.ts'
import { postSizes } from './posts.table.ts'
import { derivePostPaymentStatistics } from './statistics/payment-statistics.ts'

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
    derivePostPaymentStatistics(world)
    deriveMediaTips(world)
    deriveViewers(world)
  },
  figures: postFigures,
  invariants: postInvariants,
})
