import { defineResource } from '../define.ts'
import * as routes from './routes.ts'
import { labelSizes } from './labels.table.ts'

export const labels = defineResource({
  name: 'labels',
  groups: { 'Post Labels': { about: 'Labels of posts.' } },
  routes: routes.postLabelRoutes,
  schemas: [routes],
  examples: ({ own }) => {
    // Uses the last label of a post, because the first label may be on half of all posts.
    const labels = (own('posts', { status: 'published', bucket: null })['labels'] ??
      []) as readonly number[]
    return { address: { label_id: labels.at(-1) ?? own('postLabels')['id'] } }
  },
  sizes: labelSizes,
})
