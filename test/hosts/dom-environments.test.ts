import { createSandbox } from 'creator-api-sandbox'
import { handlers } from 'creator-api-sandbox/msw'
import type { Server } from 'node:http'
import { expect, it, onTestFinished } from 'vitest'
import { serve } from '../../examples/http-middleware/server.ts'
import { createFreshSandbox } from '../support/client.ts'
import { faces } from '../support/hosts.ts'

async function open(face: 'msw' | 'fetch') {
  const sandbox = await createFreshSandbox('solo')
  const host = await faces[face](sandbox)
  onTestFinished(host.close)
  const authorization = `Bearer ${sandbox.keys['owner']}`
  const posts = `${sandbox.baseUrl}/v1/${sandbox.db.accounts.all()[0]!.id}/posts`
  return { sandbox, posts, authorization, send: host.fetch }
}

const origin = 'http://localhost:3000'

it.each([
  ['msw', {}],
  ['msw', { origin }],
  ['fetch', { origin }],
] as const)('%s allows the requests of a page with the headers %o', async (face, headers) => {
  const { sandbox, posts, authorization, send } = await open(face)
  const preflight = await send(posts, { method: 'OPTIONS', headers })

  expect(preflight.status).toBe(204)
  expect(preflight.headers.get('access-control-allow-origin')).toBe('*')
  for (const name of ['authorization', 'x-api-key', 'content-type', 'range'])
    expect(preflight.headers.get('access-control-allow-headers')?.split(', ')).toContain(name)
  for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])
    expect(preflight.headers.get('access-control-allow-methods')?.split(', ')).toContain(method)

  const statuses = [200, 401]
  for (const status of statuses) {
    const { headers: found, status: given } = await send(posts, {
      headers: { ...headers, authorization: status === 200 ? authorization : 'none' },
    })
    expect([given, found.get('access-control-allow-origin')]).toEqual([status, '*'])
    expect(found.get('access-control-expose-headers')?.split(', ')).toContain('etag')
  }
  expect(sandbox.requests).toHaveLength(statuses.length)
})

it('preflights use up no fault, limit or credit', async () => {
  const { sandbox, posts, authorization, send } = await open('msw')
  sandbox.faults.add({ status: 503, times: 1 })
  const before = sandbox.snapshot()
  await send(posts, { method: 'OPTIONS' })
  expect(sandbox.snapshot()).toEqual(before)
  expect((await send(posts, { headers: { authorization } })).status).toBe(503)
})

it('answers pictures on the public host for pages as well', async () => {
  const { sandbox, send } = await open('msw')
  const { avatar } = sandbox.db.accounts.all()[0]!
  const picture = await send(avatar!)
  expect([picture.status, picture.headers.get('access-control-allow-origin')]).toEqual([200, '*'])
})

it.each([true, 'midway'] as const)(
  'with cut: 502, drop: %s becomes a response for the clients of another server',
  async (drop) => {
    const sandbox = await createFreshSandbox()
    const server: Server = await serve(sandbox)
    onTestFinished(() => void server.close())
    sandbox.faults.add({ drop, times: 1 })
    const response = await fetch(`${sandbox.baseUrl}/health`)
    expect([response.status, await response.json()]).toEqual([
      502,
      { error: 'A fault of the sandbox closed the connection.' },
    ])
    expect((await fetch(`${sandbox.baseUrl}/health`)).status).toBe(200)
  },
)

it.each([200, 600, 502.5])('rejects cut: %s', (cut) => {
  expect(() => handlers(createSandbox({ scenario: 'empty' }), { cut })).toThrow(
    `handlers: the option cut is ${cut}. Use a status from 500 to 599, or omit it.`,
  )
})

it('gives pages of a browser behind @msw/playwright a network error for drop: midway', async () => {
  const { sandbox, posts, authorization } = await open('msw')
  const headers = { authorization, 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64)' }
  sandbox.faults.add({ drop: 'midway', times: 1 })
  const request = new Request(posts, { headers })
  const [handler] = handlers(sandbox)
  const result = await handler?.run({ request, requestId: 'page' })
  expect(result?.response?.type).toBe('error')
})
