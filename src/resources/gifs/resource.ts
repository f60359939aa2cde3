import { defineResource } from '../define.ts'
import { gifRoutes } from './routes.ts'
import * as schemas from './schemas.ts'

export const gifs = defineResource({
  name: 'gifs',
  groups: { GIFs: { about: 'Search for GIFs.' } },
  routes: gifRoutes,
  schemas: [schemas],
  examples: () => ({ address: { q: 'cat' } }),
})
