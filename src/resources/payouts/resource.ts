import { defineResource } from '../define.ts'
import { payoutFigures, payoutInvariants } from './payouts.ts'
import { payoutRoutes } from './routes.ts'
import * as schemas from './schemas.ts'
import { payoutSizes } from './payouts.table.ts'

export const payouts = defineResource({
  name: 'payouts',
  groups: { Payouts: { about: 'Balances and payouts.' } },
  routes: payoutRoutes,
  schemas: [schemas],
  examples: () => ({ body: { amount: 20, frequency: 'manual' } }),
  sizes: payoutSizes,
  figures: payoutFigures,
  invariants: payoutInvariants,
})
