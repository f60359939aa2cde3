import { createSandbox, describeRequests } from 'creator-api-sandbox'
import { describe, expect, it } from 'vitest'
import { openClient } from '../support/client.ts'
import type { Client } from '../support/client.ts'
import { refusal } from '../support/control.ts'

const organisationOf = ({ sandbox }: Client) => sandbox.db.organisations.all()[0]!
const setLimits = (client: Client, limits: { minute: number; day: number }) =>
  client.db.organisations.update(organisationOf(client).id, { limits })
const remaining = (answer: { body: { _meta: { _rate_limits: { remaining_minute: number } } } }) =>
  answer.body._meta._rate_limits.remaining_minute

/** Reads the posts a number of times, and returns the statuses. */
async function readPosts(client: Client, times: number): Promise<number[]> {
  const statuses = []
  for (let request = 0; request < times; request += 1)
    statuses.push((await client.get('posts')).status)
  return statuses
}

describe('the request pipeline', () => {
  it('accepts the key as bearer token or X-API-Key; the bearer token takes priority (§5.1)', async () => {
    const client = await openClient()
    const { owner } = client.sandbox.keys
    const both = { 'x-api-key': owner!, authorization: 'Bearer wrong' }
    expect(
      (await client.get('posts', { key: null, headers: { 'x-api-key': owner! } })).status,
    ).toBe(200)
    expect((await client.get('posts', { key: null, headers: both })).status).toBe(401)
    expect((await client.get('posts', { headers: { 'x-api-key': 'wrong' } })).status).toBe(200)
  })

  it('reports the remaining requests: 999 of 1000 after /health and one request (§1, §5.5)', async () => {
    const client = await openClient()
    const health = await client.get('/health', { key: null })
    expect([health.status, health.body]).toEqual([200, { status: 'ok' }])
    const answer = await client.get('posts')
    expect(answer.body._meta._rate_limits).toEqual({
      limit_minute: 1000,
      remaining_minute: 999,
      limit_day: 50_000,
      remaining_day: 49_999,
    })
  })

  it('returns 429 without charging a credit if the minute limit is used up, until the next UTC minute (§8)', async () => {
    const client = await openClient()
    setLimits(client, { minute: 2, day: 100 })
    expect(await readPosts(client, 4)).toEqual([200, 200, 429, 429])
    expect(client.sandbox.requests[0]?.credits).toBe(0)
    client.sandbox.clock.advance('1m')
    const answer = await client.get('posts')
    expect(answer.body._meta._rate_limits).toMatchObject({ remaining_minute: 1, remaining_day: 97 })
  })

  it('returns 429 if the daily limit is used up; all keys of an organisation share the limits (§5.2)', async () => {
    const client = await openClient()
    setLimits(client, { minute: 100, day: 2 })
    await client.get('posts')
    await client.get('posts', { key: 'analyst' })
    client.sandbox.clock.run()
    expect((await client.get('posts')).body).toEqual({
      error: 'Rate limit exceeded: 2 requests per day for this organisation.',
    })
    client.sandbox.clock.advance('1d')
    expect((await client.get('posts')).status).toBe(200)
  })

  it('says in the 429 and in the journal that the clock is frozen', async () => {
    const client = await openClient()
    setLimits(client, { minute: 0, day: 2 })
    const error =
      'Rate limit exceeded: 0 requests per minute for this organisation; the clock of the ' +
      'sandbox is frozen at 2026-10-01T09:30:00.000Z, so the limit is not reset until you move ' +
      'it.'
    expect((await client.get('/v1/tags')).body).toEqual({ error })
    expect(client.sandbox.requests[0]).toMatchObject({ status: 429, error })
  })

  it('sets the date header to sandbox time, unless a fault sets it', async () => {
    const client = await openClient()
    client.sandbox.clock.advance('1h')
    for (const path of ['/v1/tags', '/v1/nowhere', '/health'])
      expect((await client.get(path)).headers.get('date')).toBe('Thu, 01 Oct 2026 10:30:00 GMT')
    client.sandbox.faults.add({ headers: { Date: 'Thu, 01 Oct 2026 10:00:00 GMT' } })
    expect((await client.get('/v1/tags')).headers.get('date')).toBe('Thu, 01 Oct 2026 10:00:00 GMT')
  })

  it('sends no headers that the reference does not mention', async () => {
    const client = await openClient()
    setLimits(client, { minute: 1, day: 100 })
    for (const { headers } of [await client.get('posts'), await client.get('posts')])
      expect([...headers.keys()].toSorted()).toEqual(['content-type', 'date'])
  })

  it('returns 402 and charges one credit if the organisation has no credits or no subscription', async () => {
    const client = await openClient()
    client.db.organisations.update(organisationOf(client).id, { credits: 2 })
    expect(await readPosts(client, 3)).toEqual([200, 200, 402])
    expect(client.sandbox.requests[0]?.credits).toBe(1)
    client.db.organisations.update(organisationOf(client).id, {
      credits: null,
      isSubscriptionActive: false,
    })
    expect((await client.get('posts')).body.error).toContain('no active subscription')
  })

  it('returns 404 for an unknown path or method, and counts both requests', async () => {
    const client = await openClient()
    expect((await client.get('nothing')).status).toBe(404)
    expect((await client.put('posts', {})).status).toBe(404)
    expect((await client.delete('/v1')).status).toBe(404)
    expect(remaining(await client.get('posts'))).toBe(996)
  })

  it('matches paths exactly: no trailing slash, no ids with leading zeros', async () => {
    const client = await openClient()
    const account = client.account()
    const { id } = client.db.posts.where({ accountId: account, status: 'published' })[0]!
    expect((await client.get(`posts/${id}/stats`)).status).toBe(200)
    expect((await client.get('posts/')).status).toBe(404)
    expect((await client.get(`posts/${id}/stats/`)).status).toBe(404)
    expect((await client.get(`/v1/0${account}/posts`)).body.error).toBe(
      `Path parameter account_id is "0${account}", but it must be an integer.`,
    )
    expect((await client.get(`posts/0${id}/stats`)).status).toBe(400)
    const coded = [...String(account)].map((digit) => `%3${digit}`).join('')
    expect((await client.get(`/v1/${coded}/posts/${id}/stats`)).status).toBe(200)
  })

  it('matches percent-encoded letters in a path (RFC 3986 §6.2.2.2)', async () => {
    const client = await openClient()
    const account = client.account()
    for (const path of [
      `/v1/${account}/p%6Fsts`,
      `/%76%31/${account}/%70%6fsts`,
      `/v1/${account}/%73ubscribers/t%6fp`,
    ])
      expect([path, (await client.get(path)).status]).toEqual([path, 200])
    for (const path of [
      `/v1/${account}%2Fposts`,
      `/v1/${account}/p%256Fsts`,
      `/v1/${account}/p%6`,
      `/v1/${account}/posts%2F`,
    ])
      expect([path, (await client.get(path)).status]).toEqual([path, 404])
    expect((await client.get('/h%65alth', { key: null })).status).toBe(200)
  })

  it.each([
    ['/v1/101/pots', 'GET /v1/:account_id/posts'],
    ['/pots', 'GET /v1/:account_id/posts'],
    ['/posts/', 'GET /v1/:account_id/posts'],
    ['/v1/101/me/', 'GET /v1/:account_id/me'],
    ['/accounts/', 'GET /v1/accounts'],
    ['/v1/101/posts/', 'GET /v1/:account_id/posts'],
    ['/v1/posts', 'GET /v1/:account_id/posts'],
    ['/posts', 'GET /v1/:account_id/posts'],
    ['/v1/101/tracking_links', 'GET /v1/:account_id/tracking-links'],
    ['/v1/101/vault/medias', 'GET /v1/:account_id/vault/media'],
    ['/v1/transactions', 'POST /v1/fans/:fan_id/transactions'],
    ['/v1/media', 'GET /v1/:account_id/vault/media'],
  ])('suggests a route for %s, in the journal and not in the response', async (path, route) => {
    const client = await openClient()
    const { status, body } = await client.get(path)
    expect([status, body.error]).toEqual([404, expect.not.stringContaining(route)])
    expect(client.sandbox.requests[0]?.near_misses[0]).toBe(route)
  })

  it.each([
    ['/v1/101/transactions', ['POST /v1/fans/:fan_id/transactions']],
    ['/v1/101/transaction', ['POST /v1/fans/:fan_id/transactions']],
    ['/v2/accounts', ['GET /v1/accounts']],
    ['/v1/101/subscriber/active', ['GET /v1/:account_id/subscribers']],
    ['/v1/101/weather', []],
    ['/v1/101/weather/today', []],
    ['/v1/weather', []],
    ['/v1/101', []],
    ['/v1', []],
    ['/', []],
  ])('suggests for %s only similar routes: %j', async (path, routes) => {
    const client = await openClient()
    await client.get(path)
    expect(client.sandbox.requests[0]?.near_misses).toEqual(routes)
  })

  it('returns 403 if the role lacks the permission, before it checks the account (§5.3)', async () => {
    const client = await openClient()
    const answer = await client.post('/v1/1/posts', { text: 'Hello' }, { key: 'analyst' })
    expect(answer.status).toBe(403)
    expect(answer.body.error).toContain('api_posts_create')
  })

  it('returns 400 for an account id that is not an integer, and 404 for an account of another organisation', async () => {
    const client = await openClient('agency')
    const foreign = client.db.accounts
      .all()
      .find(({ organisation }) => organisation !== organisationOf(client).id)!
    for (const [id, status] of [
      ['abc', 400],
      ['1.5', 400],
      ['-1', 400],
      ['%E0%A4', 400],
      [foreign.id, 404],
      ['9007199254740991', 404],
      ['9007199254740993', 400],
      ['9'.repeat(400), 400],
    ] as const) {
      expect([id, (await client.get(`/v1/${id}/posts`)).status]).toEqual([id, status])
    }
    expect((await client.get(`/v1/${foreign.id}/posts`, { key: 'partner' })).status).toBe(200)
  })

  it('returns 413 for a body over the limit, after checking the account and before parsing the JSON', async () => {
    const client = await openClient()
    const huge = 'x'.repeat(1024 * 1024 + 1)
    expect((await client.post('posts', huge)).status).toBe(413)
    expect((await client.post('/v1/1/posts', huge)).status).toBe(404)
    expect((await client.post('posts', huge, { key: null })).status).toBe(401)
    const answer = await client.post('posts', { text: 'é'.repeat(600_000) })
    expect(answer.status).toBe(413)
  })

  const hello = '{"text":"Hello"}'
  const encoding = (name: string) => ({ 'content-encoding': name })
  const encoded = (name: string) => `has the Content-Encoding ${name}. Send the body uncompressed`

  it.each<[string, Record<string, string>, string]>([
    ['', {}, 'the body is empty'],
    ['text=hello', {}, 'the body is not well-formed'],
    [`${hello} b`, {}, 'the body is not well-formed'],
    [`\uFEFF${hello}`, {}, 'starts with a byte order mark'],
    [hello, { 'content-type': 'text/plain' }, 'Content-Type is "text/plain"'],
    [hello, { 'content-type': 'application/json; charset=latin1' }, 'charset=latin1'],
    [hello, encoding('gzip'), encoded('gzip')],
    [hello, encoding('identity, gzip'), encoded('identity, gzip')],
    [hello, encoding('x-own'), encoded('x-own')],
  ])('says why it rejects the body %j with the headers %j', async (body, headers, text) => {
    const client = await openClient()
    expect(await client.post('posts', body, { headers })).toMatchObject(refusal(400, text))
  })

  it('accepts the Content-Encoding identity, and any other without a body', async () => {
    const client = await openClient()
    const { status } = await client.post('posts', hello, { headers: encoding('identity') })
    expect(status).toBe(200)
    expect((await client.get('posts', { headers: encoding('gzip') })).status).toBe(200)
  })

  it('rejects a parameter that is sent thousands of times, without delay', async () => {
    const client = await openClient()
    for (const times of [2, 2500])
      expect(await client.get(`posts?${'limit&'.repeat(times)}`)).toMatchObject(
        refusal(400, `limit is an array of ${times}, but it must be sent only once.`),
      )
  })

  it('rejects a body that is not UTF-8', async () => {
    const { sandbox, account } = await openClient()
    const response = await sandbox.fetch(`${sandbox.baseUrl}/v1/${account()}/posts`, {
      method: 'POST',
      headers: { 'x-api-key': sandbox.keys['owner'] ?? '', 'content-type': 'application/json' },
      body: Uint8Array.from('{"text":"caf\xE9"}', (letter) => letter.charCodeAt(0)),
    })
    expect(await response.json()).toMatchObject(refusal(400, 'the body is not UTF-8').body)
  })

  it('returns 424 on relay routes of a lapsed session, after checks for 400; service routes still work (§1)', async () => {
    const client = await openClient()
    const account = client.account()
    client.db.accounts.update(account, { session: 'lapsed' })
    expect((await client.get('posts')).status).toBe(424)
    expect((await client.get('posts?limit=0')).status).toBe(400)
    expect((await client.post('/v1/fans/1/stats', { account_ids: [account] })).status).toBe(200)
  })

  it('applies a fault to its route the given number of times, for one credit each; 401 and 429 are free (§7.3)', async () => {
    const client = await openClient()
    client.sandbox.faults.add({
      route: 'GET /v1/:account_id/posts',
      status: 502,
      error: 'Bad gateway.',
      times: 2,
    })
    expect(await readPosts(client, 3)).toEqual([502, 502, 200])
    client.sandbox.faults.add({ status: 429, times: 1 })
    expect((await client.get('posts')).status).toBe(429)
    client.sandbox.faults.add({ status: 401, times: 1 })
    expect((await client.get('posts')).status).toBe(401)
    expect(client.sandbox.requests.map(({ status, credits }) => [status, credits])).toEqual([
      [401, 0],
      [429, 0],
      [200, 1],
      [502, 1],
      [502, 1],
    ])
    expect(remaining(await client.get('posts'))).toBe(996)
  })

  it.each([
    [null, 'No key was sent. Send Authorization: Bearer KEY'],
    ['abc', 'The key does not belong to this sandbox.'],
    ['sk_sandbox_owner_0123456789abcdef01234567', 'The key belongs to another sandbox or was'],
  ])(
    'says in the journal why it rejected the key %j, and does not count it (§5.4)',
    async (key, why) => {
      const client = await openClient()
      expect((await client.get('/v1/accounts', { key })).status).toBe(401)
      const [request] = client.sandbox.requests
      expect(request).toMatchObject({ credits: 0, note: expect.stringContaining(why) })
      expect(remaining(await client.get('posts'))).toBe(999)
    },
  )

  it('names an invalid world name in the log, in the audit and in a failed test', async () => {
    const log: string[] = []
    const sandbox = createSandbox({ scenario: 'solo', log: (line) => void log.push(line) })
    const authorization = `Bearer ${sandbox.keys.owner}~My_World`
    await sandbox.fetch(`${sandbox.baseUrl}/v1/accounts`, { headers: { authorization } })
    const reason =
      'The key is valid, but "My_World" is not a valid world name: it must have 1 to 40 ' +
      'characters of a-z, 0-9 and -.'
    expect(log).toEqual([`GET /v1/accounts: ${reason}`])
    expect((await sandbox.audit()).findings[0]?.message).toBe(
      `1 request had a key for no world. ${reason}`,
    )
    expect(await describeRequests(sandbox)).toContain(`#1 GET /v1/accounts 401 (${reason}`)
  })

  it('names the roles that have a missing permission', async () => {
    const client = await openClient('agency')
    const { sandbox } = client
    const noteOf = async () => {
      const { status } = await client.post('/v1/tags', { name: 'x' }, { key: 'analyst' })
      expect(status).toBe(403)
      return sandbox.requests[0]?.note
    }
    // The role partner of the other organisation also has all permissions.
    expect(await noteOf()).toBe(
      'The role owner has the permission. Use its key, or add the permission to ' +
        "this key's role with the action role.change.",
    )
    sandbox.act({ type: 'role.change', role: 'chatter', permissions: ['*'] })
    expect(await noteOf()).toBe(
      'These roles have the permission: owner, chatter. Use the key of one of them, or add ' +
        "the permission to this key's role with the action role.change.",
    )
    const roles = ['lead', 'night', 'day', 'weekend']
    for (const role of roles)
      sandbox.act({ type: 'key.create', role, permissions: ['*'], organisation: 1 })
    expect(await noteOf()).toMatch(
      /^These roles have the permission: owner, chatter, lead, night, day, …\. Use the key/,
    )
    for (const role of ['owner', 'chatter', ...roles])
      sandbox.act({ type: 'role.change', role, permissions: [] })
    expect(await noteOf()).toBe(
      'No key of the organisation has the permission. Add the permission to a role with the ' +
        'action role.change.',
    )
  })

  it('returns only documented fields of a vault media item with documentedOnly (§2 Vault media)', async () => {
    const fieldsIn = async (documentedOnly: boolean) => {
      const client = await openClient('solo', { documentedOnly })
      const media = client.db.vaultMedia.find({ type: 'video', isReady: true })!
      const data = await client.getData(`/v1/${media.accountId}/vault/media/${media.id}`)
      return Object.keys(data)
    }
    const documented = await fieldsIn(true)
    expect(documented.toSorted()).toEqual(
      ['canView', 'counters', 'createdAt', 'duration', 'files', 'id', 'isReady', 'type'].toSorted(),
    )
    expect(await fieldsIn(false)).toEqual(expect.arrayContaining([...documented, 'hasError']))
  })
})
