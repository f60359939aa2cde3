import { SandboxError } from 'creator-api-sandbox'
import { expect, it, vi } from 'vitest'
import { WrittenSnapshot } from '../../src/world/snapshot/written-snapshot.ts'
import { derivedTables, tableDefinitions } from '../../src/resources/all-tables.ts'
import { bearer, openControl } from '../support/control.ts'
import { expectSame } from '../support/same.ts'

// The tests damage snapshots in ways that their type does not allow.
// oxlint-disable-next-line typescript/no-explicit-any
type Damaged = any

it('holds the world as JSON: version, scenario, world, seed, start, state and every table that is not derived', async () => {
  const { sandbox, ask } = await openControl()
  const { body } = await ask('GET', '/_sandbox/snapshot')
  expect(Object.keys(body)).toEqual([
    'version',
    'scenario',
    'world',
    'seed',
    'start',
    'worldState',
    'tables',
    'digest',
  ])
  expect(body).toMatchObject({
    version: 1,
    scenario: 'solo',
    tables: { posts: sandbox.db.posts.all() },
  })
  expect(Object.keys(body.tables)).not.toEqual(expect.arrayContaining([...derivedTables]))
  expectSame(JSON.stringify(sandbox.snapshot()), JSON.stringify(body), 'the snapshot')
})

it.each(['solo', 'agency'])(
  'goes back, byte for byte, whatever happened since (%s)',
  async (scenario) => {
    const { sandbox, ask } = await openControl({ scenario })
    const account = sandbox.db.accounts.find({ connected: true })!
    const owner = bearer(sandbox.keys['owner'])
    await ask('GET', `/v1/${account.id}/posts`, owner)
    await ask('POST', '/_sandbox/faults', { body: { route: 'GET /health', status: 503 } })
    const before = JSON.stringify((await ask('GET', '/_sandbox/snapshot')).body)
    const feed = (await ask('GET', `/v1/${account.id}/posts`, owner)).body.data
    sandbox.clock.advance('40d')
    sandbox.db.transactions.remove(sandbox.db.transactions.all()[0]!.id)
    sandbox.db.posts.remove(feed.list[0].id)
    sandbox.act({ type: 'account.disconnect', account_id: account.id })
    expect((await ask('PUT', '/_sandbox/snapshot', { body: before })).status).toBe(200)
    expectSame(
      JSON.stringify((await ask('GET', '/_sandbox/snapshot')).body),
      before,
      'the snapshot',
    )
    expect((await ask('GET', `/v1/${account.id}/posts`, owner)).body.data).toEqual(feed)
  },
)

it('rebuilds what follows from the tables', async () => {
  const { sandbox } = await openControl()
  const [spend, counters] = [sandbox.db.fanSpend.all(), sandbox.db.postCounters.all()]
  const snapshot = sandbox.snapshot()
  for (const { id } of sandbox.db.transactions.slice(0, 50)) sandbox.db.transactions.remove(id)
  expect(sandbox.db.fanSpend.all()).not.toEqual(spend)
  await sandbox.restore(snapshot)
  expect(sandbox.db.fanSpend.all()).toEqual(spend)
  expect(sandbox.db.postCounters.all()).toEqual(counters)
})

it('does not change the snapshot of the caller', async () => {
  const { sandbox } = await openControl()
  const snapshot = JSON.parse(JSON.stringify(sandbox.snapshot())) as Damaged
  await sandbox.restore(snapshot)
  snapshot.tables.posts[0].text = 'changed'
  expect(sandbox.db.posts.get(snapshot.tables.posts[0].id)?.text).not.toBe('changed')
})

it('checks no record that is as seeded, or of a snapshot that this version wrote, here or as JSON, and all others', async () => {
  const { sandbox, ask } = await openControl()
  const check = vi.spyOn(tableDefinitions.posts.schema, 'safeParse')
  const checks = async (snapshot: unknown) => {
    check.mockClear()
    await sandbox.restore(snapshot)
    return check.mock.calls.length
  }
  const { size } = sandbox.db.posts
  expect(await checks({ ...sandbox.snapshot() })).toBe(0)
  for (const { id } of sandbox.db.posts.all()) sandbox.db.posts.update(id, { lookDuration: 7777 })
  const snapshot = sandbox.snapshot()
  const copy = (): Damaged => JSON.parse(JSON.stringify(snapshot))
  sandbox.act({ type: 'clock.advance', by: '3d' })
  expect(await checks(snapshot)).toBe(0)
  expect(await checks(copy())).toBe(0)
  expect(await checks((await ask('GET', '/_sandbox/snapshot')).body)).toBe(0)
  expectSame(JSON.stringify(sandbox.snapshot()), JSON.stringify(snapshot), 'the snapshot')

  const changed = copy()
  changed.tables.fans[0].name = 'Somebody else'
  expect(await checks(changed)).toBe(size)
  expect(sandbox.db.fans.get(changed.tables.fans[0].id)?.name).toBe('Somebody else')
  const swapped = copy()
  swapped.tables.fans.push(swapped.tables.fans.shift())
  expect(await checks(swapped)).toBe(size)
  expect(await checks({ ...snapshot })).toBe(size)
  expect(await checks({ ...copy(), digest: undefined })).toBe(size)
  expect(await checks(JSON.parse(JSON.stringify(new WrittenSnapshot(snapshot, '0.0.1'))))).toBe(
    size,
  )
  snapshot.worldState.notes.push({ at: sandbox.clock.iso(), text: 'By hand' } as Damaged)
  expect(await checks(snapshot)).toBe(size)
})

