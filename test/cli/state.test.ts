import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, expect, it, vi } from 'vitest'
import { once } from '../../src/lib/lazy-list.ts'
import { openStateFile, sealStateFile } from '../../src/cli/state-folder.ts'
import { createTemporaryFolder, expectRefusal, serveCommand } from '../support/command.ts'
import { createFreshSandbox } from '../support/client.ts'

const limit = { type: 'limits.set', minute: 12 }
const solo = ['--scenario', 'solo', '--seed', '3', '--clock', 'frozen']

const shared = mkdtempSync(join(tmpdir(), 'creator-api-sandbox-'))
afterAll(() => rmSync(shared, { recursive: true, force: true }))

/** Saves a state of solo with a limit of 12 requests per minute, which the tests copy. */
const saveSolo = once(async () => {
  const { control, stop } = await serveCommand(...solo, '--state', shared)
  await control('actions', limit)
  await stop()
})

/** Returns a folder with the saved state of a server that has ended. */
async function copySavedState(): Promise<string> {
  await saveSolo()
  const folder = join(createTemporaryFolder(), 'state')
  cpSync(shared, folder, { recursive: true })
  return folder
}

it('keeps the world byte for byte across restarts, and can still reset it to the seeded state', async () => {
  const folder = join(createTemporaryFolder(), 'state')
  const first = await serveCommand(...solo, '--state', folder)
  const seeded = JSON.stringify(await first.control('snapshot'))
  await first.control('actions', limit)
  const kept = JSON.stringify(await first.control('snapshot'))
  expect(kept).not.toBe(seeded)
  expect(await first.stop()).toMatchObject({ code: 0 })

  const second = await serveCommand('--clock', 'frozen', '--state', folder)
  expect(JSON.stringify(await second.control('snapshot'))).toBe(kept)
  await second.control('reset', {})
  expect((await second.control('snapshot')).tables).toEqual(JSON.parse(seeded).tables)
})

it('continues with the same start and clock if the same command runs again', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2027-03-04T05:06:59Z') })
  const folder = join(createTemporaryFolder(), 'state')
  const command = ['--scenario', 'solo', '--state', folder]
  const first = await serveCommand(...command)
  const { start } = await first.control('state')
  await first.control('actions', { type: 'clock.advance', by: '40d' })
  await first.stop()
  vi.setSystemTime('2027-03-09')
  const second = await serveCommand(...command)
  const { start: again, clock } = await second.control('state')
  expect(again).toBe(start)
  await second.control('worlds', { name: 'new' })
  expect((await second.control('state?world=new')).start).toBe(start)
  expect(Date.parse(clock.now) - Date.parse(start)).toBeGreaterThan(39 * 86_400_000)
})

it('keeps a loaded scenario, named snapshots and isolated worlds', async () => {
  const folder = join(createTemporaryFolder(), 'state')
  const first = await serveCommand(...solo, '--state', folder)
  const changed = { scenario: 'launch-day', seed: 5 }
  await first.control('scenario?world=other', { name: 'launch-day', seed: 5 }, 'PUT')
  await first.control('snapshots?world=other', { name: 'opened' })
  await first.control('actions', limit)
  const kept = await first.control('snapshot?world=other')
  await first.stop()
  expect(readdirSync(folder).filter((name) => name.startsWith('base-'))).toHaveLength(2)

  const second = await serveCommand('--clock', 'frozen', '--state', folder)
  expect(await second.control('snapshots?world=other')).toMatchObject([{ name: 'opened' }])
  expect(await second.control('state?world=other')).toMatchObject(changed)
  expect((await second.control('snapshot?world=other')).tables).toEqual(kept.tables)
  await fetch(`${second.url}/_sandbox/worlds/other`, { method: 'DELETE' })
  await second.stop()
  const third = await serveCommand('--state', folder)
  await third.stop()
  expect(readdirSync(folder).filter((name) => name.startsWith('base-'))).toHaveLength(1)
})

it.each<[string[], string]>([
  [['--scenario', 'empty'], 'created with the scenario solo, not with empty. Remove --scenario'],
  [['--scenario', 'solo', '--seed', '4'], 'with seed 3, not with seed 4. Remove --seed'],
  [
    ['--scenario', 'solo', '--now', '2020-01-01T00:00:00Z'],
    'not at 2020-01-01T00:00:00.000Z. Remove --now, use another --state, or delete the state with',
  ],
])(
  'refuses a state made otherwise than %j asks for, unless it may be reset',
  async (flags, why) => {
    const folder = await copySavedState()
    const before = readFileSync(join(folder, 'main.state'), 'utf8')
    await expectRefusal(['--port', '0', '--state', folder, ...flags], why)
    expect(readFileSync(join(folder, 'main.state'), 'utf8')).toBe(before)
    const again = ['--clock', 'frozen', '--state', folder, '--state-reset']
    const reset = await serveCommand(...again, ...flags)
    expect(await reset.control('changes')).toMatchObject({ tables: [] })
  },
)

