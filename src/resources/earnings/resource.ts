import { defineResource } from '../define.ts'
import { earningFigures, addEarningsToSeries } from './series.ts'
import { earningInvariants } from './invariants.ts'
import { earningRoutes } from './routes.ts'
import * as schemas from './schemas.ts'

export const earnings = defineResource({
  name: 'earnings',
  groups: { 'Earnings Overview': { about: "An account's earnings." } },
  routes: earningRoutes,
  schemas: [schemas],
  series: addEarningsToSeries,
  figures: earningFigures,
  invariants: earningInvariants,
})
