import { expect, it } from 'vitest'
import { openControlClient } from '../support/control.ts'

const site = { hosts: ['sandbox.local', '::2', '0.0.0.0'] }

it.each([
  'localhost',
  'LOCALHOST:4010',
  '127.0.0.1:4010',
  '127.8.9.10',
  '[::1]:4010',
  'api.example.test',
  'api.example.test:8080',
  'sandbox.local:4010',
  '[::2]:4010',
  '0.0.0.0:4010',
])('accepts requests for the host %s', async (host) => {
  const { ask } = await openControlClient({ site })
  expect((await ask('GET', '/_sandbox/state', { headers: { host } })).status).toBe(200)
})

it.each([
  'evil.example',
  'localhost.evil.example',
  '127.0.0.1.evil.example',
  'api.example.test.evil.example',
  '127.0.0.1@evil.example',
  '',
  'localhost:4010:80',
  undefined,
])('rejects the host %s: DNS rebinding', async (host) => {
  const { ask } = await openControlClient({ site })
  for (const method of ['GET', 'POST', 'OPTIONS']) {
    expect(await ask(method, '/_sandbox/reset', { headers: { host } })).toMatchObject({
      status: 403,
      body: { error: expect.stringContaining('does not accept the host') },
    })
  }
})

it('rejects IP addresses as host if it only listens on loopback', async () => {
  const { ask } = await openControlClient()
  for (const host of ['10.0.0.1:4010', '[::3]', '0.0.0.0:4010'])
    expect([host, (await ask('GET', '/_sandbox/state', { headers: { host } })).status]).toEqual([
      host,
      403,
    ])
})

it.each([
  'http://localhost:5173',
  'https://127.0.0.1',
  'http://[::1]:3000',
  'https://api.example.test',
])('accepts requests from pages of %s, and lets the pages read the response', async (origin) => {
  const { ask } = await openControlClient()
  const answer = await ask('GET', '/_sandbox/state', { headers: { origin } })
  expect(answer).toMatchObject({
    status: 200,
    headers: { 'access-control-allow-origin': origin, vary: 'Origin' },
  })
  const preflight = await ask('OPTIONS', '/_sandbox/actions', {
    headers: { origin, 'access-control-request-method': 'POST' },
  })
  expect(preflight).toMatchObject({
    status: 204,
    headers: {
      'access-control-allow-origin': origin,
      'access-control-allow-headers': 'authorization, content-type',
      'access-control-allow-methods': 'GET, POST, PATCH, DELETE, PUT',
    },
  })
})

it.each([
  '/%5fsandbox/state',
  '/_s%61ndbox/snapshot',
  '/_sandbox/st%61te',
  '/_sandbox/openapi%2Ejson',
])('does not serve %s, because a proxy compares raw paths', async (path) => {
  const { ask } = await openControlClient()
  expect((await ask('GET', path)).status).toBe(404)
})

it.each([
  'https://evil.example',
  'http://localhost.evil.example',
  'null',
  'http://api.example.test',
  'http://localhost@evil.example',
  'file://',
])('rejects pages of %s', async (origin) => {
  const { ask, sandbox } = await openControlClient()
  const answer = await ask('POST', '/_sandbox/clock', {
    headers: { origin },
    body: { advance: '1h' },
  })
  expect(answer.status).toBe(403)
  expect(answer.headers['access-control-allow-origin']).toBeUndefined()
  expect((await ask('OPTIONS', '/_sandbox/clock', { headers: { origin } })).status).toBe(403)
  expect(sandbox.clock.now()).toBe((await openControlClient()).sandbox.clock.now())
})

it.each(['text/plain', 'application/x-www-form-urlencoded', undefined])(
  'rejects a body of type %s, which a foreign form can send',
  async (type) => {
    const { ask } = await openControlClient()
    const answer = await ask('POST', '/_sandbox/clock', {
      headers: { 'content-type': type },
      body: { advance: '1h' },
    })
    expect(answer).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining('Content-Type: application/json') },
    })
  },
)

it('requires the token if there is one, but not for a preflight', async () => {
  const { ask } = await openControlClient({ site: { controlToken: 'open sesame' } })
  const status = async (authorization: string | undefined) =>
    (await ask('GET', '/_sandbox/state', { headers: { authorization } })).status
  expect(await status(undefined)).toBe(401)
  expect(await status('Bearer open')).toBe(401)
  expect(await status('Bearer open sesame!')).toBe(401)
  expect(await status('Basic open sesame')).toBe(401)
  expect(await status('Bearer open sesame')).toBe(200)
  expect(
    (await ask('OPTIONS', '/_sandbox/state', { headers: { origin: 'http://localhost:5173' } }))
      .status,
  ).toBe(204)
})

it('accepts a token with non-ASCII letters, as UTF-8 or Latin-1', async () => {
  const token = 'Zürich łódź 日本 à'
  const { ask } = await openControlClient({ site: { controlToken: token } })
  const status = async (sent: string) =>
    (await ask('GET', '/_sandbox/state', { headers: { authorization: `Bearer ${sent}` } })).status
  const inBytes = Buffer.from(token).toString('latin1')
  expect(await status(inBytes)).toBe(200)
  expect(await status(`  ${inBytes}  `)).toBe(200)
  expect(await status(token)).toBe(200)
  for (const wrong of [inBytes.slice(0, -1), `${inBytes}x`, token.normalize('NFD'), 'Z'])
    expect([wrong, await status(wrong)]).toEqual([wrong, 401])
})

it('rejects a body over the limit with 413, but accepts large snapshots', async () => {
  const { ask } = await openControlClient()
  const padding = ' '.repeat(1024 * 1024)
  expect(
    (await ask('POST', '/_sandbox/clock', { body: `{"advance":"1h"}${padding}` })).status,
  ).toBe(413)
  const snapshot = (await ask('GET', '/_sandbox/snapshot')).body
  expect(
    (await ask('PUT', '/_sandbox/snapshot', { body: JSON.stringify(snapshot) + padding })).status,
  ).toBe(200)
})
