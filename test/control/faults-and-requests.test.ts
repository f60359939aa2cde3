import { createSandbox } from 'creator-api-sandbox'
import { expect, it } from 'vitest'
import { createBearerHeader, openControlClient, refusal } from '../support/control.ts'

it('adds, lists, removes and clears faults', async () => {
  const { sandbox, ask, read } = await openControlClient()
  const fault = { route: 'GET /v1/:account_id/posts', status: 502, times: 2 }
  expect((await ask('POST', '/_sandbox/faults', { body: fault })).body).toEqual({
    ...fault,
    id: 1,
    matched: 0,
    fired: 0,
  })
  expect((await ask('POST', '/_sandbox/faults', { body: { delay_ms: 5 } })).body).toMatchObject({
    delay_ms: 5,
    id: 2,
  })
  expect(await read('faults')).toEqual(sandbox.faults.list())
  expect((await ask('DELETE', '/_sandbox/faults/1')).body).toEqual({ removed: 1 })
  expect((await ask('DELETE', '/_sandbox/faults/1')).status).toBe(404)
  expect((await ask('DELETE', '/_sandbox/faults')).body).toEqual({ removed: 1 })
  expect(sandbox.faults.list()).toEqual([])
})

it.each([
  [{ route: 'GET /v1/:account_id/post', status: 500 }, 'Similar routes: GET /v1/:account_id/posts'],
  [{ route: 'posts', status: 500 }, 'Use method and path'],
  [{ status: 199 }, 'it must be at least 200'],
  [{ times: 0 }, 'times: 0'],
  [{ delay_ms: 1e9 }, 'at most 600000'],
  [
    { colour: 'red' },
    'Allowed: status, error, body, content_type, headers, truncate, delay_ms, drop, applied, route',
  ],
  [{}, 'it would have no effect; set status, headers, truncate, delay_ms, drop or sequence'],
  [{ drop: false, times: 2 }, 'it would have no effect'],
  [{ error: 'Down for repairs.', delay_ms: 5 }, 'error: "Down for repairs."): it needs a status'],
  [{ drop: true, status: 502 }, 'drop: true): it closes the connection before a status is sent'],
  [{ status: 200, error: 'Down.' }, 'error: "Down."): it needs a status'],
  [{ body: {} }, 'it needs status, and cannot be combined with error'],
  [{ status: 204, body: {} }, 'a response with the status 204, 205, 304 has no body'],
  [{ status: 204, truncate: true }, 'a response with the status 204, 205, 304 has no body'],
  [{ status: 304, drop: 'midway' }, 'a response with the status 204, 205, 304 has no body'],
  [{ status: 502, content_type: 'text/html' }, 'it needs body'],
  [{ status: 502, headers: { 'Content-Length': '5' } }, 'the host sets connection, content-length'],
  [
    { status: 502, headers: { 'a b': '5' } },
    'the name of a header may have only letters, digits, hyphens',
  ],
  [{ status: 502, headers: { a: 'b\nc' } }, 'the value of a header must be one line of ASCII'],
  [
    { truncate: true, drop: 'midway' },
    'it cannot be combined with drop, which closes the connection',
  ],
  [
    { sequence: [{ status: 502 }], status: 500 },
    'it cannot be combined with status, delay_ms and other effects',
  ],
  [{ sequence: [{ status: 502 }], times: 2 }, 'it cannot be combined with sequence'],
  [{ sequence: [{ error: 'Down.' }] }, 'sequence[0].error: "Down."): it needs a status'],
  [{ status: 502, probability: 0 }, 'probability: 0'],
  [{ account_id: 5, status: 502 }, 'account_id: 5): there is no such account. There '],
])('rejects the fault %j, in process and over HTTP', async (fault, text) => {
  const { sandbox, ask } = await openControlClient()
  expect(await ask('POST', '/_sandbox/faults', { body: fault })).toMatchObject(refusal(400, text))
  expect(() => sandbox.faults.add(fault as object)).toThrow(text)
  expect(sandbox.faults.list()).toEqual([])
})

