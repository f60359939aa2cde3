import { mkdirSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { createSandbox, defineScenario } from 'creator-api-sandbox'
import { startServer } from 'creator-api-sandbox/server'
import { expect, it, onTestFinished, vi } from 'vitest'
import { createTemporaryFolder, runInProcess, writeTemporaryFile } from '../support/command.ts'

const text = `extends: solo
name: mine
now: 2026-10-01T09:30:00Z
records:
  tags: [{ id: 700, name: VIP }]
timeline:
  - { at: 5s, chapter: One, do: { type: tip, account_id: 100200300, amount: 5 } }
  - { at: 10s, do: { type: note, text: Gone. } }
`

const mine = defineScenario({
  extends: 'solo',
  name: 'mine',
  now: '2026-10-01T09:30:00Z',
  records: { tags: [{ id: 700, name: 'VIP' }] },
  timeline: [
    { at: '5s', chapter: 'One', do: { type: 'tip', account_id: 100200300, amount: 5 } },
    { at: '10s', do: { type: 'note', text: 'Gone.' } },
  ],
})

const open = (scenario: string) => {
  const sandbox = createSandbox({ scenario })
  onTestFinished(() => sandbox.close())
  return sandbox
}

it.each([
  ['a file', () => writeTemporaryFile(text)],
  [
    'a file relative to the working directory',
    () => relative(process.cwd(), writeTemporaryFile(text)),
  ],
  ['a long path', () => writeDeep()],
  ['an object', () => mine],
])('loads a scenario that extends another one, with its timeline, from %s', async (_, make) => {
  const sandbox = createSandbox({ scenario: make() as typeof mine })
  await sandbox.ready

  expect(sandbox.control.state().scenario).toBe('mine')
  expect(sandbox.clock.now()).toEqual(Date.parse('2026-10-01T09:30:00Z'))
  expect(sandbox.accounts.map(({ id }) => id)).toEqual([100200300])
  expect(sandbox.db.tags.get(700)).toMatchObject({ name: 'VIP' })
  expect(await sandbox.play()).toMatchObject({ status: 'ended', problems: [], caption: 'Gone.' })
})

function writeDeep(): string {
  const folder = join(createTemporaryFolder(), 'a'.repeat(150), 'b'.repeat(150))
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'mine.yaml'), text)
  return join(folder, 'mine.yaml')
}

it('serves a scenario file and an object that extends a scenario', async () => {
  for (const scenario of [writeTemporaryFile(text), mine]) {
    const { url, sandbox, stop } = await startServer({ port: 0, scenario })
    onTestFinished(stop)
    const response = await fetch(`${url}/v1/accounts`, {
      headers: { 'x-api-key': sandbox.keys.owner },
    })
    expect(await response.json()).toMatchObject({ data: { list: [{ id: '100200300' }] } })
  }
})

it('extends a scenario of the library, and takes the options seed, now and data', async () => {
  const base = { name: 'base', now: '2026-10-01T09:30:00Z', organisations: organisation } as const
  const sandbox = createSandbox({
    scenario: { extends: 'base', name: 'mine', title: 'Mine' },
    library: [base],
    seed: 9,
    now: '2026-11-02T00:00:00Z',
    data: { posts: 4, fans: 3 },
  })
  await sandbox.ready
  expect(sandbox.control.state().seed).toBe(9)
  expect(sandbox.clock.now()).toEqual(Date.parse('2026-11-02T00:00:00Z'))
  expect(sandbox.db.posts.all()).toHaveLength(4)
})

const organisation = [
  {
    name: 'Mine',
    roles: { owner: ['*'] },
    accounts: [{ id: 7, username: 'me', name: 'Me' }],
  },
] as const

it('waits with requests, resets and other scenarios until a file is read', async () => {
  const sandbox = open(writeTemporaryFile(text))
  sandbox.baseUrl = 'https://api.example.test'
  const seen: string[] = []
  sandbox.on('request', ({ path }) => seen.push(path))
  const response = await sandbox.fetch('https://api.example.test/v1/accounts')
  expect(response.status).toBe(401)
  expect(seen).toEqual(['/v1/accounts'])
  expect(sandbox.baseUrl).toBe('https://api.example.test')

  const reset = open(writeTemporaryFile(text))
  await reset.reset()
  expect(reset.db.tags.get(700)).toBeDefined()

  const replaced = open(writeTemporaryFile(text))
  await replaced.control.loadScenario({ name: 'empty' })
  expect(replaced.control.state().scenario).toBe('empty')
})

it('reports a mistake in a file with its place, like the command', async () => {
  const file = writeTemporaryFile('extends: solo\nnow: noon\n')
  const { stderr } = await runInProcess('validate', file)
  const problem = `${file}:2:6, at now): it is "noon", but it must be an RFC 3339 time`
  expect(stderr).toContain(problem)
  await expect(open(file).ready).rejects.toThrow(problem)
  await expect(startServer({ port: 0, scenario: file })).rejects.toThrow(problem)
  await expect(open(file).fetch('http://127.0.0.1:4010/v1/accounts')).rejects.toThrow(problem)
})

it.each([
  [
    './no-such.yaml',
    '(./no-such.yaml): there is no such file (ENOENT). Use the name of a scenario',
  ],
  ['./test', '(./test): it is a folder (EISDIR)'],
])('names the file %s if it cannot be read', async (file, problem) => {
  await expect(open(file).ready).rejects.toThrow(problem)
})

it.each([
  [
    { extends: 'sollo' },
    '(scenario.extends): it is "sollo", but it must be the name of a scenario',
  ],
  [{ extends: 5 }, '(scenario.extends): it is 5, but'],
  [
    { extends: 'solo', size: 3 },
    '(scenario.size): it is 3, but there is no such field. Allowed: extends, name',
  ],
  [
    { extends: 'solo', timeline: [{ at: '5s', do: { type: 'tip', account_id: 9 } }] },
    '(scenario.timeline.0.do.account_id): it is 9, but there is no such account',
  ],
])('reports the mistake in the object %j', async (scenario, problem) => {
  await expect(createSandbox({ scenario: scenario as typeof mine }).ready).rejects.toThrow(problem)
})

it('rejects a path if there is no file system, as in a browser', async () => {
  const file = writeTemporaryFile(text)
  vi.spyOn(process, 'getBuiltinModule').mockReturnValue(undefined)
  await expect(open(file).ready).rejects.toThrow(
    `Failed to read the scenario (${file}): there is no file system. Pass the scenario as an object`,
  )
})

it.each(['keys', 'accounts', 'clock', 'db'] as const)(
  'rejects reading %s before ready',
  async (name) => {
    const sandbox = open(writeTemporaryFile(text))
    expect(() => sandbox[name]).toThrow('the sandbox is not ready. Await sandbox.ready first.')
    expect(() => createSandbox({ scenario: mine })[name]).toThrow('Await sandbox.ready first.')
    await sandbox.ready
    expect(sandbox[name]).toBeDefined()
  },
)

it('rejects faults before ready, and closes without an error', () => {
  const sandbox = open(writeTemporaryFile(text))
  expect(() => sandbox.faults.add({ status: 500 })).toThrow('Await sandbox.ready first.')
  sandbox.close()
  sandbox.close()
})
