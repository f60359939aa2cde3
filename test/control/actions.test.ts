import { createSandbox } from 'creator-api-sandbox'
import type { Sandbox } from 'creator-api-sandbox'
import { expect, it } from 'vitest'
import { openControlClient, refusal } from '../support/control.ts'
import type { ControlClient } from '../support/control.ts'

const firstAccount = ({ sandbox }: ControlClient) => sandbox.db.accounts.all()[0]!
const feedStatus = async (person: ControlClient) =>
  (await person.get(`/v1/${firstAccount(person).id}/posts`)).status

it('sets the limits of one organisation or of all', async () => {
  const { sandbox, get } = await openControlClient({ scenario: 'agency' })
  const [first, second] = sandbox.db.organisations.all()
  sandbox.act({ type: 'limits.set', organisation: first!.id, minute: 1 })
  expect(sandbox.db.organisations.get(first!.id)?.limits).toEqual({
    minute: 1,
    day: first!.limits.day,
  })
  expect(sandbox.db.organisations.get(second!.id)?.limits).toEqual(second!.limits)
  sandbox.act({ type: 'limits.set', day: 0 })
  expect(sandbox.db.organisations.all().map(({ limits }) => limits.day)).toEqual(
    sandbox.db.organisations.all().map(() => 0),
  )
  expect((await get('/v1/1/posts')).status).toBe(429)
})

it('sets credits and the subscription, without which requests return 402', async () => {
  const person = await openControlClient()
  person.sandbox.act({ type: 'credits.set', credits: 1 })
  expect([await feedStatus(person), await feedStatus(person)]).toEqual([200, 402])
  person.sandbox.act({ type: 'credits.set', credits: null, isSubscriptionActive: false })
  expect(await feedStatus(person)).toBe(402)
  person.sandbox.act({ type: 'credits.set', credits: null, isSubscriptionActive: true })
  expect(await feedStatus(person)).toBe(200)
})

it('makes the platform refuse the files of media links with 502, the given number of times', async () => {
  const person = await openControlClient()
  const account_id = firstAccount(person).id
  const media = person.sandbox.db.vaultMedia.find({ accountId: account_id })!
  const { body } = await person.get(`/v1/${account_id}/vault/media/${media.id}`)
  const link = body.data.files.thumb.url.slice(person.sandbox.baseUrl.length)
  person.sandbox.act({ type: 'upstream.refuse', account_id, times: 1 })
  expect(await person.ask('GET', link)).toMatchObject({
    status: 502,
    body: { error: 'The platform refused the request.' },
  })
  expect((await person.ask('GET', link)).status).toBe(200)
})

it.each<[string | undefined, unknown, string]>([
  ['type', { type: 'session.laps' }, 'it must be one of session.lapse, session.restore'],
  ['type', { type: 'tipp' }, '(did you mean tip?).'],
  ['type', {}, 'type: missing'],
  [undefined, 'hello', 'it must be of type object'],
  ['text', { type: 'note' }, 'text: missing'],
  ['amount', { type: 'tip', amount: '20' }, '(amount: "20"): it must be of type number'],
  ['colour', { type: 'note', text: 'Hi', colour: 'red' }, 'no such field. Allowed: text'],
  ['account_id', { type: 'upstream.refuse', account_id: 7 }, 'there is no such account'],
  ['organisation', { type: 'limits.set', organisation: 9, minute: 1 }, 'no such organisation'],
  ['organisation', { type: 'credits.set', organisation: 9, credits: 5 }, 'no such organisation'],
  [undefined, { type: 'limits.set' }, 'minute, day, or both'],
  ['credits', { type: 'credits.set' }, 'credits: missing'],
  ['post_id', { type: 'post.like', post_id: 5 }, 'no such published post'],
  ['route', { type: 'fault.add', route: 'GET /v1/posts', status: 500 }, 'Similar routes: GET '],
  [
    'key',
    { type: 'key.revoke', key: 'sk_of_nobody' },
    'Failed to apply key.revoke: key is neither a known key nor a role. The roles are owner',
  ],
  [
    'role',
    { type: 'key.create', role: 'guest' },
    'role is "guest", but no key has that role. Set permissions to create the role, or use one of',
  ],
  [
    'key',
    { type: 'key.create', role: 'owner', key: 'a~b' },
    '(key: "a~b"): it must have 1 to 200 visible ASCII characters, without ~',
  ],
  [
    'organisation',
    { type: 'key.create', role: 'owner', organisation: 9 },
    'organisation is 9, but',
  ],
  [
    'permissions',
    { type: 'key.create', role: 'guest', permissions: ['read posts'] },
    'permissions contains "read posts", which matches no permission.',
  ],
  [
    'permissions',
    { type: 'role.change', role: 'owner', permissions: ['api_posts_*', 'api_post_list'] },
    'Did you mean api_posts_list?',
  ],
  [
    'role',
    { type: 'role.change', role: 'guest', permissions: [] },
    'role is "guest", but no key has that role. The roles are owner',
  ],
])('names the field %s that is wrong in %j, and rejects all other actions too', async (...row) => {
  const [field, action, text] = row
  const { sandbox, ask } = await openControlClient()
  const account_id = sandbox.db.accounts.all()[0]!.id
  const send = (body: unknown) => ask('POST', '/_sandbox/actions', { body: JSON.stringify(body) })
  const alone = await send(action)
  expect([alone.status, alone.body.field]).toEqual([400, field])
  expect(alone.body.error).toContain(text)
  expect(() => sandbox.act(action as never)).toThrow(text)
  const second = await send([{ type: 'session.lapse', account_id }, action])
  expect(second).toMatchObject(refusal(400, 'actions[1]'))
  if (field !== undefined) expect(second.body.field).toBe(`actions[1].${field}`)
  expect(sandbox.db.accounts.get(account_id)?.session).toBe('active')
})

