import { defineResource } from '../define.ts'
import { payoutInvariants } from './invariants.ts'
import { findNextPayoutTransition, findNextScheduledPayout } from './payouts.ts'
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
  agenda: [
    { name: 'states of payouts', next: (world) => findNextPayoutTransition(world, 'payouts') },
    {
      name: 'states of referral payouts',
      next: (world) => findNextPayoutTransition(world, 'referralPayouts'),
    },
    { name: 'payouts by frequency', next: findNextScheduledPayout },
  ],
  invariants: payoutInvariants,
})
