import type { Figure } from '../../../api/resource.ts'
import type { World } from '../../world.ts'
import type { Post } from '../posts.table.ts'

/** The views and likes of one post. Both are 0 if the post does not exist. */
export const postFigures = {
  'post.views': {
    label: 'Views of the post',
    unit: 'count',
    read: createFigureReader('lookCount'),
  },
  'post.likes': {
    label: 'Likes of the post',
    unit: 'count',
    read: createFigureReader('likeCount'),
  },
} satisfies Record<string, Figure<World>>

function createFigureReader(
  field: keyof Pick<Post, 'lookCount' | 'likeCount'>,
): Figure<World>['read'] {
  return ({ db }, { post }) => (post === undefined ? 0 : (db.posts.get(post)?.[field] ?? 0))
}
