import { z } from 'zod'
import { accountId, updateAccount } from '../../engine/action.ts'
import { defineAction } from '../../world/define.ts'

/** The account is the organisation's no longer: 404, its media links too. */
export const disconnectAccount = defineAction({
  type: 'account.disconnect',
  summary: 'Disconnect an account: its routes and media links answer 404',
  schema: z.lazy(() => z.strictObject({ account_id: accountId })),
  effect: (world, { account_id }) => `${updateAccount(world, account_id, { connected: false }).username} was disconnected`,
})

/** The account is the organisation's again, with a new session as whoever connects it logs in. */
export const connectAccount = defineAction({
  type: 'account.connect',
  summary: 'Connect an account again, with a new upstream session',
  schema: z.lazy(() => z.strictObject({ account_id: accountId })),
  effect: (world, { account_id }) => `${updateAccount(world, account_id, { connected: true, session: 'active' }).username} was connected`,
})
