import { SandboxError } from 'creator-api-sandbox'
import { expect, it, vi } from 'vitest'
import { getTable } from '../../src/data/tables.ts'
import { derivedTables, tableDefinitions } from '../../src/resources/all-tables.ts'
import { createBearerHeader, openControlClient, refusal } from '../support/control.ts'
import { expectSameText } from '../support/expectations.ts'

// The tests damage snapshots in ways that the type does not allow.
// oxlint-disable-next-line typescript/no-explicit-any
type Damaged = any

it('contains version, scenario, world, seed, start, state and all tables that are not derived', async () => {
  const { sandbox, ask } = await openControlClient()
  const { body } = await ask('GET', '/_sandbox/snapshot')
  expect(Object.keys(body)).toEqual([
    'version',
    'scenario',
    'world',
    'seed',
    'start',
    'worldState',
    'tables',
  ])
  expect(body).toMatchObject({
    version: 1,
    scenario: 'solo',
    tables: { posts: sandbox.db.posts.all() },
  })
  expect(Object.keys(body.tables)).not.toEqual(expect.arrayContaining([...derivedTables]))
  expectSameText(JSON.stringify(sandbox.snapshot()), JSON.stringify(body), 'the snapshot')
})

it.each(['solo', 'everything'])(
  'restores the state byte for byte, whatever happened since (%s)',
  async (scenario) => {
    const { sandbox, ask, read } = await openControlClient({ scenario })
    const account = sandbox.db.accounts.find({ connected: true })!
    const owner = createBearerHeader(sandbox.keys['owner'])
    await ask('GET', `/v1/${account.id}/posts`, owner)
    await ask('POST', '/_sandbox/faults', { body: { route: 'GET /health', status: 503 } })
    const before = JSON.stringify(await read('snapshot'))
    const feed = (await ask('GET', `/v1/${account.id}/posts`, owner)).body.data
    sandbox.clock.advance('40d')
    sandbox.db.transactions.remove(sandbox.db.transactions.all()[0]!.id)
    sandbox.db.posts.remove(feed.list[0].id)
    sandbox.act({ type: 'account.disconnect', account_id: account.id })
    expect((await ask('PUT', '/_sandbox/snapshot', { body: before })).status).toBe(200)
    expectSameText(JSON.stringify(await read('snapshot')), before, 'the snapshot')
    expect((await ask('GET', `/v1/${account.id}/posts`, owner)).body.data).toEqual(feed)
  },
)

it('does not change the snapshot of the caller', async () => {
  const { sandbox } = await openControlClient()
  const snapshot = JSON.parse(JSON.stringify(sandbox.snapshot())) as Damaged
  await sandbox.restore(snapshot)
  snapshot.tables.posts[0].text = 'changed'
  expect(sandbox.db.posts.get(snapshot.tables.posts[0].id)?.text).not.toBe('changed')
})

it('only checks records that have changed', async () => {
  const { sandbox } = await openControlClient()
  const check = vi.spyOn(tableDefinitions.posts.schema, 'safeParse')
  const checks = async (snapshot: unknown) => {
    check.mockClear()
    await sandbox.restore(snapshot)
    return check.mock.calls.length
  }
  const [one, other] = sandbox.db.posts.all()
  sandbox.db.posts.update(one!.id, { lookDuration: 7777 })
  const snapshot = sandbox.snapshot()
  expect(await checks(snapshot)).toBe(0)
  expect(await checks(JSON.parse(JSON.stringify(snapshot)))).toBe(1)
  sandbox.db.posts.update(other!.id, { lookDuration: 8888 })
  expect(await checks(JSON.parse(JSON.stringify(snapshot)))).toBe(1)
  expectSameText(JSON.stringify(sandbox.snapshot()), JSON.stringify(snapshot), 'the snapshot')
})

