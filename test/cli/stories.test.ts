import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import {
  createTemporaryFolder,
  expectRefusal,
  runInProcess,
  serveCommand,
  writeTemporaryFile,
} from '../support/command.ts'

const account = 100_200_300
const story = `extends: solo
name: mine
title: Mine
timeline:
  - { chapter: One, note: Hello }
  - { at: 10s, chapter: Two, do: { type: session.lapse, account_id: ${account} } }
  - { at: 1h }
`

it('replays a scenario from a chapter, and prints events in plain lines', async () => {
  const file = writeTemporaryFile(story)
  const part = ['--from', '9s', '--until', '20s', '--speed', '1000']
  const { url, printed, stop, control } = await serveCommand('replay', file, ...part)
  expect(printed).toContain(`${url}/_sandbox/`)
  while ((await control('replay')).status === 'playing') continue
  expect(await control('replay')).toMatchObject({
    status: 'paused',
    at_ms: 20_000,
    chapter: 'Two',
    speed: 1000,
  })
  const { code, stdout } = await stop()
  expect(code).toBe(0)
  expect(stdout).toContain('  # Two\n')
})

it('with --paused, does not play before the play command', async () => {
  const file = writeTemporaryFile(story)
  const { control } = await serveCommand('replay', file, '--paused', '--quiet')
  expect(await control('replay')).toMatchObject({ status: 'idle', at_ms: 0 })
  expect((await control('happenings')).map(({ text }: { text: string }) => text)).toEqual([
    'One',
    'Hello',
  ])
  expect(await control('replay', { command: 'play', speed: 2 })).toMatchObject({
    status: 'playing',
    speed: 2,
  })
  await control('scenario', { name: 'launch-day' }, 'PUT')
  expect(await control('replay')).toMatchObject({ status: 'idle', at_ms: 0 })
  await control('scenario', { name: 'launch-day', cue: false }, 'PUT')
  expect(await control('replay')).toMatchObject({ status: 'playing' })
})

it('lists the scenarios of a folder and the shipped ones, and serves one by name', async () => {
  const folder = createTemporaryFolder()
  writeFileSync(join(folder, 'mine.yaml'), story)
  const { stdout } = await runInProcess('scenarios', '--scenarios', folder)
  expect(stdout).toMatch(/^mine +1:00:00 {2}Mine$/m)
  expect(stdout).toMatch(/^ +One · Two$/m)
  expect(stdout).toMatch(/^agency /m)
  const { control } = await serveCommand('--scenarios', folder, '--scenario', 'mine')
  expect(await control('state')).toMatchObject({ scenario: 'mine' })
})

it('reads scenarios that extend each other, with any file names, and skips other files', async () => {
  const folder = createTemporaryFolder()
  const write = (file: string, text: string) => writeFileSync(join(folder, file), text)
  write('a.yaml', 'extends: mine\nname: child\ntitle: Child\n')
  write('b.yaml', story)
  write('c.yml', 'extends: solo\nname: solo\ntitle: My own solo\n')
  write('docker-compose.yaml', 'name: app\nservices:\n  app: { extends: { service: base } }\n')
  write('chart.yaml', 'services: {{ .Values.services }\n')
  const { code, stdout, stderr } = await runInProcess('scenarios', '--scenarios', folder)
  expect(code).toBe(0)
  for (const line of [/^child +1:00:00 {2}Child$/m, /^mine +1:00:00 {2}Mine$/m, /^solo +My own/m])
    expect(stdout).toMatch(line)
  const why = 'it is not a scenario, because it has neither organisations nor extends.'
  const skipped = ['chart.yaml', 'docker-compose.yaml']
  expect(stderr).toBe(skipped.map((file) => `Skipped ${join(folder, file)}: ${why}\n`).join(''))
  expect((await runInProcess('validate', join(folder, 'docker-compose.yaml'))).code).toBe(2)
  expect(
    (await runInProcess('--port', '0', '--scenario', 'nowhere', '--scenarios', folder)).stderr,
  ).toContain('Use one of child, mine, solo, agency-morning, ')
  expect((await runInProcess('validate', join(folder, 'a.yaml'))).stderr).toContain(
    'To load your own scenarios by name, set --scenarios FOLDER.',
  )
  write('b.yaml', story.replace('extends: solo', 'extends: child'))
  expect((await runInProcess('scenarios', '--scenarios', folder)).stderr).toMatch(
    /^Failed to read the scenario \(.*a\.yaml\): child extends mine extends child\. Remove `extends` from one of them\.$/m,
  )
  write('b.yaml', 'extends: unknown\nname: mine\n')
  expect((await runInProcess('scenarios', '--scenarios', folder)).stderr).toContain(
    '"unknown", but it must be the name of a scenario, such as child, mine, solo, agency-morning, ',
  )
})

