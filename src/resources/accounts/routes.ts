import { z } from 'zod'
import { platformTime, lazyInferredObject } from '../../lib/fields.ts'
import { toClientUrl } from '../../world/public-files.ts'
import { toPlatformTime } from '../../lib/time.ts'
import { createRouteDefiner } from '../define.ts'
import { getCurrentAccount } from '../users/profiles.ts'
import { CurrentAccount } from '../users/schemas.ts'

const defineRoute = createRouteDefiner({ group: 'Accounts' })

/** A connected account of the organisation. */
export const ConnectedAccount = lazyInferredObject(() => ({
  id: z.string().describe("The platform's numeric account id, as a string."),
  username: z.string(),
  name: z.string(),
  avatar: z.string(),
  status: z
    .enum(['active', 'sync_lost'])
    .describe('sync_lost: the upstream session has lapsed, so relay routes return 424.'),
}))

/** All connected accounts of the organisation. */
export const ConnectedAccounts = lazyInferredObject(() => ({ list: z.array(ConnectedAccount) }))

/** Time when the account joined the platform. */
export const AccountStartDate = lazyInferredObject(() => ({ startDate: platformTime }))

const listAccounts = defineRoute({
  id: 'GET /v1/accounts',
  permission: 'api_accounts_list',
  kind: 'service',
  evidence: "named in the directory of the service's own older reference; path and keys by analogy",
  summary: 'List the connected accounts of the organisation',
  rules: [
    'A disconnected account is not listed. An account whose session has lapsed is listed as ' +
      'sync_lost.',
  ],
  data: ConnectedAccounts,
  handle({ world, organisation }) {
    const accounts = world.db.accounts
      .list('byOrganisation', organisation.id)
      .filter(({ connected }) => connected)
    return {
      list: accounts.map(({ id, username, name, avatar, session }) => ({
        id: String(id),
        username,
        name,
        avatar: toClientUrl(world, avatar),
        status: session === 'active' ? ('active' as const) : ('sync_lost' as const),
      })),
    }
  },
})

const readStartDate = defineRoute({
  id: 'GET /v1/:account_id/me/start-date',
  permission: 'api_accounts_read_start_date',
  evidence: "the service's own older reference quotes the path",
  summary: 'Read the date when the account joined the platform',
  data: AccountStartDate,
  handle: ({ account }) => ({ startDate: toPlatformTime(account.joinDate) }),
})

const readCurrent = defineRoute({
  id: 'GET /v1/:account_id/me',
  permission: 'api_accounts_read',
  evidence:
    "named in the directory of the service's own older reference; path and fields by analogy " +
    'with a sibling service',
  summary: 'Read the profile of an account',
  rules: [
    'notificationsCount counts unread notifications, chatMessagesCount counts chats with ' +
      'unread messages, and subscribersCount counts active subscribers. hasNewAlerts is true ' +
      'if there are unread notifications.',
  ],
  data: CurrentAccount,
  handle: ({ world, account }) => world.json(getCurrentAccount, account),
})

export const accountRoutes = [listAccounts, readCurrent, readStartDate]
