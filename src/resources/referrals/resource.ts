import { defineResource } from '../define.ts'
import { referralRoutes } from './routes.ts'
import * as schemas from './schemas.ts'
import { referralSizes } from './sizes.ts'

export const referrals = defineResource({
  name: 'referrals',
  groups: { Referrals: { about: 'Creators who joined through a referral.' } },
  routes: referralRoutes,
  schemas: [schemas],
  sizes: referralSizes,
})
