import { toIdList } from '../../api/resource.ts'
import { defineResource } from '../define.ts'
import { tagRoutes } from './routes.ts'

export const tags = defineResource({
  name: 'tags',
  groups: {
    Tags: { about: "The organisation's tags on links." },
  },
  routes: tagRoutes,
  examples: ({ any }) => {
    const { id } = any('tags')
    return { address: { tag_id: id }, body: { tag_ids: toIdList(id) } }
  },
})
