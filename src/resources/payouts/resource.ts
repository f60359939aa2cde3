import { defineResource } from '../define.ts'
import { payoutInvariants } from './invariants.ts'
import { payoutRoutes } from './routes.ts'
import * as schemas from './schemas.ts'
import { payoutSizes } from './sizes.ts'

export const payouts = defineResource({
  name: 'payouts',
  groups: { Payouts: { about: 'Balances and payouts.' } },
  routes: payoutRoutes,
  schemas: [schemas],
  examples: () => ({ body: { amount: 20, frequency: 'manual' } }),
  sizes: payoutSizes,
  invariants: payoutInvariants,
})
