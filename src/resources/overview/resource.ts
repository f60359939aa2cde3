import { defineResource } from '../define.ts'
import * as routes from './routes.ts'

export const overview = defineResource({
  name: 'overview',
  routes: routes.overviewRoutes,
  schemas: [routes],
})
