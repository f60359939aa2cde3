import { expect, it } from 'vitest'
import { openControlClient, refusal } from '../support/control.ts'

// hosts/trusted-origins.test.ts tests which hosts and origins are foreign.

it.each(['evil.example', '', undefined])('rejects the host %s: DNS rebinding', async (host) => {
  const { ask } = await openControlClient({ site: { hosts: ['sandbox.local'] } })
  for (const method of ['GET', 'POST', 'OPTIONS'])
    expect(await ask(method, '/_sandbox/reset', { headers: { host } })).toMatchObject(
      refusal(403, 'does not accept the host'),
    )
  const own = { host: 'sandbox.local:4010' }
  expect((await ask('GET', '/_sandbox/state', { headers: own })).status).toBe(200)
})

it.each(['http://localhost:5173', 'https://api.example.test'])(
  'accepts requests from pages of %s, and lets the pages read the response',
  async (origin) => {
    const { ask } = await openControlClient()
    expect(await ask('GET', '/_sandbox/state', { headers: { origin } })).toMatchObject({
      status: 200,
      headers: { 'access-control-allow-origin': origin, vary: 'Origin' },
    })
    const asked = { origin, 'access-control-request-method': 'POST' }
    const preflight = await ask('OPTIONS', '/_sandbox/actions', { headers: asked })
    expect(preflight.status).toBe(204)
    expect(preflight.headers).toMatchObject({
      'access-control-allow-origin': origin,
      'access-control-allow-headers': 'authorization, content-type',
      'access-control-allow-methods': 'GET, POST, PATCH, DELETE, PUT',
    })
  },
)

it.each(['/%5fsandbox/state', '/_s%61ndbox/snapshot', '/_sandbox/st%61te', '/_sandbox/api%2Ejson'])(
  'does not serve %s, because a proxy compares raw paths',
  async (path) => {
    const { ask } = await openControlClient()
    expect((await ask('GET', path)).status).toBe(404)
  },
)

it.each(['https://evil.example', 'null', 'file://'])('rejects pages of %s', async (origin) => {
  const { ask, sandbox } = await openControlClient()
  const before = sandbox.clock.now()
  const sent = { headers: { origin }, body: { advance: '1h' } }
  const answer = await ask('POST', '/_sandbox/clock', sent)
  expect(answer.status).toBe(403)
  expect(answer.headers['access-control-allow-origin']).toBeUndefined()
  expect((await ask('OPTIONS', '/_sandbox/clock', { headers: { origin } })).status).toBe(403)
  expect(sandbox.clock.now()).toBe(before)
})

it.each(['text/plain', 'application/x-www-form-urlencoded', undefined])(
  'rejects a body of type %s, which a foreign form can send',
  async (type) => {
    const { ask } = await openControlClient()
    const sent = { headers: { 'content-type': type }, body: { advance: '1h' } }
    expect(await ask('POST', '/_sandbox/clock', sent)).toMatchObject(
      refusal(400, 'Content-Type: application/json'),
    )
  },
)

it('requires the token if there is one, as UTF-8 or Latin-1, but not for a preflight', async () => {
  const token = 'Zürich łódź 日本 à'
  const inBytes = Buffer.from(token).toString('latin1')
  const { ask } = await openControlClient({ site: { controlToken: token } })
  const status = async (authorization: string | undefined) =>
    (await ask('GET', '/_sandbox/state', { headers: { authorization } })).status
  for (const sent of [token, inBytes, `  ${inBytes}  `])
    expect([sent, await status(`Bearer ${sent}`)]).toEqual([sent, 200])
  const wrong = [inBytes.slice(0, -1), `${inBytes}x`, token.normalize('NFD'), 'Z']
  // Headers of 16 KB must not take long.
  const long = ['a '.repeat(8_000), `a${' '.repeat(16_000)}b`, ' '.repeat(16_000)]
  for (const sent of [...wrong, ...long])
    expect([sent, await status(`Bearer ${sent}`)]).toEqual([sent, 401])
  expect([await status(undefined), await status(`Basic ${inBytes}`)]).toEqual([401, 401])
  const headers = { origin: 'http://localhost:5173' }
  expect((await ask('OPTIONS', '/_sandbox/state', { headers })).status).toBe(204)
})

it('rejects a body over the limit with 413, but accepts large snapshots', async () => {
  const { ask, read } = await openControlClient()
  const padding = ' '.repeat(1024 * 1024)
  const clock = { body: `{"advance":"1h"}${padding}` }
  expect((await ask('POST', '/_sandbox/clock', clock)).status).toBe(413)
  const body = JSON.stringify(await read('snapshot')) + padding
  expect((await ask('PUT', '/_sandbox/snapshot', { body })).status).toBe(200)
})
