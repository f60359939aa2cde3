import type { ActionInput, Sandbox } from 'creator-api-sandbox'
import { readAllTables, listRows } from './data.ts'
import { toExchange } from './exchange.ts'
import type { Exchange, Observation } from './exchange.ts'
import type { Subject } from './subject.ts'

/**
 * Runs each action with only its required fields, in its own fork, and records which tables it
 * changed.
 */
export async function* observeActions({ sandbox, account }: Subject): AsyncGenerator<Observation> {
  for (const action of createActions(sandbox, account)) {
    using fork = sandbox.fork()
    const done = runAction(fork, action)
    yield { name: `${action.type}: done`, exchanges: [done, ...readAllTables(fork)] }
  }
}

/** Runs all actions in sequence in the same sandbox. */
export function runAllActions(sandbox: Sandbox, account: number): Exchange[] {
  return createActions(sandbox, account)
    .filter(({ type }) => !ending.includes(type))
    .map((action) => runAction(sandbox, action))
}

/** Runs an action and returns its result or its error. */
export function runAction(sandbox: Sandbox, action: Action): Exchange {
  const request = `act ${JSON.stringify(action)}`
  try {
    return toExchange(request, sandbox.act(action as ActionInput))
  } catch (error) {
    return toExchange(request, String(error))
  }
}

/** An action for `sandbox.act`, loosely typed, because other versions may have other actions. */
export type Action = { type: string } & Record<string, unknown>

/** Actions that make later requests fail or that wait in real time. */
const ending = ['key.revoke', 'role.change', 'limits.set', 'credits.set', 'variation.set']

function createActions(sandbox: Sandbox, account: number): Action[] {
  return sandbox.control.actions().map(({ type, schema }) => {
    const ofAccount = isOfAccount(schema) ? { account_id: account } : {}
    return { type, ...ofAccount, ...inputs[type]?.(sandbox, account) }
  })
}

function isOfAccount(schema: unknown): boolean {
  return JSON.stringify(schema).includes('"account_id"')
}

/** Values for the required fields of actions, except the account. */
const inputs: Readonly<
  Record<string, (sandbox: Sandbox, account: number) => Record<string, unknown>>
> = {
  'post.publish': () => ({ text: 'Hello' }),
  'post.like': () => ({ count: 3 }),
  'post.view': () => ({ count: 10 }),
  'link.claim': (sandbox, account) => {
    const links = listRows(sandbox, 'trackingLinks')
    const link = links.find((row) => row.accountId === account && row.endDate === null)
    return link === undefined ? {} : { tracking_link_id: link.id, clicks: 5 }
  },
  'limits.set': () => ({ minute: 5 }),
  'credits.set': () => ({ credits: 100 }),
  'key.revoke': () => ({ key: 'owner' }),
  'key.create': () => ({ role: 'guest', organisation: 1, permissions: ['api_posts_*'] }),
  'role.change': () => ({ role: 'owner', permissions: ['api_posts_list'] }),
  'fault.add': () => ({ route: 'GET /v1/:account_id/me', status: 503, times: 1 }),
  'clock.advance': () => ({ by: '2h' }),
  'variation.set': () => ({ seed: 3 }),
  note: () => ({ text: 'Hello' }),
}
