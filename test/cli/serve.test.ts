import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it, onTestFinished, vi } from 'vitest'
import {
  runInProcess,
  runUntilExit,
  serveCommand,
  createTemporaryFolder,
} from '../support/command.ts'
import { sendRaw } from '../support/server.ts'

const shell = (line: string) =>
  promisify(execFile)('sh', ['-c', line.replace('curl ', 'curl --silent --show-error --fail ')])
const stateOf = async (url: string, headers: Record<string, string> = {}) =>
  (await fetch(`${url}/_sandbox/state`, { headers })).json()

it('prints its URL, keys, and three commands that work when pasted', async () => {
  const { url, printed, stop } = await serveCommand()
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
  expect(printed).toContain(`${url}/_sandbox/`)
  const state = await stateOf(url)
  for (const { key, role } of state.keys) expect(printed).toMatch(new RegExp(`${role} +${key}`))
  for (const { id, username } of state.accounts) expect(printed).toContain(`${id}  ${username}`)
  const lines = printed.split('\n').filter((line) => line.trimStart().startsWith('curl '))
  expect(lines).toHaveLength(3)
  const [posts, stats, clock] = await Promise.all(
    lines.map(async (line) => JSON.parse((await shell(line)).stdout)),
  )
  expect(posts.data.list).toHaveLength(2)
  expect(stats.data.stats[0].purchase_count).toBeGreaterThan(0)
  expect(Date.parse(clock.now) - Date.parse(state.clock.now)).toBeGreaterThanOrEqual(7_200_000)
  const { stderr, ...end } = await stop()
  expect(end).toEqual({ code: 0, stdout: printed })
  // On a busy machine, seeding takes more than a second, and the command prints its progress.
  expect(stderr).toBe('')
})

it('exits with an error if the data does not fit into the memory limit', async () => {
  const file = join(createTemporaryFolder(), 'two.yaml')
  const account = (id: number) =>
    `{ id: ${id}, username: u${id}, name: U, data: { posts: 1000000 } }`
  writeFileSync(
    file,
    `name: two\nnow: 2026-10-01T09:00:00Z\norganisations:\n  - { name: A, roles: { owner: ['*'] }, accounts: [${account(1)}, ${account(2)}] }\n`,
  )
  const { code, stderr } = await runUntilExit(
    '--scenario',
    file,
    '--max-memory',
    '16',
    '--port',
    '0',
  )
  expect(code).toBe(2)
  expect(stderr).toContain('it would exceed the memory limit of 16 MB')
})

it('accepts scenario, seed, start, clock and rate', async () => {
  const { url } = await serveCommand(
    '--scenario',
    'solo',
    '--seed',
    '5',
    '--now',
    '2026-01-02T03:04:05Z',
    '--clock',
    'frozen',
  )
  expect(await stateOf(url)).toMatchObject({
    scenario: 'solo',
    seed: 5,
    clock: { now: '2026-01-02T03:04:05.000Z', mode: 'frozen' },
  })
  const running = await serveCommand('--scenario', 'solo', '--rate', '60')
  expect(await stateOf(running.url)).toMatchObject({ clock: { mode: 'running', rate: 60 } })
})

it.each([
  [[], [200, 200, 200]],
  [['--no-guesses'], [200, 200, 404]],
  [['--only-documented'], [200, 404, 404]],
])(
  'with %j, documented, published and inferred routes return the statuses %j',
  async (flags, expected) => {
    const { url } = await serveCommand('--scenario', 'solo', ...flags)
    const { keys, accounts } = await stateOf(url)
    const headers = { authorization: `Bearer ${keys[0].key}` }
    const paths = ['posts', 'user-lists', 'subscribers/counts'].map(
      (path) => `${url}/v1/${accounts[0].id}/${path}`,
    )
    expect(
      await Promise.all(paths.map(async (path) => (await fetch(path, { headers })).status)),
    ).toEqual(expected)
  },
)

it('uses the given base URL in media links', async () => {
  const { url, printed } = await serveCommand(
    '--scenario',
    'solo',
    '--base-url',
    'https://api.example.test/',
    '--quiet',
  )
  expect(printed).toBe('https://api.example.test\n')
  expect(url).toBe('https://api.example.test')
})

