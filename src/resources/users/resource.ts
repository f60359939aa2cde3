import { defineResource } from '../define.ts'
import { deleteProfile } from './actions.ts'
import { userInvariants } from './users.ts'
import { userActionRoutes } from './routes.ts'
import * as schemas from './schemas.ts'
import { userSizes } from './users.table.ts'

export const users = defineResource({
  name: 'users',
  groups: { 'User actions': { about: 'Actions that an account takes on a user.' } },
  routes: userActionRoutes,
  schemas: [schemas],
  sizes: userSizes,
  actions: [deleteProfile],
  invariants: userInvariants,
})
