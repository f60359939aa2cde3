import { z } from 'zod'
import { accountId, createActionResult, updateAccount } from '../../api/action.ts'
import { defineAction } from '../define.ts'

/**
 * Disconnects an account from its organisation. After this, the account's routes and media links
 * return 404.
 */
export const disconnectAccount = defineAction({
  type: 'account.disconnect',
  summary: 'Disconnect an account, so that its routes and media links return 404',
  schema: z.lazy(() => z.strictObject({ account_id: accountId })),
  effect(world, { account_id }) {
    const { id, username } = updateAccount(world, account_id, { connected: false })
    return createActionResult(`${username} was disconnected`, { account: id })
  },
})

/**
 * Reconnects an account to its organisation. Also logs the account in, so that its session is
 * active.
 */
export const connectAccount = defineAction({
  type: 'account.connect',
  summary: 'Connect an account again, with a new upstream session',
  schema: z.lazy(() => z.strictObject({ account_id: accountId })),
  effect(world, { account_id }) {
    const { id, username } = updateAccount(world, account_id, {
      connected: true,
      session: 'active',
    })
    return createActionResult(`${username} was connected`, { account: id })
  },
})
