import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it, onTestFinished, vi } from 'vitest'
import {
  expectRefusal,
  runInProcess,
  runUntilExit,
  serveCommand,
  createTemporaryFolder,
} from '../support/command.ts'
import { sendRaw } from '../support/server.ts'

const shell = (line: string) =>
  promisify(execFile)('sh', ['-c', line.replace('curl ', 'curl --silent --show-error --fail ')])
const solo = ['--scenario', 'solo']

it('prints its URL, keys, and three commands that work when pasted', async () => {
  const { url, printed, stop, control } = await serveCommand()
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
  expect(printed).toContain(`${url}/_sandbox/`)
  const state = await control('state')
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
  expect(await stop()).toEqual({ code: 0, stdout: printed, stderr: '' })
})

it('exits with an error if the data does not fit into the memory limit', async () => {
  const file = join(createTemporaryFolder(), 'many.yaml')
  const accounts = [1, 2].map((id) => ({ id, username: `u${id}`, name: 'U', data: { posts: 1e6 } }))
  const organisations = [{ name: 'A', roles: { owner: ['*'] }, accounts }]
  writeFileSync(file, JSON.stringify({ name: 'two', now: '2026-10-01T09:00:00Z', organisations }))
  const flags = ['--scenario', file, '--max-memory', '16', '--port', '0']
  const { code, stderr } = await runUntilExit(...flags)
  expect(code).toBe(2)
  expect(stderr).toContain('it would exceed the memory limit of 16 MB')
})

it('accepts scenario, seed, start, clock and rate', async () => {
  const start = ['--seed=-3', '--now', '2026-01-02T03:04:05Z', '--clock', 'frozen']
  const { control } = await serveCommand(...solo, ...start)
  expect(await control('state')).toMatchObject({
    scenario: 'solo',
    seed: -3,
    clock: { now: '2026-01-02T03:04:05.000Z', mode: 'frozen' },
  })
  const running = await serveCommand(...solo, '--rate', '0.5')
  expect(await running.control('state')).toMatchObject({ clock: { mode: 'running', rate: 0.5 } })
})

it.each([
  [[], [200, 200, 200]],
  [['--no-guesses'], [200, 200, 404]],
  [['--only-documented'], [200, 404, 404]],
])(
  'with %j, documented, published and inferred routes return the statuses %j',
  async (flags, expected) => {
    const { api } = await serveCommand(...solo, ...flags)
    const answers = await Promise.all(
      ['posts', 'user-lists', 'subscribers/counts'].map((path) => api(`/v1/ACCOUNT/${path}`)),
    )
    expect(answers.map(({ status }) => status)).toEqual(expected)
  },
)

it('uses the given base URL in media links', async () => {
  const flags = ['--base-url', 'https://api.example.test/', '--quiet']
  const { url, printed } = await serveCommand(...solo, ...flags)
  expect(printed).toBe('https://api.example.test\n')
  expect(url).toBe('https://api.example.test')
})

it.each([
  [['--colour', 'red'], "unknown option '--colour'"],
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
  [['--clock', 'frozen', '--rate', '5'], '--rate 5: with --clock frozen the clock does not run'],
])('rejects %j in one line with exit code 2', (flags, text) =>
  expectRefusal(['--port', '0', ...flags], text),
)

it('prints one line and exits with 1 if the port is taken', async () => {
  const { port } = new URL((await serveCommand(...solo)).url)
  expect(await runInProcess(...solo, '--port', port)).toEqual({
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
  for (const flag of ['--port', '--host', '--scenario', '--state', '--control-token', '--quiet'])
    expect(help.stdout).toContain(flag)
  expect(help.stdout.replace(/\s+/g, ' ')).toContain(
    'The same seed and start always produce the same data',
  )
  expect(await runInProcess('help')).toEqual(help)
  expect((await runInProcess('help', 'replay')).stdout).toContain(
    'Usage: creator-api-sandbox replay [options] <scenario>',
  )
  expect((await runInProcess('--version')).stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
})

it('logs unknown paths on stderr, with similar routes', async () => {
  const { api, stop } = await serveCommand(...solo)
  await api('/v1/ACCOUNT/post')
  expect((await stop()).stderr).toContain('similar routes: GET /v1/:account_id/posts')
})

// Only statuses from the reference are allowed, so 408, 414, 417 and 431 are not.
const tooLarge =
  /^HTTP\/1\.1 400 [^]*\{"error":"The URL and the headers of the request are larger than 16384 bytes\."\}$/

it('responds to malformed HTTP and large headers, and keeps running', async () => {
  const { url } = await serveCommand(...solo)
  const long = 'x'.repeat(20_000)
  const close = 'Host: x\r\nConnection: close'
  for (const [head, answer] of [
    ['hello', /^HTTP\/1\.1 400 [^]*\{"error":"The request is not well-formed HTTP\."\}$/],
    [`GET / HTTP/1.1\r\nHost: x\r\nX-Large: ${long}`, tooLarge],
    [`GET /v1/${long} HTTP/1.1\r\nHost: x`, tooLarge],
    [`GET /health HTTP/1.1\r\nExpect: more\r\n${close}`, /^HTTP\/1\.1 200 /],
    ['GET /health HTTP/1.1', /^HTTP\/1\.1 400 [^]*\{"error":"The request has no Host header\."\}$/],
    [`HEAD /health HTTP/1.1\r\n${close}`, /^HTTP\/1\.1 200 [^]*Length: \d{2}\r\n/i],
    [
      `GET ${url}/h%65alth HTTP/1.1\r\n${close}`,
      /^HTTP\/1\.1 200 [^]*\{"status":"ok","digest":"\w{16}"\}$/,
    ],
  ] as const)
    expect(await sendRaw(url, `${head}\r\n\r\n`)).toMatch(answer)
  expect((await fetch(`${url}/health`)).status).toBe(200)
})

it.each([
  ['prints a command with the token', '--control-token', "it's secret"],
  ['reads it from the environment, and does not print it', '--control-token-env', 'SANDBOX_TOKEN'],
])('requires the token for the control plane, and %s', async (_, flag, value) => {
  vi.stubEnv('SANDBOX_TOKEN', 'from the environment')
  onTestFinished(() => void vi.unstubAllEnvs())
  const { url, printed } = await serveCommand(...solo, flag, value)
  expect((await fetch(`${url}/_sandbox/state`)).status).toBe(401)
  expect(printed).not.toContain('from the environment')
  const line = printed.split('\n').find((candidate) => candidate.includes('/_sandbox/clock')) ?? ''
  expect(JSON.parse((await shell(line)).stdout)).toMatchObject({ mode: 'running' })
})

it('varies responses with --variation, also in a restored world', async () => {
  const flags = [...solo, '--quiet', '--state', join(createTemporaryFolder(), 'state.json')]
  const lastPage = async (...others: string[]) => {
    const { api, stop } = await serveCommand(...flags, ...others)
    const answer = await (await api('/v1/ACCOUNT/posts?limit=100')).json()
    await stop()
    return answer._pagination
  }
  expect(await lastPage()).toBeUndefined()
  expect(await lastPage('--variation', '7:null-next-page')).toEqual({ next_page: null })
})
