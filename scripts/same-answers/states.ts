import type { ActionInput, Sandbox } from 'creator-api-sandbox'

/** A sandbox whose state causes it to reject requests. */
export interface State {
  name: string
  sandbox: Sandbox
  /**
   * The key to use.
   * @default the subject's key
   */
  key?: string
  /**
   * True if the sandbox rejects every request that has a key, so that no request can change data.
   */
  refusesAll: boolean
}

/**
 * Forks a seeded sandbox: once for each state that causes it to reject requests, and once for each
 * role other than the owner.
 */
export function createTestStates(sandbox: Sandbox, account: number): State[] {
  const { organisation } = sandbox.db.accounts.get(account)!
  const strangerKey = 'sk_sandbox_nobody'
  const enter = (name: string, action: ActionInput | undefined, key?: string): State => {
    const fork = sandbox.fork()
    if (action !== undefined) fork.act(action)
    return { name, sandbox: fork, key, refusesAll: true }
  }
  const create = { type: 'key.create', role: 'nobody', key: strangerKey } as const
  const ofAccount = { account_id: account }
  return [
    enter('with a key that does not exist', undefined, 'sk_sandbox_none'),
    enter('with a revoked key', { type: 'key.revoke', key: 'owner' }, sandbox.keys.owner),
    enter('without credits', { type: 'credits.set', credits: 0, isSubscriptionActive: false }),
    enter('without permission', { ...create, organisation, permissions: [] }, strangerKey),
    createPassingState(enter('with a lapsed session', { type: 'session.lapse', ...ofAccount })),
    createPassingState(enter('disconnected', { type: 'account.disconnect', ...ofAccount })),
    enter('beyond the limit of the minute', { type: 'limits.set', minute: 0 }),
    enter('beyond the limit of the day', { type: 'limits.set', day: 0 }),
    ...Object.entries(sandbox.keys)
      .filter(([role]) => role !== 'owner')
      .map(([role, key]) => createPassingState(enter(`as ${role}`, undefined, key))),
  ]
}

function createPassingState(state: State): State {
  return { ...state, refusesAll: false }
}