it('keeps the way back to the seeded state', async () => {
  const { sandbox } = await openControl()
  const seeded = JSON.stringify(sandbox.snapshot())
  sandbox.act({ type: 'limits.set', minute: 3 })
  await sandbox.restore(JSON.parse(JSON.stringify(sandbox.snapshot())))
  await sandbox.reset()
  expectSame(JSON.stringify(sandbox.snapshot()), seeded, 'the snapshot')
})

it('takes a snapshot of another scenario and seed, with its keys and its links', async () => {
  const { sandbox: other } = await openControl({ options: { scenario: 'solo', seed: 77 } })
  const { sandbox, ask } = await openControl({ scenario: 'agency' })
  const snapshot = JSON.stringify(other.snapshot())
  await sandbox.restore(JSON.parse(snapshot))
  expectSame(JSON.stringify(sandbox.snapshot()), snapshot, 'the snapshot')
  expect(sandbox.keys).toEqual(other.keys)
  const account = sandbox.db.accounts.all()[0]!.id
  const media = sandbox.db.vaultMedia.find({ accountId: account })!.id
  const { body } = await ask(
    'GET',
    `/v1/${account}/vault/media/${media}`,
    bearer(sandbox.keys['owner']),
  )
  expect((await ask('GET', body.data.files.full.url.slice(sandbox.baseUrl.length))).status).toBe(
    200,
  )
  await sandbox.reset()
  expect(sandbox.control.state()).toMatchObject({ scenario: 'solo', seed: 77 })
})

it.each<[string, (snapshot: Damaged) => void, string]>([
  ['another version', (snapshot) => (snapshot.version = 2), 'version'],
  ['an unknown part', (snapshot) => (snapshot.extra = 1), 'extra'],
  ['a missing table', (snapshot) => delete snapshot.tables.posts, 'tables.posts'],
  ['an unknown table', (snapshot) => (snapshot.tables.potatoes = []), 'potatoes'],
  ['a field of another type', (snapshot) => (snapshot.tables.posts[1].price = 'free'), 'price'],
  ['a field that there is not', (snapshot) => (snapshot.tables.posts[1].colour = 'red'), 'colour'],
  [
    'a nested field that there is not',
    (snapshot) => (snapshot.tables.organisations[0].limits.week = 1),
    'limits.week',
  ],
  ['a record that is none', (snapshot) => snapshot.tables.fans.push(null), 'fans ['],
  [
    'an id twice',
    (snapshot) => snapshot.tables.tags.push(snapshot.tables.tags[0]),
    'the id is there twice',
  ],
  [
    'a clock that is none',
    (snapshot) => (snapshot.worldState.clock.now = 'noon'),
    'worldState.clock.now',
  ],
  ['chance of another kind', (snapshot) => snapshot.worldState.random.pop(), 'worldState.random'],
])('refuses %s, says where it is, and changes nothing', async (_, damage, text) => {
  const { sandbox, ask } = await openControl()
  const before = JSON.stringify(sandbox.snapshot())
  const snapshot = JSON.parse(before) as Damaged
  damage(snapshot)
  expect(await ask('PUT', '/_sandbox/snapshot', { body: snapshot })).toMatchObject({
    status: 400,
    body: { error: expect.stringContaining(text) },
  })
  await expect(sandbox.restore(snapshot)).rejects.toThrow(SandboxError)
  expectSame(JSON.stringify(sandbox.snapshot()), before, 'the snapshot')
})

it('names the table, the id and the field of a record that does not fit', async () => {
  const { sandbox } = await openControl()
  const snapshot = JSON.parse(JSON.stringify(sandbox.snapshot())) as Damaged
  const post = snapshot.tables.posts[3]
  post.likeCount = 1.5
  await expect(sandbox.restore(snapshot)).rejects.toThrow(`(posts ${post.id}: likeCount is 1.5)`)
})

it('reads records that were written before a field was added, with the default of that field', async () => {
  const { sandbox } = await openControl()
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

it('refuses a record without a field that has no default, by table, id and field, and says what to do', async () => {
  const { sandbox } = await openControl()
  const snapshot = JSON.parse(JSON.stringify(sandbox.snapshot())) as Damaged
  const [post] = snapshot.tables.posts
  delete post.postedAt
  await expect(sandbox.restore(snapshot)).rejects.toThrow(
    new RegExp(
      `\\(posts ${post.id}: postedAt is missing\\): .*Give the record that field, or make the snapshot anew with this version\\.$`,
    ),
  )
})

it('refuses a snapshot of another format, and says which it reads', async () => {
  const { sandbox } = await openControl()
  await expect(sandbox.restore({ ...sandbox.snapshot(), version: 7 })).rejects.toThrow(
    'Failed to restore the snapshot (version is 7): this version of the sandbox reads the format 1. Restore it with the version ' +
      'that wrote it, or make it anew.',
  )
})

it('refuses a scenario that is not at hand', async () => {
  const { sandbox } = await openControl()
  await expect(sandbox.restore({ ...sandbox.snapshot(), scenario: 'nowhere' })).rejects.toThrow(
    'nowhere',
  )
  expect(sandbox.control.state().scenario).toBe('solo')
})

it('rejects a text, with the advice to parse it', async () => {
  const { sandbox } = await openControl()
  await expect(sandbox.restore(JSON.stringify(sandbox.snapshot()))).rejects.toThrow(
    /Failed to restore the snapshot \(a text of \d+ characters\): .*restore\(JSON\.parse\(text\)\)/,
  )
})
