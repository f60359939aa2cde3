import { defineResource } from '../define.ts'
import * as routes from './routes.ts'

export const gifs = defineResource({
  name: 'gifs',
  groups: { GIFs: { about: 'Search for GIFs.' } },
  routes: routes.gifRoutes,
  schemas: [routes],
  examples: () => ({ address: { q: 'cat' } }),
})
