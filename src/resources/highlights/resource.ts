import { defineResource } from '../define.ts'
import { highlightRoutes } from './routes.ts'
import * as schemas from './schemas.ts'

export const highlights = defineResource({
  name: 'highlights',
  groups: { Highlights: { about: "An account's best content and best fans." } },
  routes: highlightRoutes,
  schemas: [schemas],
  examples: () => ({ address: { category: 'post' } }),
})
