import { defineResource } from '../define.ts'
import { reachRoutes } from './routes.ts'
import * as schemas from './schemas.ts'

export const reach = defineResource({
  name: 'reach',
  groups: { Reach: { about: "Visitors of an account's profile." } },
  routes: reachRoutes,
  schemas: [schemas],
})