it('has a small form with the changes since the load, which can only be restored on the same base', async () => {
  const { sandbox, ask } = await openControlClient()
  const [post, removed] = sandbox.db.posts.all()
  sandbox.db.posts.update(post!.id, { text: 'Mine' })
  sandbox.db.posts.remove(removed!.id)
  sandbox.db.tags.insert({ ...sandbox.db.tags.all()[0]!, id: 77, name: 'mine' })
  const { body } = await ask('GET', '/_sandbox/snapshot?form=changes')
  expect(body).toMatchObject({
    form: 'changes',
    changes: {
      posts: { rows: [{ id: post!.id, text: 'Mine' }], removed: [removed!.id] },
      tags: { rows: [{ id: 77 }], removed: [] },
    },
  })
  const whole = JSON.stringify(sandbox.snapshot())
  sandbox.db.posts.update(post!.id, { text: post!.text })
  expect(sandbox.snapshot({ form: 'changes' }).changes['posts']?.rows).toEqual([])
  sandbox.act({ type: 'clock.advance', by: '3d' })
  expect((await ask('PUT', '/_sandbox/snapshot', { body })).status).toBe(200)
  expectSameText(JSON.stringify(sandbox.snapshot()), whole, 'the snapshot')

  const { sandbox: other } = await openControlClient({ options: { scenario: 'solo', seed: 77 } })
  await other.restore(body)
  expect(other.db.posts.get(post!.id)?.text).toBe('Mine')
  await expect(other.restore({ ...body, base: '0.9.0/1234' })).rejects.toThrow(
    /\(base: 0\.9\.0\/1234\): it contains only the changes from that base, but the base of this sandbox is/,
  )
  expect(other.db.posts.get(post!.id)?.text).toBe('Mine')
})

it('rejects a complete snapshot of a large world over HTTP, and recommends the small form', async () => {
  const { sandbox, ask } = await openControlClient({ scenario: 'empty' })
  const tag = sandbox.make.tag({ name: 'first' })
  getTable(sandbox.db, 'tags').load(
    Array.from({ length: 50_001 }, (_, index) => ({ ...tag, id: index + 1 })),
  )
  expect(await ask('GET', '/_sandbox/snapshot')).toMatchObject(refusal(413, '?form=changes'))
})

it('stores at most 20 named snapshots', async () => {
  const { sandbox, ask, read } = await openControlClient()
  const [post] = sandbox.db.posts.all()
  expect(await ask('POST', '/_sandbox/snapshots', { body: { name: 'start' } })).toMatchObject({
    status: 200,
    body: { name: 'start', scenario: 'solo', at: sandbox.clock.iso() },
  })
  sandbox.db.posts.update(post!.id, { text: 'Mine' })
  await ask('POST', '/_sandbox/snapshots/start')
  expect(sandbox.db.posts.get(post!.id)).toEqual(post)
  for (let count = 1; count < 20; count += 1) sandbox.control.keepSnapshot({ name: `s${count}` })
  expect(
    (await ask('POST', '/_sandbox/snapshots', { body: { name: 's20' } })).body.error,
  ).toContain('the world already has 20 snapshots')
  expect((await ask('DELETE', '/_sandbox/snapshots/start')).status).toBe(200)
  expect((await ask('POST', '/_sandbox/snapshots/start')).status).toBe(404)
  expect(await read('snapshots')).toHaveLength(19)
})

it('can still be reset to the seeded state after a restore', async () => {
  const { sandbox } = await openControlClient()
  const seeded = JSON.stringify(sandbox.snapshot())
  sandbox.act({ type: 'limits.set', minute: 3 })
  await sandbox.restore(JSON.parse(JSON.stringify(sandbox.snapshot())))
  await sandbox.reset()
  expectSameText(JSON.stringify(sandbox.snapshot()), seeded, 'the snapshot')
})

it('restores a snapshot of another scenario and seed, with its keys and links', async () => {
  const { sandbox: other } = await openControlClient({ options: { scenario: 'solo', seed: 77 } })
  const { sandbox, ask, get } = await openControlClient({ scenario: 'agency' })
  const snapshot = JSON.stringify(other.snapshot())
  await sandbox.restore(JSON.parse(snapshot))
  expectSameText(JSON.stringify(sandbox.snapshot()), snapshot, 'the snapshot')
  expect(sandbox.keys).toEqual(other.keys)
  const account = sandbox.db.accounts.all()[0]!.id
  const media = sandbox.db.vaultMedia.find({ accountId: account })!.id
  const { body } = await get(`/v1/${account}/vault/media/${media}`)
  expect((await ask('GET', body.data.files.full.url.slice(sandbox.baseUrl.length))).status).toBe(
    200,
  )
  await sandbox.reset()
  expect(sandbox.control.state()).toMatchObject({ scenario: 'solo', seed: 77 })
})

