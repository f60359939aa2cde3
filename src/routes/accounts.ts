import { defineRoute } from '../route.ts'
import { AccountStartDate, ConnectedAccounts } from '../schemas/accounts.ts'

const listAccounts = defineRoute({
  method: 'GET',
  path: '/v1/accounts',
  group: 'Accounts',
  permission: 'api_accounts_list',
  kind: 'service',
  source: 'inferred',
  evidence: "named in the service's own directory; path and keys by analogy",
  summary: 'List the connected accounts of the organisation',
  rules: ['A disconnected account is not listed; one whose session has lapsed is, as sync_lost.'],
  data: ConnectedAccounts,
  handle({ world, organisation }) {
    const accounts = world.db.accounts.in('byOrganisation', organisation.id).slice().filter(({ connected }) => connected)
    return {
      list: accounts.map(({ id, username, name, avatar, session }) => ({
        id: String(id),
        username,
        name,
        avatar,
        status: session === 'active' ? ('active' as const) : ('sync_lost' as const),
      })),
    }
  },
})

const readStartDate = defineRoute({
  method: 'GET',
  path: '/v1/:account_id/me/start-date',
  group: 'Accounts',
  permission: 'api_accounts_read_start_date',
  kind: 'relay',
  source: 'inferred',
  evidence: "the service's own reference quotes the path",
  summary: 'Read since when the account has been on the platform',
  data: AccountStartDate,
  handle: ({ account }) => ({ startDate: account.joinDate }),
})

export const accountRoutes = [listAccounts, readStartDate]
