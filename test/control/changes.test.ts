import { expect, it } from 'vitest'
import type { Changes } from '../../src/control/list-changes.ts'
import { createBearerHeader, openControlClient } from '../support/control.ts'

const realStart = Date.parse('2026-11-27T14:02:00Z')

it('keeps the last five snapshots without a name, each with its reason and its real time', async () => {
  const { sandbox, ask } = await openControlClient({ options: { realTime: () => realStart } })
  const { body } = await ask('POST', '/_sandbox/snapshots', { body: { note: 'Before reset' } })
  expect(body).toEqual({
    name: 'auto-1',
    at: sandbox.clock.iso(),
    real_at: '2026-11-27T14:02:00.000Z',
    note: 'Before reset',
    scenario: 'solo',
  })
  for (let count = 1; count <= 20; count += 1) sandbox.control.keepSnapshot({ name: `s${count}` })
  for (let count = 2; count <= 7; count += 1) await ask('POST', '/_sandbox/snapshots')
  const names = sandbox.control.snapshots().map(({ name }) => name)
  const unnamed = [3, 4, 5, 6, 7].map((number) => `auto-${number}`)
  expect(names.filter((name) => name.startsWith('auto-'))).toEqual(unnamed)
  expect(names).toHaveLength(25)
})

it('returns to a snapshot after another scenario was loaded, and has no real time without the option', async () => {
  const { sandbox, ask } = await openControlClient()
  sandbox.act({ type: 'note', text: 'Before.' })
  sandbox.db.tags.insert({ name: 'Mine', organisation: 1 })
  const whole = JSON.stringify(sandbox.snapshot())
  expect((await ask('POST', '/_sandbox/snapshots', { body: {} })).body.real_at).toBeNull()
  await ask('PUT', '/_sandbox/scenario', { body: { name: 'agency' } })
  expect((await ask('POST', '/_sandbox/snapshots/auto-1')).status).toBe(200)
  expect(JSON.stringify(sandbox.snapshot())).toBe(whole)
})

it('rejects names that the list of changes uses', async () => {
  const { ask } = await openControlClient()
  const { status, body } = await ask('POST', '/_sandbox/snapshots', { body: { name: 'load' } })
  expect([status, body.error]).toEqual([400, expect.stringContaining('it must not be')])
})

it('lists changes since the load, the last request and a snapshot, each with its cause', async () => {
  const { sandbox, ask, read } = await openControlClient()
  const owner = createBearerHeader(sandbox.keys['owner'])
  const changes = async (since: string) =>
    ((await read(`changes?since=${since}`)) as Changes).tables
  const tag = (name: string) => ask('POST', '/v1/tags', { ...owner, body: { name } })
  await tag('First')
  await ask('POST', '/_sandbox/snapshots', { body: { name: 'middle' } })
  const { id } = (await tag('Second')).body.data
  const added = (names: string[]) => [
    { table: 'tags', added: { records: names.map((name) => ({ name })) } },
  ]
  expect(await changes('load')).toMatchObject(added(['First', 'Second']))
  expect(await changes('middle')).toMatchObject(added(['Second']))
  expect(await changes('request')).toMatchObject([
    { table: 'tags', added: { records: [{ id }], by: [{ by: 'request', id: 2 }] } },
  ])
  sandbox.db.tags.update(id, { name: 'Third' })
  await ask('GET', '/v1/accounts', owner)
  expect(await changes('request')).toEqual([])
  sandbox.db.tags.update(id, { name: 'Fourth' })
  sandbox.db.tags.remove(sandbox.db.tags.find({ name: 'First' })!.id)
  expect(await changes('request')).toMatchObject([
    {
      table: 'tags',
      removed: { records: [{ name: 'First' }] },
      changed: { records: [{ id, fields: [{ field: 'name', before: 'Third', after: 'Fourth' }] }] },
    },
  ])
  expect(await changes('middle')).toMatchObject([
    { table: 'tags', added: { total: 1 }, removed: { records: [{ name: 'First' }] } },
  ])
  expect((await read('changes')).tables).toEqual(await changes('load'))
})

