import { defineResource } from '../define.ts'
import { connectAccount, disconnectAccount, lapseSession, restoreSession } from './actions.ts'
import * as routes from './routes.ts'
import { accountSizes } from './sizes.ts'

export const accounts = defineResource({
  name: 'accounts',
  groups: { Accounts: { about: 'Connected accounts.' } },
  routes: routes.accountRoutes,
  schemas: [routes],
  examples: ({ account, any }) => ({
    address: { account_id: account, username: any('accounts', { id: account })['username'] },
    body: { account_ids: [account] },
  }),
  actions: [lapseSession, restoreSession, disconnectAccount, connectAccount],
  sizes: accountSizes,
})
