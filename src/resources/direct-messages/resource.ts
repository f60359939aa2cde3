import { defineResource } from '../define.ts'
import { directMessageRoutes } from './routes.ts'
import * as schemas from './schemas.ts'

export const directMessages = defineResource({
  name: 'direct-messages',
  groups: { 'Direct Messages': { about: 'Messages to single fans.' } },
  routes: directMessageRoutes,
  schemas: [schemas],
})
