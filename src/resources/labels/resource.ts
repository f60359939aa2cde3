import { defineResource } from '../define.ts'
import { postLabelRoutes } from './routes.ts'
import * as schemas from './schemas.ts'
import { labelSizes } from './sizes.ts'

export const labels = defineResource({
  name: 'labels',
  groups: { 'Post Labels': { about: 'Labels of posts.' } },
  routes: postLabelRoutes,
  schemas: [schemas],
  examples: ({ own }) => {
    // Uses the last label of a post, because the first label may be on half of all posts.
    const labels = (own('posts', { status: 'published', bucket: null })['labels'] ??
      []) as readonly number[]
    return { address: { label_id: labels.at(-1) ?? own('postLabels')['id'] } }
  },
  sizes: labelSizes,
})
