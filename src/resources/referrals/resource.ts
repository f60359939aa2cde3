import { defineResource } from '../define.ts'
import * as routes from './routes.ts'
import { referralSizes } from './referrals.table.ts'

export const referrals = defineResource({
  name: 'referrals',
  groups: { Referrals: { about: 'Creators who joined through a referral.' } },
  routes: routes.referralRoutes,
  schemas: [routes],
  sizes: referralSizes,
})
