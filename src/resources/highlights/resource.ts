import { defineResource } from '../define.ts'
import * as routes from './routes.ts'

export const highlights = defineResource({
  name: 'highlights',
  groups: { Highlights: { about: "An account's best content and best fans." } },
  routes: routes.highlightRoutes,
  schemas: [routes],
  examples: () => ({ address: { category: 'post' } }),
})
