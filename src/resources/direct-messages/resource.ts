import { defineResource } from '../define.ts'
import * as routes from './routes.ts'

export const directMessages = defineResource({
  name: 'direct-messages',
  groups: { 'Direct Messages': { about: 'Messages to single fans.' } },
  routes: routes.directMessageRoutes,
  schemas: [routes],
})
