import { defineResource } from '../../world/define.ts'
import { spenderRoutes } from './routes.ts'

export const spenders = defineResource({
  name: 'spenders',
  routes: spenderRoutes,
})