it('validates a scenario file without starting a server', async () => {
  const file = writeTemporaryFile(story)
  expect(await runInProcess('validate', file)).toEqual({
    code: 0,
    stdout: `${file} is valid: the scenario mine, 2 chapters, 3 steps, 1:00:00 long.\n`,
    stderr: '',
  })
  writeFileSync(file, story.replace('lapse,', 'laps,'))
  const { code, stdout, stderr } = await runInProcess('validate', file)
  expect([code, stdout, stderr.split('\n').length]).toEqual([2, '', 2])
  expect(stderr).toContain(`(${file}:6:`)
  expect(stderr).toContain('"session.laps", but it must be one of')
})

it('warns about a permission that no route has, and suggests the most similar one', async () => {
  const file = writeTemporaryFile(
    `${story.split('timeline')[0]}organisations:\n  - name: Mine\n    roles:\n` +
      `      owner: ['*', '!api_post_list', api_vault_*]\n    accounts: []\n`,
  )
  const { code, stderr } = await runInProcess('validate', file)
  expect([code, stderr]).toEqual([
    0,
    `Warning (${file}:7:14, at organisations.0.roles.owner): no route has the permission ` +
      `"api_post_list". Did you mean api_posts_list?\n`,
  ])
})

it('says that it sorted the steps of a timeline', async () => {
  const file = writeTemporaryFile(story.replace('at: 1h', 'at: 1s'))
  expect(await runInProcess('validate', file)).toMatchObject({
    code: 0,
    stderr:
      `Warning (${file}:7:11, at timeline.2.at): the step is earlier than a previous step. ` +
      'The sandbox sorts the steps by time.\n',
  })
  const { stop } = await serveCommand('replay', file, '--paused')
  expect((await stop()).stderr).toBe(
    'Warning: timeline[2] of the scenario mine is earlier than a previous step. The sandbox ' +
      'sorted the steps by time.\n',
  )
})

const failing = story.replace(
  'at: 1h',
  'at: 1h, do: { type: post.unlock, account_id: 100200300, post_id: 5 }',
)

it('prints failed steps during the replay, and their number at the end', async () => {
  const file = writeTemporaryFile(failing)
  const [loud, quiet] = [
    await serveCommand('replay', file, '--paused'),
    await serveCommand('replay', file, '--paused', '--quiet'),
  ]
  for (const { control } of [loud, quiet]) await control('replay', { command: 'seek', to: '1h' })
  const [told, toldQuietly] = await Promise.all([loud, quiet].map(({ stop }) => stop()))
  expect(told?.stdout).toMatch(
    /^1:00:00 {2}! timeline\[2\]: Failed to apply post\.unlock .*post_id is 5/m,
  )
  expect(told?.stdout).toMatch(
    /^1:00:00 {2}The story has ended, and 1 of its steps failed\. The server keeps running\.$/m,
  )
  expect(toldQuietly?.stderr).toMatch(/^1:00:00 {2}! timeline\[2\]: .*\n$/)
})

it('keeps running while another story is loaded', async () => {
  const { stop, control } = await serveCommand('replay', 'launch-day', '--paused')
  for (const name of ['bad-day', 'agency'])
    expect(await control('scenario', { name }, 'PUT')).toMatchObject({ scenario: name })
  expect((await stop()).code).toBe(0)
})

it('plays the story of the validated file, and reports the lines of failed steps', async () => {
  const file = writeTemporaryFile(
    failing.replace('type: session.lapse', 'type: transaction.settle, transaction_id: "5"'),
  )
  const { code, stdout, stderr } = await runInProcess('validate', file)
  const lines = stderr.trimEnd().split('\n')
  expect([code, stdout, lines.length]).toEqual([2, '', 2])
  expect(lines[0]).toContain(`Failed to play the scenario (${file}:6:5, at timeline.1): `)
  expect(lines[1]).toMatch(/mine\.yaml:7:5, at timeline\.2\): .*post_id is 5/)
  expect(await runInProcess('validate', 'solo')).toEqual({
    code: 0,
    stdout: 'solo is valid: the scenario solo, no timeline.\n',
    stderr: '',
  })
})