it('lists only the changes since a sandbox time, compared with the last state before it', async () => {
  const { sandbox, ask, read } = await openControlClient()
  const { tags } = sandbox.db
  const since = async (time: string) => (await read(`changes?since=${time}`)) as Changes
  const names = async (time: string) => {
    const { compared_with: base, tables } = await since(time)
    const ofTags = tables.find(({ table }) => table === 'tags')
    return [base, ...(ofTags?.added.records ?? []).map((tag) => (tag as { name: string }).name)]
  }
  const times = [sandbox.clock.iso()]
  const { id } = tags.insert({ name: 'First', organisation: 1 })
  const later = async () => {
    await sandbox.clock.advance('1h')
    times.push(sandbox.clock.iso())
  }
  await later()
  tags.insert({ name: 'Second', organisation: 1 })
  await later()
  sandbox.control.keepSnapshot({ name: 'middle' })
  tags.insert({ name: 'Third', organisation: 1 })
  await later()
  tags.update(id, { name: 'Renamed' })
  expect(await names(times[0]!)).toEqual(['load', 'Renamed', 'Second', 'Third'])
  expect(await names(times[1]!)).toEqual(['load', 'Renamed', 'Second', 'Third'])
  // The snapshot was taken at that time, but before the change.
  expect(await names(times[2]!)).toEqual(['load', 'Renamed', 'Third'])
  expect((await since(times[3]!)).tables.filter(({ table }) => table === 'tags')).toMatchObject([
    {
      added: { total: 0 },
      changed: {
        records: [{ id, fields: [{ field: 'name', before: 'First', after: 'Renamed' }] }],
      },
    },
  ])
  expect((await since(times[3]!)).compared_with).toBe('middle')
  const { status, body } = await ask('GET', '/_sandbox/changes?since=12:30')
  expect([status, body.error]).toEqual([400, expect.stringContaining('it is not a time')])

  // After a reset, the snapshot is not an earlier state of the world.
  await sandbox.reset()
  await sandbox.clock.advance('3h')
  tags.insert({ name: 'Fourth', organisation: 1 })
  expect(await names(times[3]!)).toEqual(['load', 'Fourth'])
  await sandbox.control.restoreSnapshot('middle')
  tags.insert({ name: 'Fifth', organisation: 1 })
  expect(await names(times[2]!)).toEqual(['load', 'First', 'Second', 'Fifth'])
})

it('explains why it cannot compare', async () => {
  const { sandbox, ask, get } = await openControlClient()
  const why = async (since: string) => {
    const { status, body } = await ask('GET', `/_sandbox/changes?since=${since}`)
    return [status, body.error]
  }
  expect(await why('request')).toEqual([400, expect.stringContaining('no client has sent a')])
  expect(await why('checkpoint')).toEqual([400, expect.stringContaining('there is no checkpoint')])
  expect(await why('gone')).toEqual([404, expect.stringContaining('it does not exist')])
  sandbox.control.keepSnapshot({ name: 'solo' })
  await get('/v1/accounts')
  expect(await why('request')).toEqual([200, undefined])
  await ask('PUT', '/_sandbox/scenario', { body: { name: 'agency' } })
  expect(await why('solo')).toEqual([
    400,
    expect.stringContaining('taken with another scenario (solo)'),
  ])
  expect(await why('request')).toEqual([400, expect.stringContaining('no client has sent a')])
})

it('drops the state before the last request if it changed too many records, or was undone', async () => {
  const { sandbox, ask } = await openControlClient()
  const owner = createBearerHeader(sandbox.keys['owner'])
  await ask('GET', '/v1/accounts', owner)
  for (let count = 0; count < 5_001; count += 1)
    sandbox.db.tags.insert({ name: `t${count}`, organisation: 1 })
  expect(() => sandbox.changes({ since: 'request' })).toThrow('changed too many records')
  await ask('GET', '/v1/accounts', owner)
  expect(sandbox.changes({ since: 'request' }).tables).toEqual([])
  await sandbox.reset()
  expect(() => sandbox.changes({ since: 'request' })).toThrow('no client has sent')
})