it.each<[string, (snapshot: Damaged) => void, string]>([
  ['an unknown part', (snapshot) => (snapshot.extra = 1), 'extra'],
  ['a missing table', (snapshot) => delete snapshot.tables.posts, 'tables.posts'],
  ['an unknown table', (snapshot) => (snapshot.tables.potatoes = []), 'potatoes'],
  ['a field of another type', (snapshot) => (snapshot.tables.posts[1].price = 'free'), 'price'],
  [
    'a field that does not exist',
    (snapshot) => (snapshot.tables.posts[1].colour = 'red'),
    'colour',
  ],
  [
    'a nested field that does not exist',
    (snapshot) => (snapshot.tables.organisations[0].limits.week = 1),
    'limits.week',
  ],
  ['a record that is none', (snapshot) => snapshot.tables.fans.push(null), 'fans ['],
  [
    'an id twice',
    (snapshot) => snapshot.tables.tags.push(snapshot.tables.tags[0]),
    'two records have this id',
  ],
  [
    'a clock that is none',
    (snapshot) => (snapshot.worldState.clock.now = 'noon'),
    'worldState.clock.now',
  ],
  ['chance of another kind', (snapshot) => snapshot.worldState.random.pop(), 'worldState.random'],
  ['an unknown scenario', (snapshot) => (snapshot.scenario = 'nowhere'), 'nowhere'],
  [
    'another format',
    (snapshot) => (snapshot.version = 7),
    'Failed to restore the snapshot (version is 7): this version of the sandbox reads format 1. ' +
      'Restore it with the version that wrote it, or make a new one.',
  ],
])('refuses %s, says where it is, and changes nothing', async (_, damage, text) => {
  const { sandbox, ask } = await openControlClient()
  const before = JSON.stringify(sandbox.snapshot())
  const snapshot = JSON.parse(before) as Damaged
  damage(snapshot)
  expect(await ask('PUT', '/_sandbox/snapshot', { body: snapshot })).toMatchObject(
    refusal(400, text),
  )
  await expect(sandbox.restore(snapshot)).rejects.toThrow(SandboxError)
  expectSameText(JSON.stringify(sandbox.snapshot()), before, 'the snapshot')
})

it('fills in the default of a field that was added after the snapshot was written', async () => {
  const { sandbox } = await openControlClient()
  const snapshot = JSON.parse(JSON.stringify(sandbox.snapshot())) as Damaged
  const [post, other] = snapshot.tables.posts
  for (const field of ['isStream', 'rfTag', 'expiresAt']) delete post[field]
  await sandbox.restore(snapshot)
  expect(sandbox.db.posts.get(post.id)).toMatchObject({
    text: post.text,
    isStream: false,
    rfTag: [],
    expiresAt: null,
  })
  expect(sandbox.db.posts.get(other.id)).toEqual(other)
})

it('rejects a record without a required field, with table, id, field and advice', async () => {
  const { sandbox } = await openControlClient()
  const snapshot = JSON.parse(JSON.stringify(sandbox.snapshot())) as Damaged
  const [post] = snapshot.tables.posts
  delete post.postedAt
  await expect(sandbox.restore(snapshot)).rejects.toThrow(
    new RegExp(
      `\\(posts ${post.id}: postedAt is missing\\): .*Add the field, or make a new snapshot ` +
        `with this version\\.$`,
    ),
  )
})

it('rejects a string, with the advice to parse it', async () => {
  const { sandbox } = await openControlClient()
  await expect(sandbox.restore(JSON.stringify(sandbox.snapshot()))).rejects.toThrow(
    /Failed to restore the snapshot \(a string of \d+ characters\): .*restore\(JSON\.parse\(text\)\)/,
  )
})

it('restores a named snapshot with the actions before it, also after another restore', async () => {
  const { sandbox, ask } = await openControlClient()
  const texts = () => sandbox.control.happenings().map(({ text }) => text)
  sandbox.act({ type: 'tip', amount: 20 })
  sandbox.control.keepSnapshot({ name: 'early' })
  sandbox.act({ type: 'tip', amount: 30 })
  sandbox.control.keepSnapshot({ name: 'late' })
  sandbox.clock.advance('1h')
  const [first, second] = texts()
  for (const [name, expected] of [
    ['late', [first, second]],
    ['early', [first]],
    ['late', [first, second]],
  ] as const) {
    expect((await ask('POST', `/_sandbox/snapshots/${name}`)).status).toBe(200)
    expect([name, texts()]).toEqual([name, expected])
  }
  sandbox.act({ type: 'tip', amount: 40 })
  const ids = sandbox.control.happenings().map(({ id }) => id)
  expect(ids).toEqual(ids.toSorted((a, b) => a - b))
  expect(new Set(ids).size).toBe(3)
})
