import { defineResource } from '../define.ts'
import { campaignRoutes, linkListRoutes } from './lists.routes.ts'
import { linkClaimerRoutes } from './claimers.routes.ts'
import { linkInvariants } from './update-metrics.ts'
import { linkRoutes } from './routes.ts'
import * as schemas from './schemas.ts'

export const links = defineResource({
  name: 'links',
  routes: [...linkListRoutes, ...campaignRoutes, ...linkRoutes, ...linkClaimerRoutes],
  schemas: [schemas],
  invariants: linkInvariants,
})