it('applies at most 1000 actions at once', async () => {
  const { ask } = await openControlClient()
  const body = Array.from({ length: 1001 }, () => ({ type: 'limits.set', minute: 1 }))
  expect(await ask('POST', '/_sandbox/actions', { body })).toMatchObject(
    refusal(400, 'at most 1000'),
  )
})

it.each([
  ['read the tables', ({ db }) => db.accounts],
  ['act', (sandbox) => sandbox.act({ type: 'note', text: 'Early' })],
  ['make a record', (sandbox) => sandbox.make.post()],
  ['check the records', (sandbox) => sandbox.check()],
  ['take a snapshot', (sandbox) => sandbox.snapshot()],
  ['fork', (sandbox) => sandbox.fork()],
  ['create a world', (sandbox) => sandbox.createWorld()],
] satisfies [string, (sandbox: Sandbox) => unknown][])(
  'refuses to %s before the data are ready',
  async (verb, use) => {
    const sandbox = createSandbox({ scenario: 'solo' })
    expect(() => use(sandbox)).toThrow(
      `Failed to ${verb}: the sandbox is not ready. Await sandbox.ready first.`,
    )
    await sandbox.ready
    expect(() => use(sandbox)).not.toThrow()
  },
)

it('returns tables before the data is ready, which can be used afterwards', async () => {
  const { db, ready } = createSandbox({ scenario: 'solo' })
  expect(() => db.accounts.all()).toThrow('Await sandbox.ready first.')
  await ready
  expect(db.accounts.all()).toHaveLength(1)
})

it('keeps faults and a clock time that were set before the data was ready', async () => {
  const sandbox = createSandbox({ scenario: 'solo' })
  sandbox.faults.add({ status: 503, times: 1 })
  sandbox.clock.advance('1h')
  const held = { clock: sandbox.clock.iso(), faults: sandbox.faults.list() }
  expect([Object.keys(sandbox.keys).length > 0, sandbox.accounts.length]).toEqual([true, 1])
  await sandbox.ready
  expect({ clock: sandbox.clock.iso(), faults: sandbox.faults.list() }).toEqual(held)
})

it('returns the created ids, typed by the action, and an array for an array', async () => {
  const { sandbox, ask } = await openControlClient()
  const { ids } = sandbox.act({ type: 'tip', amount: 20, text: 'Bravo' })
  expect(sandbox.db.transactions.get(ids.transaction)).toMatchObject({
    fanId: ids.fan,
    amount: 20,
    messageId: ids.message,
  })
  const [joined, published] = sandbox.act([
    { type: 'subscriber.new', price: 5 },
    { type: 'post.publish' },
  ])
  expect(sandbox.db.subscriptions.get(joined.ids.subscription)?.fanId).toBe(joined.ids.fan)
  expect(sandbox.db.posts.get(published.ids.post)?.status).toBe('published')
  const body = [{ type: 'post.comment' }, { type: 'note', text: 'Now' }]
  expect((await ask('POST', '/_sandbox/actions', { body })).body).toMatchObject([
    { type: 'post.comment', ids: { account: expect.any(Number), comment: expect.any(Number) } },
    { type: 'note', ids: {}, happened: 'Now' },
  ])
})

