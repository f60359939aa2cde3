import { defineResource } from '../define.ts'
import { userInvariants } from './invariants.ts'
import { createUserMarkUpdater } from './marks.ts'
import { userActionRoutes } from './routes.ts'
import * as schemas from './schemas.ts'
import { seedFollows, seedBlocksAndRestrictions } from './seed.ts'
import { userSizes } from './sizes.ts'

export const users = defineResource({
  name: 'users',
  groups: { 'User actions': { about: 'Actions that an account takes on a user.' } },
  routes: userActionRoutes,
  schemas: [schemas],
  sizes: userSizes,
  seeds: [
    { name: 'follows', after: ['subscribers'], account: seedFollows },
    // Runs last, so that other seeding steps do not skip blocked fans.
    {
      name: 'marks of users',
      after: ['payments', 'comments', 'mass messages', 'notifications', 'user lists'],
      account: seedBlocksAndRestrictions,
    },
  ],
  listeners: [
    {
      name: 'marks of subscribers',
      attach: (world) => world.db.userMarks.onChange(createUserMarkUpdater(world)),
    },
  ],
  invariants: userInvariants,
})
