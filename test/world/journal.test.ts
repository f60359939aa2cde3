import { createSandbox } from 'creator-api-sandbox'
import type { Sandbox } from 'creator-api-sandbox'
import { describe, expect, it } from 'vitest'
import { createFreshSandbox, openClient } from '../support/client.ts'
import { ServedSandbox } from '../../src/sandbox/served-sandbox.ts'

describe('the journal', () => {
  it('shows the headers, with the key replaced by its role, and the sizes', async () => {
    const { sandbox, post, account } = await openClient()
    const { body } = await post(
      `/v1/${account()}/vault/lists`,
      { name: 'Größe' },
      { headers: { 'x-trace': 'abc' } },
    )
    expect(sandbox.requests[0]).toMatchObject({
      role: 'owner',
      key: `…${sandbox.keys['owner']?.slice(-4)}`,
      asked_by: 'client',
      request: { headers: { authorization: 'Bearer <key of owner>', 'x-trace': 'abc' }, bytes: 18 },
      response: { bytes: new TextEncoder().encode(JSON.stringify(body)).length },
    })
  })

  it('stores no credential of another service', async () => {
    const { sandbox, get, post, account } = await openClient()
    const secret = 'sk_live_51Habc'
    await get(`/v1/${account()}/posts`, { key: secret })
    expect(sandbox.requests[0]).toMatchObject({
      key: '<unknown key, 14 characters>',
      role: null,
      status: 401,
      code: 'key_unknown',
    })
    expect(sandbox.requests[0]?.request.headers['authorization']).toBe(
      'Bearer <unknown key, 14 characters>',
    )
    await get(`/v1/${account()}/posts?limit=1&api_key=${secret}&x-api-key=${secret}`)
    await get('/health', {
      key: secret,
      headers: { 'x-api-key': secret, cookie: `session=${secret}`, 'x-access-token': secret },
    })
    await get('/health', {
      headers: {
        referer: `https://shop.example/?key=${secret}`,
        'private-token': secret,
        'x-key': secret,
      },
    })
    await post(`/v1/${account()}/vault/lists`, {
      name: 'Mine',
      api_key: secret,
      refresh_token: secret,
    })
    expect(JSON.stringify(sandbox.requests)).not.toContain('51Habc')
    expect(sandbox.requests[3]?.path).toContain(
      `&api_key=${encodeURIComponent('<unknown key, 14 characters>')}&`,
    )
  })

  it('stores no keys from a URL, or from a response that repeats the URL', async () => {
    const { sandbox, get, account } = await openClient()
    const owner = sandbox.keys.owner
    for (const key of [owner, 'sk_live_51Habc', 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.sig']) {
      await get(`/v1/${key}/posts`)
      await get(`/v1/${account()}/posts/${key}?limit=1`)
      await get(`/v1/${account()}/posts?${key}`)
      expect(JSON.stringify(sandbox.requests)).not.toContain(key)
    }
    const [, , last] = sandbox.requests.slice(-3)
    expect(last).toMatchObject({
      path: `/v1/${encodeURIComponent('<key of owner>')}/posts`,
      status: 400,
    })
    expect(last?.error).toContain('<key of owner>')
    await get(`/v1/${account()}/posts?query=sky_blue`)
    expect(sandbox.requests[0]?.path).toBe(`/v1/${account()}/posts?query=sky_blue`)
  })

  it('shows the fault that hit a request, and the code of an error', async () => {
    const { sandbox, get, account } = await openClient()
    const { id } = sandbox.faults.add({ status: 502, times: 1 })
    await get(`/v1/${account()}/posts`)
    expect(sandbox.requests[0]).toMatchObject({ status: 502, fault: id, code: null })
    await get('/v1/7/posts')
    expect(sandbox.requests[0]).toMatchObject({ status: 404, fault: null, code: 'account_unknown' })
  })

  it('shows ignored fields of the query and of the body', async () => {
    const { sandbox, get, post, account } = await openClient()
    await get(`/v1/${account()}/posts?limt=5&limit=5`)
    expect(sandbox.requests[0]?.ignored).toEqual([{ in: 'query', name: 'limt' }])
    await post(`/v1/${account()}/vault/lists`, { name: 'Mine', color: 'red' })
    expect(sandbox.requests[0]?.ignored).toEqual([{ in: 'body', name: 'color' }])
    await post(`/v1/${account()}/posts`, { text: 'Hello', price: 0 })
    expect(sandbox.requests[0]?.ignored).toEqual([])
  })
})

it('counts the bytes of a file that it does not store', async () => {
  const { sandbox, get, account } = await openClient()
  const { body } = await get(`/v1/${account()}/posts?media_type=photos&limit=1`)
  const file = await get(body.data.list[0].media[0].files.thumb.url, { key: null })
  expect(sandbox.requests[0]?.response).toMatchObject({ body: null, bytes: file.body.length })
})

it('has no real time by default', async () => {
  const { sandbox, get } = await openClient()
  await get('/health')
  expect(sandbox.requests[0]).toMatchObject({ real_at: null, duration_ms: null })
})

it('accepts real time from outside', async () => {
  let now = Date.parse('2026-11-22T08:00:00Z')
  const sandbox = createSandbox({ scenario: 'empty', realTime: () => (now += 2.5) })
  await sandbox.ready
  await sandbox.fetch(`${sandbox.baseUrl}/health`)
  expect(sandbox.requests[0]).toMatchObject({
    real_at: '2026-11-22T08:00:00.005Z',
    duration_ms: 2.5,
  })
  expect(() => createSandbox({ realTime: () => Number.NaN })).toThrow('realTime')
})

function sendHealth(sandbox: Sandbox, headers: Record<string, string>) {
  const call = { method: 'GET', url: '/health', header: () => null, body: null }
  return sandbox.handle({ ...call, headers: () => headers })
}

it.each([
  ['http://127.0.0.1:4010/docs', 'docs'],
  ['http://127.0.0.1:4010/api/docs/', 'docs'],
  ['http://127.0.0.1:4010/_sandbox/', 'console'],
  ['http://localhost:5173/posts?from=/docs', 'client'],
  ['', 'client'],
])('with the page %j, shows that %s sent the request', async (referer, sender) => {
  const sandbox = await createFreshSandbox()
  await sendHealth(sandbox, { referer })
  expect(sandbox.requests[0]?.asked_by).toBe(sender)
})

it('writes no credential of another service to a recording', async () => {
  const { sandbox, post, account } = await openClient()
  const toScenario = new ServedSandbox(sandbox).record()
  await post(`/v1/${account()}/vault/lists?api_key=sk_live_51Habc`, {
    name: 'Mine',
    password: 'sk_live_51Habc',
  })
  const { scenario, steps } = toScenario('mine')
  expect(steps).toBe(1)
  expect(JSON.stringify(scenario)).not.toContain('51Habc')
})

it('shows the headers of each request, even if they are shared', async () => {
  const sandbox = await createFreshSandbox()
  const others = Array.from({ length: 12 }, (_, place) => `client-${place}`)
  const names = ['a', 'b', 'a', 'a', ...others, 'a', 'b']
  for (const name of names)
    await sendHealth(sandbox, { 'user-agent': name, ...(name === 'b' ? { 'x-trace': '1' } : {}) })
  const shown = sandbox.requests.toReversed().map(({ request }) => request.headers)
  expect(shown.map((headers) => headers['user-agent'])).toEqual(names)
  expect(shown.map((headers) => 'x-trace' in headers)).toEqual(names.map((name) => name === 'b'))
})

it('shows the name of the role at the time of each request', async () => {
  const { sandbox, get, account } = await openClient()
  const key = sandbox.db.apiKeys.find({ role: 'owner' })!
  await get(`/v1/${account()}/posts`)
  sandbox.db.apiKeys.update(key.id, { role: 'boss' })
  await get(`/v1/${account()}/posts`)
  const shown = sandbox.requests.map(({ role, request }) => [
    role,
    request.headers['authorization'],
  ])
  expect(shown).toEqual([
    ['boss', 'Bearer <key of boss>'],
    ['owner', 'Bearer <key of owner>'],
  ])
})

it('counts writes even if the journal size is 0', async () => {
  const { sandbox, post, account } = await openClient('solo', { journalSize: 0 })
  await post(`/v1/${account()}/vault/lists`, { name: 'Mine' })
  await post(`/v1/${account()}/vault/lists`, { name: '' })
  expect(sandbox.requests).toEqual([])
  expect(sandbox.snapshot()).toMatchObject({ worldState: { writes: 1 } })
})

it('calls listeners even if the journal size is 0, and after the journal was cleared', async () => {
  const { sandbox, get, account } = await openClient('solo', { journalSize: 0 })
  const heard: string[] = []
  sandbox.on('request', ({ path }) => {
    heard.push(path)
    sandbox.control.clearRequests()
  })
  await get(`/v1/${account()}/posts`)
  await get(`/v1/${account()}/chats`)
  expect(heard).toEqual([`/v1/${account()}/posts`, `/v1/${account()}/chats`])
  expect(sandbox.requests).toEqual([])
})
