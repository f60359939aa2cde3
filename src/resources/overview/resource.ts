import { defineResource } from '../define.ts'
import { overviewRoutes } from './routes.ts'
import * as schemas from './schemas.ts'

export const overview = defineResource({
  name: 'overview',
  routes: overviewRoutes,
  schemas: [schemas],
})
