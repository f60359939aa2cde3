import { defineResource } from '../define.ts'
import { connectAccount, disconnectAccount } from './connection.actions.ts'
import { accountRoutes } from './routes.ts'
import * as schemas from './schemas.ts'
import { lapseSession, restoreSession } from './session.actions.ts'
import { accountSizes } from './sizes.ts'

export const accounts = defineResource({
  name: 'accounts',
  groups: { Accounts: { about: 'Connected accounts.' } },
  routes: accountRoutes,
  schemas: [schemas],
  examples: ({ account, any }) => ({
    address: { account_id: account, username: any('accounts', { id: account })['username'] },
    body: { account_ids: [account] },
  }),
  actions: [lapseSession, restoreSession, disconnectAccount, connectAccount],
  sizes: accountSizes,
})
