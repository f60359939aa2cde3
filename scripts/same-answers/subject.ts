import type { Sandbox } from 'creator-api-sandbox'
import { listRows, listTables } from './data.ts'
import { createTestStates } from './states.ts'
import type { State } from './states.ts'

/** A seeded sandbox and the account to which most requests are sent. */
export interface Subject {
  sandbox: Sandbox
  account: number
  /** Ids of the other accounts. */
  others: number[]
  /** Forks whose state causes them to reject requests. */
  states: State[]
}

/**
 * Selects the account with the most records. If several accounts have the same number, selects the
 * first of them.
 */
export function createSubject(sandbox: Sandbox): Subject {
  const counts = new Map<number, number>(sandbox.accounts.map(({ id }) => [id, 0]))
  for (const table of listTables(sandbox))
    for (const { accountId } of listRows(sandbox, table)) {
      const count = counts.get(accountId as number)
      if (count !== undefined) counts.set(accountId as number, count + 1)
    }
  const [account = 0, ...rest] = [...counts]
    .sort((a, b) => b[1] - a[1] || a[0] - b[0])
    .map(([id]) => id)
  const others = rest.sort((a, b) => a - b)
  return { sandbox, account, others, states: createTestStates(sandbox, account) }
}

/** Returns the key with the most permissions in an account's organisation. */
export function findBroadestKey(sandbox: Sandbox, account: number): string {
  const organisation = listRows(sandbox, 'accounts').find(({ id }) => id === account)?.organisation
  const [best] = listRows(sandbox, 'apiKeys')
    .filter((key) => key.organisation === organisation)
    .sort((a, b) => (b.permissions as []).length - (a.permissions as []).length)
  return typeof best?.key === 'string' ? best.key : sandbox.keys.owner
}
