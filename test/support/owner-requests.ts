import type { Sandbox } from 'creator-api-sandbox'
import { expect } from 'vitest'
import { createFreshSandbox, sendAsOwner } from './client.ts'

/** Opens a sandbox whose rate limits a test never reaches. */
export async function createUnlimitedSandbox(scenario: string): Promise<Sandbox> {
  const sandbox = await createFreshSandbox(scenario)
  for (const { id } of sandbox.db.organisations.all())
    sandbox.db.organisations.update(id, { limits: { minute: 1_000_000_000, day: 1_000_000_000 } })
  return sandbox
}

/** Returns the accounts of the first organisation whose routes all work. */
export function listActiveAccounts({ db }: { db: Sandbox['db'] }) {
  return db.accounts.where({ organisation: 1, connected: true, session: 'active' })
}

/**
 * Sends a request as the owner, and returns the body of its 200 response. Does not check the schema
 * as `openClient` does, so that property tests can send many requests.
 */
export async function askAsOwner(
  sandbox: Sandbox,
  method: string,
  url: string,
  body?: unknown,
  // The responses have various shapes.
  // oxlint-disable-next-line typescript/no-explicit-any
): Promise<any> {
  const answer = await sendAsOwner(sandbox, method, url, body)
  expect(answer.status, url).toBe(200)
  return answer.body
}

/** Returns the data of a 200 response to a GET request of the owner. */
// The responses have various shapes.
// oxlint-disable-next-line typescript/no-explicit-any
export async function readAsOwner(sandbox: Sandbox, url: string): Promise<any> {
  return (await askAsOwner(sandbox, 'GET', url)).data
}

/** Follows next_page to the last page, and returns all rows. `list` is the key of the rows. */
export async function walkAsOwner<Row = { id: number }>(
  sandbox: Sandbox,
  url: string,
  list = 'list',
): Promise<Row[]> {
  const rows: Row[] = []
  for (let next: string | null | undefined = url; typeof next === 'string';) {
    const { data, _pagination } = await askAsOwner(sandbox, 'GET', next)
    rows.push(...(data[list] ?? []))
    next = _pagination?.next_page
  }
  return rows
}

/** Returns the ids of the rows that `walkAsOwner` returns. */
export async function walkIdsAsOwner<Id = number>(
  sandbox: Sandbox,
  url: string,
  list = 'list',
): Promise<Id[]> {
  return (await walkAsOwner<{ id: Id }>(sandbox, url, list)).map(({ id }) => id)
}