it('lists all mistakes in a file, one per line', async () => {
  const file = writeTemporaryFile('name: mine\nnow: yesterday\norganisation: []\nsead: 3\n')
  const { code, stderr } = await runInProcess('validate', file)
  const [now, organisations, organisation, seed, ...others] = stderr.trimEnd().split('\n')
  expect([code, others]).toEqual([2, []])
  expect(now).toBe(
    `Failed to read the scenario (${file}:2:6, at now): it is "yesterday", but it must be an ` +
      'RFC 3339 time from 2004 to 2286, such as 2026-10-01T09:00:00Z.',
  )
  expect(organisations).toContain('at organisations): it is missing, but it must be of type array.')
  expect(organisation).toContain(
    `${file}:3:15, at organisation): it is an array of 0, but there is no such field. Allowed: extends, name, `,
  )
  expect(seed).toContain(`${file}:4:7, at sead): it is 3, but`)
})

it('records a session, and replays it to the same world', async () => {
  const file = join(createTemporaryFolder(), 'My Session.yaml')
  const flags = ['--scenario', 'solo', '--clock', 'frozen']
  const { api, control, stop } = await serveCommand('record', '--out', file, ...flags)
  expect(existsSync(file)).toBe(false)
  await api('/v1/tags', { method: 'POST', body: '{"name":"Mine"}' })
  await control('clock', { advance: '1m' })
  await control('actions', { type: 'tip', account_id: account })
  const { tables } = await control('snapshot')
  expect((await stop('SIGINT')).stderr).toBe(`Wrote 2 steps to ${file}.\n`)
  expect(readFileSync(file, 'utf8')).toContain('name: "my-session"')
  const again = await serveCommand('replay', file, '--paused')
  await again.control('replay', { command: 'seek', to: '1m' })
  expect((await again.control('snapshot')).tables).toEqual(tables)
})

it('leaves no file behind for a recording that could not start', async () => {
  const file = join(createTemporaryFolder(), 'mine.yaml')
  const failing = ['record', 'nowhere', '--port', '0', '--out']
  expect(await runInProcess(...failing, file)).toMatchObject({ code: 2 })
  expect(existsSync(file)).toBe(false)
  writeFileSync(file, story)
  expect(await runInProcess(...failing, file)).toMatchObject({ code: 2 })
  expect(readFileSync(file, 'utf8')).toBe(story)
})

it.each([
  [['replay', 'nowhere', '--port', '0'], 'it does not exist'],
  [['replay', 'solo', '--port', '0'], 'the scenario has no timeline'],
  [['replay'], "missing required argument 'scenario'"],
  [['record'], 'Add --out FILE'],
  [['record', 'solo', '--scenario', 'agency'], 'also names a scenario, agency. Use only one.'],
  [['record', '--out', '/tmp/never.yaml', '--state', '/tmp/a'], "unknown option '--state'"],
  [['record', '--out', '/nowhere/a.yaml'], 'Failed to write the recording (/nowhere/a.yaml)'],
  [['scenarios', '--scenarios', '/nowhere'], 'Use a folder'],
  [['replay', 'solo', '--speed', '0'], 'it must be at least 0.1'],
  [
    ['replay', 'launch-day', '--paused', '--until', '1m', '--loop'],
    'Failed to replay with --until and --loop: with --paused, it has no effect',
  ],
  [['replay', 'launch-day', 'extra'], "too many arguments for 'replay'. Expected 1 argument but"],
])('rejects %j in one line, with exit code 2', expectRefusal)

it.each([
  ['there is no such file', () => undefined],
  ['it is a folder', (file: string) => mkdirSync(file)],
  [
    'it is not UTF-8 text',
    (file: string) => writeFileSync(file, Buffer.from([0xff, 0xfe, 0x61, 0])),
  ],
  ['it is empty. A scenario needs either', (file: string) => writeFileSync(file, '\n')],
  ['it is "hello". A scenario needs either', (file: string) => writeFileSync(file, 'hello')],
])('explains why a file is not a scenario: %s', async (why, make) => {
  const file = join(createTemporaryFolder(), 'mine.yaml')
  make(file)
  await expectRefusal(['validate', file], `Failed to read the scenario (${file}): ${why}`)
})
