import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { run, serve, temporaryFolder } from '../support/command.ts'

const json = { 'content-type': 'application/json' }
const act = (url: string, action: object) =>
  fetch(`${url}/_sandbox/actions`, { method: 'POST', headers: json, body: JSON.stringify(action) })
const snapshotOf = async (url: string) => (await fetch(`${url}/_sandbox/snapshot`)).text()

it('keeps the world across restarts, byte for byte, and the way back to the seeded state', async () => {
  const folder = temporaryFolder()
  const file = join(folder, 'state.json')
  const first = await serve('--scenario', 'solo', '--seed', '3', '--clock', 'frozen', '--state', file)
  const seeded = await snapshotOf(first.url)
  expect((await act(first.url, { type: 'limits.set', minute: 12 })).status).toBe(200)
  const kept = await snapshotOf(first.url)
  expect(kept).not.toBe(seeded)
  expect((await first.stop()).code).toBe(0)
  expect(readFileSync(file, 'utf8')).toBe(kept)
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
  ['a damaged record', (good: string) => good.replace('"isPinned":false', '"isPinned":"maybe"'), 'isPinned'],
])('names a damaged file (%s) in one line, with exit code 2, and leaves it untouched', async (_, damage, text) => {
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
})

it.each([[['--scenario', 'agency']], [['--seed', '4']]])('refuses a file made otherwise than %j asks for', async (flags) => {
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
})

it('says at once that a file cannot be written', async () => {
  const { code, stderr } = await run('--port', '0', '--scenario', 'solo', '--state', join(temporaryFolder(), 'nowhere', 'state.json'))
  expect(code).toBe(2)
  expect(stderr).toMatch(/^Failed to write the state file .*nowhere.*\n$/)
})
