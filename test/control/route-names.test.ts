import { createSandbox } from 'creator-api-sandbox'
import { connect } from 'creator-api-sandbox/client'
import { startServer } from 'creator-api-sandbox/server'
import type { SandboxServer } from 'creator-api-sandbox/server'
import 'creator-api-sandbox/vitest'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'

const id = 'GET /v1/:account_id/posts/:post_id'
let server: SandboxServer

beforeAll(async () => {
  server = await startServer({ port: 0, scenario: 'solo' })
})
beforeEach(() => server.sandbox.reset())
afterAll(() => server.stop())

const spellings = [
  id,
  'GET /v1/{account_id}/posts/{post_id}',
  'GET /v1/{account_id}/posts/:post_id',
  'get /v1/{account_id}/posts/{post_id}',
]

/** Reads a post that does not exist, which a fault may answer. */
async function readPost(): Promise<number> {
  const { baseUrl, keys, accounts } = server.sandbox
  const url = `${baseUrl}/v1/${accounts[0].id}/posts/1`
  return (await fetch(url, { headers: { 'x-api-key': keys.owner } })).status
}

it.each(spellings)('knows the route %s in process', async (route) => {
  const { sandbox } = server
  expect(sandbox.faults.add({ route, status: 502, times: 1 }).route).toBe(id)
  const sent = sandbox.waitForRequest({ route })
  expect(await readPost()).toBe(502)
  expect((await sent).status).toBe(502)
  expect(sandbox.received({ route })).toHaveLength(1)
  expect(sandbox).toHaveReceived({ route }, { times: 1 })
  expect(sandbox.control.requests({ route })).toHaveLength(1)
  expect(sandbox.act({ type: 'fault.add', route, status: 503 }).happened).toContain(id)
  expect(await readPost()).toBe(503)
})

it.each(spellings)('knows the route %s over HTTP', async (route) => {
  const remote = connect(server.url)
  expect((await remote.faults.add({ route, status: 502, times: 1 })).route).toBe(id)
  expect(await readPost()).toBe(502)
  expect(await remote.requests({ route })).toHaveLength(1)
  await expect(remote).toHaveReceived({ route, status: 502 }, { times: 1 })
  await expect(
    async () => await expect(remote).toHaveReceived({ route, status: 404 }),
  ).rejects.toThrow(/status is 502, not 404(?!.*route is)/)
  const query = new URLSearchParams({ route })
  const listed = await fetch(`${server.url}/_sandbox/requests?${query.toString()}`)
  expect(await listed.json()).toHaveLength(1)
})

it.each(spellings)('knows the route %s in an overlay', async (route) => {
  const sandbox = createSandbox({
    scenario: 'solo',
    overlay: { routes: { [route]: { absent: true } } },
  })
  await sandbox.ready
  expect(sandbox.control.routes()).not.toContain(id)
})
