import assert from 'node:assert/strict'
import type { Connect } from './clients/calls.ts'

/** The server against which clients are tested. */
export interface Server {
  url: string
  key: string
  account: number
  fan: number
}

/**
 * Makes a generated client's calls to a server and checks the results. Returns the number of calls.
 */
export async function runClientCalls(
  connect: Connect,
  { url, key, account, fan }: Server,
): Promise<number> {
  const client = connect({ url, key, account })

  assert.equal(await client.health(), 'ok')
  assert.ok(
    (await client.accounts()).includes(String(account)),
    'the account is not among the connected ones',
  )

  const first = await client.posts({ limit: 2 })
  const second = await client.posts({ limit: 2, before: first.tailMarker })
  assert.equal(
    new Set([...first.ids, ...second.ids]).size,
    4,
    'two pages of two posts are not four posts',
  )

  const id = await client.createPost('Hello from a generated client')
  assert.equal(await client.postText(id), 'Hello from a generated client')

  const amounts = await client.amounts(fan, 3)
  assert.ok(
    amounts.length > 0 && amounts.every((amount) => amount === null || amount > 0),
    `the amounts are ${amounts.join(', ')}`,
  )
  assert.ok((await client.spent(fan)) > 0, 'the fan spent nothing')
  assert.notEqual(await client.listName('fans'), '')

  assert.equal(await client.deletePost(id), true)
  assert.deepEqual(await findRejection(client.refusal(id)), { status: 404, isSentence: true })
  assert.deepEqual(await findRejection(connect({ url, key: 'unknown', account }).refusal(id)), {
    status: 401,
    isSentence: true,
  })
  const fault = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ status: 503, times: 1 }),
  }
  assert.equal((await fetch(`${url}/_sandbox/faults`, fault)).status, 200)
  assert.deepEqual(await findRejection(client.refusal(id)), { status: 503, isSentence: true })
  return 13
}

async function findRejection(
  refusal: Promise<{ status: number; error: string }>,
): Promise<{ status: number; isSentence: boolean }> {
  const { status, error } = await refusal
  return { status, isSentence: typeof error === 'string' && error !== '' }
}