it.each([
  [['--colour', 'red'], "unknown option '--colour'"],
  [['--prot', '1'], "unknown option '--prot'"],
  [['--port'], 'argument missing'],
  [['--port', '70000'], '--port ("70000"): it must be at most 65535'],
  [['--scenario', 'nowhere'], 'Use one of'],
  [['--scenario', './nowhere.yaml'], './nowhere.yaml'],
  [['--host', '0.0.0.0'], '--control-token'],
  [['--control-token-env', 'NOT_SET'], 'the environment variable is not set or empty'],
  [['--control-token-env', 'NOT_SET', '--control-token', 'x'], 'Use only one'],
  [
    ['serve'],
    'there is no command "serve". The commands are replay, record, scenarios, validate, routes, ' +
      'verify, watch, audit, survive, check, help. Without a command, the sandbox starts a server',
  ],
  [['help', 'nothing'], 'there is no command "nothing"'],
  [
    ['--clock', 'frozen', '--rate', '5'],
    'Failed to serve with --rate 5: with --clock frozen the clock does not run',
  ],
])('rejects %j in one line with exit code 2', async (flags, text) => {
  const { code, stdout, stderr } = await runInProcess('--port', '0', ...flags)
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toContain(text)
  expect(stderr.trimEnd()).not.toContain('\n')
})

it('shows the file and the path of a mistake in a scenario', async () => {
  const file = join(createTemporaryFolder(), 'mine.yaml')
  writeFileSync(file, 'name: mine\nnow: 2026-10-01T09:30:00Z\norganisations: 5\n')
  const { code, stderr } = await runInProcess('--port', '0', '--scenario', file)
  expect(code).toBe(2)
  expect(stderr).toContain(file)
  expect(stderr).toContain('organisations')
  expect(stderr.trimEnd()).not.toContain('\n')
})

it('prints one line and exits with 1 if the port is taken', async () => {
  const { url } = await serveCommand('--scenario', 'solo')
  const { port } = new URL(url)
  expect(await runInProcess('--scenario', 'solo', '--port', port)).toEqual({
    code: 1,
    stdout: '',
    stderr:
      `Failed to listen on 127.0.0.1:${port}: the port is in use. Choose another port, or ` +
      `0 for a free one.\n`,
  })
})

it('prints its flags and its version', async () => {
  const help = await runInProcess('--help')
  expect(help.code).toBe(0)
  for (const flag of [
    '--port',
    '--host',
    '--scenario',
    '--seed',
    '--now',
    '--clock',
    '--rate',
    '--base-url',
    '--state',
    '--control-token',
    '--quiet',
  ])
    expect(help.stdout).toContain(flag)
  expect(help.stdout.replace(/\s+/g, ' ')).toContain(
    'The same seed and start always produce the same data',
  )
  expect(await runInProcess('help')).toEqual(help)
  expect((await runInProcess('help', 'replay')).stdout).toContain(
    'Usage: creator-api-sandbox replay [options] <scenario>',
  )
  expect(await runInProcess('--version')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
  })
})

it.each(['SIGTERM', 'SIGINT'] as const)(
  'shuts down gracefully on %s: requests in progress are completed',
  async (signal) => {
    const { url, stop } = await serveCommand('--scenario', 'solo')
    const { keys, accounts } = await stateOf(url)
    await fetch(`${url}/_sandbox/faults`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"delay_ms":300,"times":1}',
    })
    const slow = fetch(`${url}/v1/${accounts[0].id}/posts`, {
      headers: { 'x-api-key': keys[0].key },
    })
    await expect.poll(async () => (await fetch(`${url}/_sandbox/faults`)).json()).toEqual([])
    const end = stop(signal)
    expect((await slow).status).toBe(200)
    expect(await end).toMatchObject({ code: 0, stderr: '' })
  },
)

it('logs unknown paths on stderr, with similar routes', async () => {
  const { url, stop } = await serveCommand('--scenario', 'solo')
  const { keys, accounts } = await stateOf(url)
  await fetch(`${url}/v1/${accounts[0].id}/post`, { headers: { 'x-api-key': keys[0].key } })
  expect((await stop()).stderr).toContain('similar routes: GET /v1/:account_id/posts')
})

