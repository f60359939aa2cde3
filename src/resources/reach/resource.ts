import { defineResource } from '../define.ts'
import * as routes from './routes.ts'

export const reach = defineResource({
  name: 'reach',
  groups: { Reach: { about: "Visitors of an account's profile." } },
  routes: routes.reachRoutes,
  schemas: [routes],
})
