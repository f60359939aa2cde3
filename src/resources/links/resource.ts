import { defineResource } from '../define.ts'
import { campaignRoutes, linkListRoutes } from './lists.routes.ts'
import { linkClaimerRoutes, linkRoutes } from './routes.ts'
import { linkFigures } from './figures.ts'
import { deriveLinkClicks, linkInvariants } from './update-metrics.ts'
import * as schemas from './schemas.ts'

export const links = defineResource({
  name: 'links',
  routes: [...linkListRoutes, ...campaignRoutes, ...linkRoutes, ...linkClaimerRoutes],
  schemas: [schemas],
  figures: linkFigures,
  invariants: linkInvariants,
  completeRecords: deriveLinkClicks,
})