it('responds to malformed HTTP, preflights, large bodies and large headers, and keeps running', async () => {
  const { url } = await serveCommand('--scenario', 'solo')
  expect(await sendRaw(url, 'hello\r\n\r\n')).toMatch(
    /^HTTP\/1\.1 400 [^]*\{"error":"The request is not well-formed HTTP\."\}$/,
  )
  // Only statuses from the reference are allowed, so 408, 414, 417 and 431 are not.
  const tooLarge =
    /^HTTP\/1\.1 400 [^]*\{"error":"The URL and the headers of the request are larger than 16384 bytes\."\}$/
  expect(
    await sendRaw(url, `GET / HTTP/1.1\r\nHost: x\r\nX-Large: ${'x'.repeat(20_000)}\r\n\r\n`),
  ).toMatch(tooLarge)
  expect(await sendRaw(url, `GET /v1/${'x'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`)).toMatch(
    tooLarge,
  )
  const expecting = await sendRaw(
    url,
    'GET /health HTTP/1.1\r\nHost: x\r\nExpect: more\r\nConnection: close\r\n\r\n',
  )
  expect(expecting).toMatch(/^HTTP\/1\.1 200 /)
  expect(await sendRaw(url, 'GET /health HTTP/1.1\r\n\r\n')).toMatch(
    /^HTTP\/1\.1 400 [^]*\{"error":"The request has no Host header\."\}$/,
  )
  expect(
    await sendRaw(url, 'HEAD /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'),
  ).toMatch(/^HTTP\/1\.1 200 [^]*Length: \d{2}\r\n/i)
  const absolute = await sendRaw(
    url,
    `GET ${url}/h%65alth HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
  )
  expect(absolute).toMatch(/^HTTP\/1\.1 200 [^]*\{"status":"ok","digest":"\w{16}"\}$/)
  const { accounts } = await stateOf(url)
  const feed = `${url}/v1/${accounts[0].id}/posts`
  const preflight = await fetch(feed, {
    method: 'OPTIONS',
    headers: { origin: 'http://localhost:5173', 'access-control-request-method': 'GET' },
  })
  expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([
    204,
    'http://localhost:5173',
  ])
  expect(
    (
      await fetch(feed, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: 'x'.repeat(3_000_000),
      })
    ).status,
  ).toBe(401)
  expect((await fetch(`${url}/health`)).status).toBe(200)
})

it('requires the token for the control plane, and prints a command with the token', async () => {
  const { url, printed } = await serveCommand(
    '--scenario',
    'solo',
    '--control-token',
    "it's secret",
  )
  expect((await fetch(`${url}/_sandbox/state`)).status).toBe(401)
  const line = printed.split('\n').find((candidate) => candidate.includes('/_sandbox/clock')) ?? ''
  expect(JSON.parse((await shell(line)).stdout)).toMatchObject({ mode: 'running' })
})

it('reads the token from the environment, and does not print it', async () => {
  vi.stubEnv('SANDBOX_TOKEN', 'from the environment')
  onTestFinished(() => void vi.unstubAllEnvs())
  const { url, printed } = await serveCommand(
    '--control-token-env',
    'SANDBOX_TOKEN',
    '--scenario',
    'solo',
  )
  const ask = async (token: string) =>
    (await fetch(`${url}/_sandbox/state`, { headers: { authorization: `Bearer ${token}` } })).status
  expect([await ask('SANDBOX_TOKEN'), await ask('from the environment')]).toEqual([401, 200])
  expect(printed).not.toContain('from the environment')
  const line = printed.split('\n').find((candidate) => candidate.includes('/_sandbox/clock')) ?? ''
  expect(JSON.parse((await shell(line)).stdout)).toMatchObject({ mode: 'running' })
})

it('denies foreign hosts access to the control plane', async () => {
  const { url } = await serveCommand('--scenario', 'solo')
  expect(
    await sendRaw(
      url,
      'GET /_sandbox/state HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n',
    ),
  ).toMatch(/^HTTP\/1\.1 403 /)
})

it('varies responses with --variation, also in a restored world', async () => {
  const flags = [
    '--scenario',
    'solo',
    '--quiet',
    '--state',
    join(createTemporaryFolder(), 'state.json'),
  ]
  const lastPage = async (...others: string[]) => {
    const { url, stop } = await serveCommand(...flags, ...others)
    const { keys, accounts } = await (await fetch(`${url}/_sandbox/state`)).json()
    const response = await fetch(`${url}/v1/${accounts[0].id}/posts?limit=100`, {
      headers: { authorization: `Bearer ${keys[0].key}` },
    })
    const answer = await response.json()
    await stop()
    return answer._pagination
  }
  expect(await lastPage()).toBeUndefined()
  expect(await lastPage('--variation', '7:null-next-page')).toEqual({ next_page: null })
})