it('defaults to the only account, and accepts a username', async () => {
  const solo = await openControlClient()
  const { id, username } = firstAccount(solo)
  expect(solo.sandbox.act({ type: 'session.lapse' }).ids.account).toBe(id)
  expect(
    solo.sandbox.act({ type: 'session.restore', account_id: username.toUpperCase() }).ids.account,
  ).toBe(id)
  expect(() => solo.sandbox.act({ type: 'session.lapse', account_id: 'nobody' })).toThrow(
    'account_id is "nobody", but there is no such account',
  )
  const agency = await openControlClient({ scenario: 'agency' })
  expect(() => agency.sandbox.act({ type: 'session.lapse' })).toThrow(
    'account_id is missing, and there are several accounts. There are ',
  )
})

it('revokes a key, by value or by role, so that it gets 401 until a reset', async () => {
  const person = await openControlClient({ scenario: 'solo' })
  const { owner } = person.sandbox.keys
  const status = async (key: string | undefined) => (await person.get('/v1/accounts', key)).status
  expect(await status(owner)).toBe(200)
  const id = person.sandbox.db.apiKeys.find({ role: 'owner' })?.id
  expect(person.sandbox.act({ type: 'key.revoke', key: owner! })).toEqual({
    type: 'key.revoke',
    ids: { apiKeys: [id] },
    happened: 'The key of the role owner was revoked',
  })
  expect(await status(owner)).toBe(401)
  expect((await person.read('state')).keys.map(({ role }: { role: string }) => role)).not.toContain(
    'owner',
  )
  await person.sandbox.reset()
  expect(await status(owner)).toBe(200)
  person.sandbox.act({ type: 'key.revoke', key: 'owner' })
  expect(await status(owner)).toBe(401)
})

it('creates a key for a known or a new role', async () => {
  const person = await openControlClient({ scenario: 'solo' })
  const account = firstAccount(person).id
  const status = async (key: string, path: string) => (await person.get(path, key)).status
  const { ids } = person.sandbox.act({ type: 'key.create', role: 'owner' })
  expect(ids.key).toMatch(/^sk_made_owner_[\da-f]{24}$/)
  expect(person.sandbox.db.apiKeys.get(ids.apiKey)?.permissions).toEqual(
    person.sandbox.db.apiKeys.find({ role: 'owner' })?.permissions,
  )
  expect(await status(ids.key, `/v1/${account}/posts`)).toBe(200)
  const reader = {
    type: 'key.create',
    role: 'reader',
    permissions: ['api_accounts_*'],
    key: 'my-own-key',
  }
  expect((await person.ask('POST', '/_sandbox/actions', { body: reader })).body.ids).toMatchObject({
    key: 'my-own-key',
  })
  expect([
    await status('my-own-key', '/v1/accounts'),
    await status('my-own-key', `/v1/${account}/posts`),
  ]).toEqual([200, 403])
})

it('creates and revokes keys of an isolated world, given with the name of the world', async () => {
  const person = await openControlClient({ scenario: 'solo' })
  const world = await person.sandbox.createWorld({ name: 'mine' })
  const account = firstAccount(person).id
  const status = async (key: string) => (await person.get(`/v1/${account}/posts`, key)).status
  const [drawn, given] = world.act([
    { type: 'key.create', role: 'owner' },
    { type: 'key.create', role: 'owner', key: 'my-own-key' },
  ])
  expect(given.ids.key).toBe('my-own-key~mine')
  expect([
    await status(drawn.ids.key),
    await status(given.ids.key),
    await status('my-own-key'),
  ]).toEqual([200, 200, 401])
  world.act({ type: 'key.revoke', key: 'my-own-key' })
  expect([await status(drawn.ids.key), await status(given.ids.key)]).toEqual([200, 401])
})

it('changes the permissions of a role, so that the next request gets 403', async () => {
  const person = await openControlClient({ scenario: 'solo' })
  person.sandbox.act({ type: 'role.change', role: 'owner', permissions: ['*', '!api_posts_list'] })
  expect(await feedStatus(person)).toBe(403)
  person.sandbox.act({ type: 'role.change', role: 'owner', permissions: ['*'] })
  expect(await feedStatus(person)).toBe(200)
})

it.each([
  ['route', 'faults', { route: 'GET /v1/posts', status: 500 }],
  ['account_id', 'faults', { account_id: 5, status: 500 }],
  ['sequence[0].status', 'faults', { sequence: [{ status: 1 }] }],
  ['username', 'data/fans', { username: 5 }],
  ['colour', 'data/fans', { colour: 'red' }],
  [undefined, 'faults', {}],
])('names the field %s that is wrong in a body to %s', async (field, to, body) => {
  const { ask } = await openControlClient()
  const answer = await ask('POST', `/_sandbox/${to}`, { body })
  expect([answer.status, answer.body.field]).toEqual([400, field])
})
