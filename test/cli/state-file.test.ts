import { readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { run, serve, temporaryFolder } from '../support/command.ts'

const json = { 'content-type': 'application/json' }
const act = (url: string, action: object) =>
  fetch(`${url}/_sandbox/actions`, { method: 'POST', headers: json, body: JSON.stringify(action) })
/** Makes a link that leads to itself. */
function linkTo(folder: string, name: string): string {
  symlinkSync(name, join(folder, name))
  return join(folder, name)
}
/**
 * The snapshot as a file has it: without a digest, which would have to be computed anew of all
 * records at each write.
 */
const snapshotOf = async (url: string) =>
  (await (await fetch(`${url}/_sandbox/snapshot`)).text()).replace(/,"digest":"\w+"}$/, '}')

it('keeps the world across restarts, byte for byte, and the way back to the seeded state', async () => {
  const folder = temporaryFolder()
  const file = join(folder, 'state.json')
  const first = await serve(
    '--scenario',
    'solo',
    '--seed',
    '3',
    '--clock',
    'frozen',
    '--state',
    file,
  )
  const seeded = await snapshotOf(first.url)
  expect((await act(first.url, { type: 'limits.set', minute: 12 })).status).toBe(200)
  const kept = await snapshotOf(first.url)
  expect(kept).not.toBe(seeded)
  expect((await first.stop()).code).toBe(0)
  // The file has no digest: its unchanged parts are copied from the file before, and never read.
  expect(readFileSync(file, 'utf8')).toBe(kept.replace(/,"digest":"[^"]*"\}$/, '}'))
  expect(readdirSync(folder)).toEqual(['state.json'])

  const second = await serve('--state', file)
  expect(await snapshotOf(second.url)).toBe(kept)
  await fetch(`${second.url}/_sandbox/reset`, { method: 'POST' })
  expect(JSON.parse(await snapshotOf(second.url)).tables).toEqual(JSON.parse(seeded).tables)
})

it.each([
  ['no JSON', () => '{"version":1', 'not well-formed JSON'],
  ['an empty file', () => '', 'not well-formed JSON'],
  ['another JSON', () => '[]', 'it is no state of a sandbox'],
  [
    'a damaged record',
    (good: string) => good.replace('"isPinned":false', '"isPinned":"maybe"'),
    'isPinned',
  ],
])(
  'names a damaged file (%s) in one line, with exit code 2, and leaves it untouched',
  async (_, damage, text) => {
    const file = join(temporaryFolder(), 'state.json')
    const { stop } = await serve('--scenario', 'solo', '--state', file)
    await stop()
    const damaged = damage(readFileSync(file, 'utf8'))
    writeFileSync(file, damaged)
    const { code, stdout, stderr } = await run('--port', '0', '--state', file)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(file)
    expect(stderr).toContain(text)
    expect(stderr.trimEnd()).not.toContain('\n')
    expect(readFileSync(file, 'utf8')).toBe(damaged)
  },
)

it.each([[['--scenario', 'agency']], [['--seed', '4']]])(
  'refuses a file made otherwise than %j asks for',
  async (flags) => {
    const file = join(temporaryFolder(), 'state.json')
    const { stop } = await serve('--scenario', 'solo', '--seed', '3', '--state', file)
    await stop()
    const before = readFileSync(file, 'utf8')
    const { code, stderr } = await run('--port', '0', '--state', file, ...flags)
    expect(code).toBe(2)
    expect(stderr).toContain(
      `it was made from the scenario solo with seed 3, not from ${flags[0] === '--seed' ? 'solo with seed 4' : 'agency with seed 7'}`,
    )
    expect(readFileSync(file, 'utf8')).toBe(before)
  },
)

it.each<[string, (folder: string) => string, string]>([
  [
    'in a folder that is not there',
    (folder) => join(folder, 'nowhere', 'state.json'),
    'its folder is not there (ENOENT). Give another --state.',
  ],
  ['that is a device', () => '/dev/null', 'it is no regular file. Give another --state.'],
  ['on a disk that can only be read', () => '/proc/state.json', 'Give another --state.'],
  [
    'behind links in a circle',
    (folder) => linkTo(folder, 'state.json'),
    'its links lead in a circle (ELOOP). Give another --state.',
  ],
])('says at once that it can keep no state %s, with exit code 2', async (_, nameIn, text) => {
  const file = nameIn(temporaryFolder())
  const { code, stdout, stderr } = await run('--port', '0', '--scenario', 'solo', '--state', file)
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toContain(`Failed to keep the state in ${file}: `)
  expect(stderr).toContain(text)
  expect(stderr.trimEnd()).not.toContain('\n')
})

it('reads a large file piece by piece, and refuses one with a damaged record, or an end that is missing, as it refuses a small one', async () => {
  const file = join(temporaryFolder(), 'state.json')
  const first = await serve('--scenario', 'agency', '--clock', 'frozen', '--state', file)
  expect((await first.stop()).code).toBe(0)
  const good = readFileSync(file, 'utf8')
  for (const [bad, why] of [
    [good.replace('"isPinned":false', '"isPinned":"maybe"'), 'isPinned'],
    [good.slice(0, -3), 'not well-formed JSON'],
  ] as const) {
    writeFileSync(file, bad)
    const { stderr, code } = await run('--state', file)
    expect([stderr, code]).toEqual([expect.stringContaining(why), 2])
    expect(readFileSync(file, 'utf8')).toBe(bad)
  }
  writeFileSync(file, good)
  const again = await serve('--clock', 'frozen', '--state', file)
  expect((await again.stop()).code).toBe(0)
  expect(readFileSync(file, 'utf8')).toBe(good)
})

it('leaves a file of a later version as it is, and says what to do', async () => {
  const folder = temporaryFolder()
  const file = join(folder, 'state.json')
  writeFileSync(file, '{"version":2,"scenario":"solo","seed":1,"news":{}}')
  const { code, stderr } = await run('--port', '0', '--state', file)
  expect([code, stderr]).toEqual([
    2,
    `Failed to read the state file (${file}): it has the format 2 of a later version, and this one reads formats up to 1. It was left as ` +
      'it is: start the version that wrote it, or give another --state.\n',
  ])
  expect(readdirSync(folder)).toEqual(['state.json'])
})

it('lets one server at a time keep a file, and lets it go when it ends', async () => {
  const file = join(temporaryFolder(), 'state.json')
  const { stop } = await serve('--scenario', 'solo', '--state', file)
  const { code, stderr } = await run('--port', '0', '--state', file)
  expect(code).toBe(2)
  expect(stderr).toMatch(
    new RegExp(
      `^Failed to keep the state in .*: the process ${process.pid} has kept it since \\d{4}-.*\\n$`,
    ),
  )
  expect(await stop('SIGHUP')).toMatchObject({ code: 0, stderr: '' })
  const again = await serve('--state', file)
  expect((await again.stop()).code).toBe(0)
})

it('promises the same in the docs and in --help', async () => {
  const page = readFileSync(new URL('../../docs/server.md', import.meta.url), 'utf8')
  const promise =
    'A killed process loses at most the last second and the time of one write of the world'
  for (const text of [page, (await run('--help')).stdout])
    expect(text.replace(/\s+/g, ' ')).toContain(promise)
})
