import { lazyStrictObject } from '../../lib/fields.ts'
import { accountId, updateAccount } from '../../api/action.ts'
import { defineAction } from '../define.ts'

/**
 * Disconnects an account from its organisation. After this, the account's routes and media links
 * return 404.
 */
export const disconnectAccount = defineAction({
  type: 'account.disconnect',
  summary: 'Disconnect an account, so that its routes and media links return 404',
  schema: lazyStrictObject(() => ({ account_id: accountId })),
  effect(world, { account_id }) {
    const { id, username } = updateAccount(world, account_id, { connected: false })
    return { happened: `${username} was disconnected`, ids: { account: id } }
  },
})

/**
 * Reconnects an account to its organisation. Also logs the account in, so that its session is
 * active.
 */
export const connectAccount = defineAction({
  type: 'account.connect',
  summary: 'Connect an account again, with a new upstream session',
  schema: lazyStrictObject(() => ({ account_id: accountId })),
  effect(world, { account_id }) {
    const { id, username } = updateAccount(world, account_id, {
      connected: true,
      session: 'active',
    })
    return { happened: `${username} was connected`, ids: { account: id } }
  },
})

/** Ends the upstream session of an account. After this, the account's relay routes return 424. */
export const lapseSession = defineAction({
  type: 'session.lapse',
  summary: "End an account's upstream session: its relay routes return 424",
  schema: lazyStrictObject(() => ({ account_id: accountId })),
  effect(world, { account_id }) {
    const { id, username } = updateAccount(world, account_id, { session: 'lapsed' })
    return { happened: `The session of ${username} lapsed`, ids: { account: id } }
  },
})

/** Renews the upstream session of an account. After this, the account's relay routes work again. */
export const restoreSession = defineAction({
  type: 'session.restore',
  summary: "Renew an account's upstream session",
  schema: lazyStrictObject(() => ({ account_id: accountId })),
  effect(world, { account_id }) {
    const { id, username } = updateAccount(world, account_id, { session: 'active' })
    return { happened: `The session of ${username} works again`, ids: { account: id } }
  },
})
