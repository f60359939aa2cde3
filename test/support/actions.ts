import { expect } from 'vitest'
import { createBearerHeader, openControlClient } from './control.ts'
import { getIndexedTables } from './indexed-tables.ts'

/** Actions on the whole sandbox. */
const withoutAccount = /^(clock|fault|note)/

export type ActionClient = Awaited<ReturnType<typeof openActions>>

/**
 * Opens the first account of a scenario, with functions that read as the owner and perform actions.
 */
export async function openActions(scenario = 'agency') {
  const person = await openControlClient({ scenario })
  const { sandbox } = person
  const account = sandbox.db.accounts.find({ connected: true })!
  /** Sends a request to the API. `:id` in the path is the account. */
  const send = (path: string, method = 'GET', body?: unknown) =>
    person.ask(method, `/v1/${path.replace(':id', String(account.id))}`, {
      ...createBearerHeader(sandbox.keys['owner']),
      ...(body === undefined ? {} : { body }),
    })
  const perform = (action: object) => {
    const hasAccount = 'type' in action && !withoutAccount.test(String(action.type))
    const body = hasAccount ? { account_id: account.id, ...action } : action
    return person.ask('POST', '/_sandbox/actions', { body })
  }
  return {
    ...person,
    db: sandbox.db,
    tables: getIndexedTables(sandbox.db),
    account,
    send,
    async read(path: string, method = 'GET', body?: unknown) {
      const answer = await send(path, method, body)
      expect([path, answer.status, answer.body.error]).toEqual([path, 200, undefined])
      return answer.body.data
    },
    /** Performs an action of the account, and returns its description. */
    async act(action: object): Promise<string> {
      const { status, body } = await perform(action)
      expect([action, status, body.error]).toEqual([action, 200, undefined])
      return body.happened
    },
    /** Performs an action that is rejected, and returns the error. */
    async refuse(action: object): Promise<string> {
      const { status, body } = await perform(action)
      expect([action, status]).toEqual([action, 400])
      return body.error
    },
    /** The newest published post. */
    newestPost: () => getIndexedTables(sandbox.db).posts.in('published', account.id).at(0)!,
  }
}
