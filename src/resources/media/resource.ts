import { defineResource } from '../define.ts'
import { readyMedia } from './actions.ts'
import { mediaServices } from './media-links.ts'
import { mediaRoutes } from './routes.ts'
import * as schemas from './schemas.ts'
import { refuseUpstream } from './upstream.actions.ts'

export const media = defineResource({
  name: 'media',
  routes: mediaRoutes,
  schemas: [schemas],
  actions: [refuseUpstream, readyMedia],
  services: mediaServices,
})
