import type { FaultInput, Sandbox } from 'creator-api-sandbox'
import { describe, expect, it } from 'vitest'
import { openClient } from '../support/client.ts'
import type { Client } from '../support/client.ts'

/** Requests the posts of the first account and returns the raw response. */
async function requestPosts(
  { sandbox, account }: Client,
  { query = '', role = 'owner' } = {},
): Promise<Response> {
  return sandbox.fetch(`${sandbox.baseUrl}/v1/${account()}/posts${query}`, {
    headers: { authorization: `Bearer ${sandbox.keys[role]}` },
  })
}

async function listStatuses(client: Client, count: number): Promise<number[]> {
  const seen: number[] = []
  for (let request = 0; request < count; request += 1)
    seen.push((await requestPosts(client)).status)
  return seen
}

const addFault = ({ faults }: Sandbox, fault: FaultInput) =>
  faults.add({ route: 'GET /v1/:account_id/posts', ...fault })

it('limits the total size of faults, also from a snapshot', async () => {
  const { sandbox } = await openClient()
  const large = { status: 500, body: 'x'.repeat(99_000) }
  for (let count = 0; count < 40; count += 1) sandbox.faults.add(large)
  expect(() => sandbox.faults.add(large)).toThrow(
    'Failed to add a fault: the active faults would exceed 4000000 characters',
  )
  sandbox.faults.add({ status: 500 })
  const { worldState, ...snapshot } = structuredClone(sandbox.snapshot())
  const { lastId, faults } = worldState.faults
  const larger = { lastId: lastId + 1, faults: [...faults, { ...large, id: lastId + 1 }] }
  await expect(
    sandbox.restore({ ...snapshot, worldState: { ...worldState, faults: larger } }),
  ).rejects.toThrow('at most 4000000 characters')
})

describe('A fault', () => {
  it("sends a custom body, such as a gateway's page", async () => {
    const client = await openClient()
    addFault(client.sandbox, {
      status: 502,
      body: '<h1>Bad gateway</h1>',
      content_type: 'text/html',
      headers: { Server: 'edge' },
      times: 1,
    })
    const answer = await requestPosts(client)
    expect([
      answer.status,
      answer.headers.get('content-type'),
      answer.headers.get('server'),
    ]).toEqual([502, 'text/html', 'edge'])
    expect(await answer.text()).toBe('<h1>Bad gateway</h1>')
    expect(client.sandbox.requests[0]).toMatchObject({
      status: 502,
      credits: 1,
      error: 'A fault returned 502.',
    })
  })

  it('stubs one call with a 200 response', async () => {
    const client = await openClient()
    addFault(client.sandbox, { status: 200, body: { data: { list: [] } }, times: 1 })
    const stubbed = await requestPosts(client)
    expect([stubbed.status, await stubbed.json()]).toEqual([200, { data: { list: [] } }])
    expect(client.sandbox.requests[0]).toMatchObject({ status: 200, error: null })
    expect((await (await requestPosts(client)).json())._meta).toBeDefined()
  })

  it('adds headers to the real response', async () => {
    const client = await openClient()
    addFault(client.sandbox, { headers: { 'x-cache': 'HIT', 'Content-Type': 'text/plain' } })
    const answer = await requestPosts(client)
    expect([
      answer.status,
      answer.headers.get('x-cache'),
      answer.headers.get('content-type'),
    ]).toEqual([200, 'HIT', 'text/plain'])
  })

  it('sends half of the JSON as the whole body', async () => {
    const client = await openClient()
    const whole = await (await requestPosts(client)).text()
    addFault(client.sandbox, { truncate: true, times: 1 })
    const half = await (await requestPosts(client)).text()
    expect(half.slice(0, 1000)).toBe(whole.slice(0, 1000))
    expect(() => JSON.parse(half)).toThrow(SyntaxError)
  })

  it('closes the connection midway, so that the status arrives but the body fails', async () => {
    const client = await openClient()
    addFault(client.sandbox, { drop: 'midway', times: 1 })
    const answer = await requestPosts(client)
    expect(answer.status).toBe(200)
    await expect(answer.text()).rejects.toThrow('terminated')
    expect(await listStatuses(client, 1)).toEqual([200])
  })

  it('follows a sequence in order, and then ends', async () => {
    const client = await openClient()
    addFault(client.sandbox, {
      sequence: [{ status: 502 }, {}, { status: 429, error: 'Slow down.' }],
    })
    expect(await listStatuses(client, 4)).toEqual([502, 200, 429, 200])
    expect(client.sandbox.faults.list()).toEqual([])
  })

  it('respects after, every and times', async () => {
    const client = await openClient()
    const { id } = addFault(client.sandbox, { status: 500, after: 1, every: 2, times: 2 })
    expect(await listStatuses(client, 3)).toEqual([200, 500, 200])
    expect(client.sandbox.faults.list()).toMatchObject([{ id, matched: 3, fired: 1, times: 1 }])
    expect(await listStatuses(client, 3)).toEqual([500, 200, 200])
  })

  it('hits at random, depending on the seed', async () => {
    const run = async (seed: number) => {
      const client = await openClient('solo', { seed })
      addFault(client.sandbox, { status: 500, probability: 0.5 })
      return listStatuses(client, 12)
    }
    const seen = await run(7)
    expect(new Set(seen)).toEqual(new Set([200, 500]))
    expect(await run(7)).toEqual(seen)
  })

  it('selects requests by role, query and body', async () => {
    const client = await openClient()
    addFault(client.sandbox, { status: 503, role: 'analyst' })
    addFault(client.sandbox, { status: 504, query: { limit: '5' } })
    expect((await requestPosts(client)).status).toBe(200)
    expect((await requestPosts(client, { role: 'analyst' })).status).toBe(503)
    expect((await requestPosts(client, { query: '?limit=5' })).status).toBe(504)
    client.sandbox.faults.clear()
    client.sandbox.faults.add({
      route: 'POST /v1/:account_id/posts',
      status: 500,
      request_body: { text: 'Hello' },
    })
    expect((await client.post('posts', { text: 'Bye' })).status).toBe(200)
    expect((await client.post('posts', { text: 'Hello', mediaFiles: [] })).status).toBe(500)
  })
})
