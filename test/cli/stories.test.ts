import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { run, serve, temporaryFolder } from '../support/command.ts'

const account = 100_200_300
const story = `extends: solo
name: mine
title: Mine
timeline:
  - { chapter: One, note: Hello }
  - { at: 10s, chapter: Two, do: { type: session.lapse, account_id: ${account} } }
  - { at: 1h }
`
const control = async (url: string, path: string, body?: unknown) =>
  (await fetch(`${url}/_sandbox${path}`, body === undefined ? {} : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })).json()

it('replays a scenario from a chapter on, and tells what happens in plain lines', async () => {
  const file = join(temporaryFolder(), 'mine.yaml')
  writeFileSync(file, story)
  const { url, printed, stop } = await serve('replay', file, '--from', '9s', '--until', '20s', '--speed', '1000')
  expect(printed).toContain(`${url}/_sandbox/`)
  while ((await control(url, '/replay')).status === 'playing') continue
  expect(await control(url, '/replay')).toMatchObject({ status: 'paused', at_ms: 20_000, chapter: 'Two', speed: 1000 })
  const { code, stdout } = await stop()
  expect(code).toBe(0)
  expect(stdout).toContain('  # Two\n')
})

it('waits for play with --paused', async () => {
  const file = join(temporaryFolder(), 'mine.yaml')
  writeFileSync(file, story)
  const { url } = await serve('replay', file, '--paused', '--quiet')
  expect(await control(url, '/replay')).toMatchObject({ status: 'idle', at_ms: 0 })
  expect((await control(url, '/happenings')).map(({ text }: { text: string }) => text)).toEqual(['One', 'Hello'])
  expect(await control(url, '/replay', { command: 'play', speed: 2 })).toMatchObject({ status: 'playing', speed: 2 })
})

it('lists the scenarios of a folder beside the shipped ones, and serves one by its name', async () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'mine.yaml'), story)
  const { stdout } = await run('scenarios', '--scenarios', folder)
  expect(stdout).toMatch(/^mine +1:00:00 {2}Mine$/m)
  expect(stdout).toMatch(/^ +One · Two$/m)
  expect(stdout).toMatch(/^agency /m)
  const { url } = await serve('--scenarios', folder, '--scenario', 'mine')
  expect(await control(url, '/state')).toMatchObject({ scenario: 'mine' })
})

it('checks a scenario file without starting', async () => {
  const file = join(temporaryFolder(), 'mine.yaml')
  writeFileSync(file, story)
  expect(await run('validate', file)).toEqual({ code: 0, stdout: `${file} is good: the scenario mine, 2 chapters, 3 moments, 1:00:00 long.\n`, stderr: '' })
  writeFileSync(file, story.replace('lapse,', 'laps,'))
  const { code, stdout, stderr } = await run('validate', file)
  expect([code, stdout, stderr.split('\n').length]).toEqual([2, '', 2])
  expect(stderr).toContain(`(${file}:6:`)
  expect(stderr).toContain('"session.laps", but it must be one of')
})

it('records a session, and replays it to the same world', async () => {
  const file = join(temporaryFolder(), 'My Session.yaml')
  const { url, stop } = await serve('record', '--out', file, '--scenario', 'solo', '--clock', 'frozen')
  const { keys } = await control(url, '/state')
  await fetch(`${url}/v1/tags`, { method: 'POST', headers: { 'x-api-key': keys[0].key, 'content-type': 'application/json' }, body: '{"name":"Mine"}' })
  await control(url, '/clock', { advance: '1m' })
  await control(url, '/actions', { type: 'tip', account_id: account })
  const { tables } = await control(url, '/snapshot')
  expect((await stop('SIGINT')).stderr).toBe(`Wrote 2 steps to ${file}.\n`)
  expect(readFileSync(file, 'utf8')).toContain('name: "my-session"')
  const again = await serve('replay', file, '--paused')
  await control(again.url, '/replay', { command: 'seek', to: '1m' })
  expect((await control(again.url, '/snapshot')).tables).toEqual(tables)
})

it.each([
  [['replay', 'nowhere'], 'there is none of that name'],
  [['replay', 'solo'], 'the scenario has no timeline'],
  [['replay'], "missing required argument 'scenario'"],
  [['record'], 'Give --out FILE'],
  [['record', '--out', '/tmp/never.yaml', '--state', '/tmp/never.json'], "unknown option '--state'"],
  [['record', '--out', '/nowhere/a.yaml'], 'Failed to write the recording (/nowhere/a.yaml)'],
  [['replay', 'launch-day', '--state', '/tmp/never.json'], "unknown option '--state'"],
  [['validate', '/nowhere/a.yaml'], 'Failed to read the scenario (/nowhere/a.yaml)'],
  [['scenarios', '--scenarios', '/nowhere'], 'Give a folder'],
  [['replay', 'solo', '--speed', '0'], 'it must be at least 0.1'],
])('refuses %j in one line, with exit code 2', async (flags, text) => {
  const { code, stderr } = await run(...flags)
  expect([code, stderr.trimEnd().split('\n').length]).toEqual([2, 1])
  expect(stderr).toContain(text)
})
