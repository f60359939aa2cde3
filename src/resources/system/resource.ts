import { defineResource } from '../define.ts'
import { systemRoutes } from './routes.ts'

export const system = defineResource({
  name: 'system',
  groups: { System: { about: 'Health, and the files behind media links.' } },
  routes: systemRoutes,
})
