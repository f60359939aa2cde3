import { defineResource } from '../define.ts'
import { highlightRoutes } from './routes.ts'
import * as schemas from './schemas.ts'

export const highlights = defineResource({
  name: 'highlights',
  groups: { Highlights: { about: 'The best of what an account published, and its best fans.' } },
  routes: highlightRoutes,
  schemas: [schemas],
  examples: () => ({ address: { category: 'post' } }),
})