const many = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`x${index}`, '1']))
it.each([
  [
    'a body of 100,001 characters',
    { status: 502, body: 'x'.repeat(100_001) },
    'it must have at most 100000 characters as JSON',
  ],
  [
    'a body that cannot be serialized',
    { status: 502, body: JSON.parse('['.repeat(20_000) + ']'.repeat(20_000)) },
    'it must be JSON',
  ],
  ['a function to match', { status: 502, request_body: () => 1 }, 'it must be JSON'],
  ['51 headers', { status: 502, headers: many(51) }, 'it must have at most 50 headers'],
  ['101 parameters', { status: 502, query: many(101) }, 'it must have at most 100 parameters'],
])('rejects a fault with %s', (_, fault, text) => {
  const { faults } = createSandbox({ scenario: 'empty' })
  expect(() => faults.add(fault)).toThrow(text)
  expect(faults.list()).toEqual([])
})

it('accepts a fault for any account before the accounts are known', () => {
  const { faults } = createSandbox({ scenario: 'solo' })
  expect(faults.add({ account_id: 5, status: 502 })).toMatchObject({
    account_id: 5,
    status: 502,
    id: 1,
  })
})

it('allows at most 1000 faults', async () => {
  const { sandbox, ask } = await openControlClient()
  for (let count = 0; count < 1000; count += 1) sandbox.faults.add({ delay_ms: 0 })
  expect(await ask('POST', '/_sandbox/faults', { body: { delay_ms: 0 } })).toMatchObject(
    refusal(400, '1000 are active'),
  )
})

it('lists the journal newest first, filtered by route, status and account', async () => {
  const { sandbox, ask, read } = await openControlClient()
  const account = sandbox.db.accounts.all()[0]!.id
  const owner = createBearerHeader(sandbox.keys['owner'])
  await ask('GET', `/v1/${account}/posts`, owner)
  await ask('GET', '/v1/7/posts', owner)
  await ask('GET', '/v1/nothing', owner)
  const paths = async (filter: string) =>
    (await read(`requests${filter}`)).map((entry: { path: string }) => entry.path)
  expect(await paths('')).toEqual(['/v1/nothing', '/v1/7/posts', `/v1/${account}/posts`])
  expect(await paths('?route=GET%20/v1/{account_id}/posts')).toEqual([
    '/v1/7/posts',
    `/v1/${account}/posts`,
  ])
  expect(await paths('?route=null')).toEqual(['/v1/nothing'])
  expect(await paths('?status=404')).toEqual(['/v1/nothing', '/v1/7/posts'])
  expect(await paths(`?account=${account}`)).toEqual([`/v1/${account}/posts`])
  expect(await paths('?limit=2')).toEqual(['/v1/nothing', '/v1/7/posts'])
  expect(await paths('?limit=1&before=3')).toEqual(['/v1/7/posts'])
  expect((await ask('GET', '/_sandbox/requests?route=posts')).status).toBe(400)
  expect((await ask('GET', '/_sandbox/requests?status=ok')).status).toBe(400)
  expect((await ask('DELETE', '/_sandbox/requests')).body).toEqual({ removed: 3 })
  expect(await paths('')).toEqual([])
})

it('exports requests with odd hosts and paths as an HTTP archive', async () => {
  const { sandbox, ask } = await openControlClient()
  const get = (host: string, url: string) =>
    sandbox.handle({
      method: 'GET',
      url,
      header: (name) => (name === 'host' ? host : null),
      headers: () => ({ host }),
      body: null,
    })
  await get('api.example.test', '//evil.example/v1/tags')
  await get('api.example.test', '//')
  await get('a b', '/v1/tags')
  await get('user:secret@evil.example/x', '/v1/tags')
  const { status, body } = await ask('GET', '/_sandbox/requests?format=har')
  expect(status).toBe(200)
  const { entries } = body.log as { entries: { request: { url: string } }[] }
  expect(entries.map(({ request }) => request.url)).toEqual([
    'http://api.example.test//evil.example/v1/tags',
    'http://api.example.test//',
    'http://sandbox.invalid/v1/tags',
    'http://evil.example/v1/tags',
  ])
})
