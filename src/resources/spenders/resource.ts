import { defineResource } from '../define.ts'
import { spenderRoutes } from './routes.ts'

export const spenders = defineResource({
  name: 'spenders',
  routes: spenderRoutes,
})