it('removes the base rows of a server that was killed before it had saved its world', async () => {
  const folder = await copySavedState()
  const base = () => readdirSync(folder).filter((name) => name.startsWith('base-'))
  const left = base()
  for (const name of ['main.state', 'store.state']) rmSync(join(folder, name))
  const next = await serveCommand(...solo, '--now', '2026-11-01T00:00:00Z', '--state', folder)
  await next.stop()
  expect(base()).toHaveLength(1)
  expect(base()).not.toEqual(left)
})

it('keeps a state that fits the flags, even if it may be reset', async () => {
  const folder = await copySavedState()
  const { control } = await serveCommand('--clock', 'frozen', '--state', folder, '--state-reset')
  expect(await control('changes')).toMatchObject({ tables: [{ table: 'organisations' }] })
})

it('uses the stored seeded rows if a later version generates different ones', async () => {
  const folder = join(createTemporaryFolder(), 'state')
  const old = await createFreshSandbox('solo', { seed: 3, now: '2026-01-01T00:00:00Z' })
  const first = await serveCommand(...solo, '--now', '2026-01-01T00:00:00Z', '--state', folder)
  await first.stop()
  const base = join(folder, readdirSync(folder).find((name) => name.startsWith('base-')) ?? '')
  const [post] = old.db.posts.all()
  const other = gunzipSync(openStateFile(readFileSync(base)))
    .toString()
    .replace(`"text":${JSON.stringify(post?.text)}`, '"text":"Made by another version"')
  writeFileSync(base, sealStateFile(gzipSync(other)))
  const second = await serveCommand('--state', folder)
  expect(await second.control(`data/posts/${post?.id}`)).toMatchObject({
    record: { text: 'Made by another version' },
  })
})

const damages: Record<string, (good: Buffer) => Buffer> = {
  'cut off': (good) => good.subarray(0, -30),
  empty: () => Buffer.alloc(0),
  'of something else': () => Buffer.from('[]'),
  'without its first line': (good) => good.subarray(good.indexOf('\n') + 1),
  'changed in one byte': (good) => {
    const damaged = Buffer.from(good)
    const digit = good.toString('latin1').search(/\d\D*$/)
    damaged[digit] = (damaged[digit] ?? 0) ^ 1
    return damaged
  },
  'written with another format': (good) =>
    Buffer.from(good.toString('latin1').replace('"format":2', '"format":1'), 'latin1'),
}

it.each(
  ['main', 'store', 'base'].flatMap((item) =>
    Object.entries(damages).map(([name, damage]) => ({ item, name, damage })),
  ),
)(
  'names the file of $item that is $name in one line, with exit code 2, and leaves it as it is',
  async ({ item, damage }) => {
    const folder = await copySavedState()
    const name = readdirSync(folder).find((each) => each.startsWith(item)) ?? ''
    const file = join(folder, name)
    const damaged = damage(readFileSync(file))
    writeFileSync(file, damaged)
    const problem = `Failed to read the state (${name.slice(0, -6)} in ${folder})`
    await expectRefusal(['--port', '0', '--state', folder], problem, '--state-reset')
    expect(readFileSync(file)).toEqual(damaged)
  },
)

it('names the format of a state that another version wrote', async () => {
  const folder = createTemporaryFolder()
  writeFileSync(join(folder, 'store.state'), '{"format":1,"base":"solo"}')
  await expectRefusal(
    ['--port', '0', '--state', folder],
    `the state (store in ${folder}): it has format 1, and this version reads format 2.`,
  )
})

it('deletes a damaged state with --state-reset', async () => {
  const folder = createTemporaryFolder()
  writeFileSync(join(folder, 'store.state'), 'damaged')
  writeFileSync(join(folder, 'main.state'), 'damaged')
  const { control } = await serveCommand(...solo, '--state', folder, '--state-reset')
  expect(await control('state')).toMatchObject({ scenario: 'solo', seed: 3 })
})

it.each<[string, (folder: string) => string, string]>([
  ['in a device', () => '/dev/null', 'it is not a folder. Use another --state.'],
  ['in a folder that it cannot make', () => '/proc/state', 'Use another --state.'],
  [
    'in a folder with other files',
    (folder) => {
      writeFileSync(join(folder, 'thesis.txt'), 'mine')
      return folder
    },
    'it contains other files, such as thesis.txt. Nothing was changed.',
  ],
  [
    'in a file of something else',
    (folder) => {
      writeFileSync(join(folder, 'notes.txt'), 'mine')
      return join(folder, 'notes.txt')
    },
    'it is not a folder. Use another --state.',
  ],
])('says at once that it can keep no state %s, with exit code 2', async (_, nameIn, text) => {
  const path = nameIn(createTemporaryFolder())
  await expectRefusal(['--port', '0', '--scenario', 'solo', '--state', path], path, text)
})

it('allows only one server at a time to use a folder, and saves unsaved changes on a signal', async () => {
  const folder = join(createTemporaryFolder(), 'state')
  const first = await serveCommand(...solo, '--state', folder)
  const inUse = `process ${process.pid} is using it (since`
  await expectRefusal(['--port', '0', '--state', folder], inUse)
  await first.control('actions', limit)
  expect(await first.stop('SIGHUP')).toMatchObject({ code: 0 })
  const again = await serveCommand('--state', folder)
  expect(await again.control('data/organisations')).toMatchObject({
    items: [{ limits: { minute: 12 } }],
  })
})
