import { defineResource } from '../define.ts'
import { readyMedia, refuseUpstream } from './actions.ts'
import { mediaServices } from './media-links.ts'
import { mediaRoutes } from './routes.ts'
import * as schemas from './schemas.ts'

export const media = defineResource({
  name: 'media',
  routes: mediaRoutes,
  schemas: [schemas],
  actions: [refuseUpstream, readyMedia],
  services: mediaServices,
})
