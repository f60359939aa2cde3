import { createSandbox } from 'creator-api-sandbox'
import type { Sandbox } from 'creator-api-sandbox'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import '../../src/audit/audit.ts'
import { ServedSandbox } from '../../src/sandbox/served-sandbox.ts'
import { serveCommand } from '../support/command.ts'
import { createFreshSandbox } from '../support/client.ts'

/** Sends a GET request with the owner's key to the world with the given name. */
async function get({ sandbox, path, world }: { sandbox: Sandbox; path: string; world?: string }) {
  const key = sandbox.keys.owner + (world === undefined ? '' : `~${world}`)
  await sandbox.fetch(`${sandbox.baseUrl}${path}`, { headers: { 'x-api-key': key } })
  await settle()
}

const settle = () => new Promise((resolve) => setImmediate(resolve))

/** Creates a sandbox with warnings and collects its output. */
async function openWarning(options: { warn?: boolean } = { warn: true }) {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  const sandbox = createSandbox({ scenario: 'solo', ...options })
  await sandbox.ready
  return { sandbox, lines: () => warn.mock.calls.map(([line]) => String(line)) }
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

it('prints each kind of mistake once per route', async () => {
  const { sandbox, lines } = await openWarning()
  await get({ sandbox, path: '/v1/tags?limt=5' })
  await get({ sandbox, path: '/v1/tags?limt=6' })
  await get({ sandbox, path: '/v1/tags?limt=7', world: 'other' })
  expect(lines()).toEqual([
    expect.stringMatching(/^Warning: .*limt.* \(ignored-parameter, request 1\)$/),
  ])
  await get({ sandbox, path: '/v1/accounts?limt=5' })
  expect(lines()).toHaveLength(2)
})

it('prints at most 20 lines', async () => {
  const { sandbox, lines } = await openWarning()
  for (let count = 0; count < 30; count += 1) await get({ sandbox, path: `/v1/unknown${count}/x` })
  const { accounts } = sandbox
  for (const route of sandbox.control.routes().slice(0, 60))
    if (route.startsWith('GET /v1/:account_id'))
      await get({
        sandbox,
        path: `${route.slice(4).replace(':account_id', String(accounts[0]?.id))}?limt=1`,
      })
  expect(lines()).toHaveLength(20)
})

it('prints nothing for a correct client, or without the option', async () => {
  const correct = await openWarning()
  await get({ sandbox: correct.sandbox, path: '/v1/tags' })
  const silent = await openWarning({})
  await get({ sandbox: silent.sandbox, path: '/v1/tags?limt=5' })
  expect([...correct.lines(), ...silent.lines()]).toEqual([])
})

it('warns after a reset, although the ids of requests start again at 1', async () => {
  const sandbox = await createFreshSandbox()
  const served = new ServedSandbox(sandbox)
  const lines: string[] = []
  for (let count = 0; count < 3; count += 1) await get({ sandbox, path: '/v1/tags' })
  await served.warn((line) => lines.push(line))
  await sandbox.reset()
  await get({ sandbox, path: '/v1/tags?limt=5' })
  await served.warn((line) => lines.push(line))
  expect(lines).toEqual([expect.stringContaining('limt')])
})

it('skips a world that is closed while another one is checked', async () => {
  const sandbox = await createFreshSandbox()
  for (const world of ['a', 'b']) await get({ sandbox, path: '/v1/tags?limt=5', world })
  const warned = new ServedSandbox(sandbox).warn(() => {})
  for (const world of ['a', 'b']) sandbox.world(world).close()
  await expect(warned).resolves.toBeUndefined()
})

it('writes the warnings of the last second when the server stops', async () => {
  const { api, stop } = await serveCommand('--scenario', 'solo')
  await api('/v1/tags?limt=5')
  expect((await stop()).stderr).toMatch(/^Warning: .*limt.* \(ignored-parameter, request 1\)/m)
})

it.each([
  [
    [],
    /^Warning: .*limt.* \(ignored-parameter, request 1\) http:\/\/127.0.0.1:\d+\/_sandbox\/\?world=w#requests\/1$/m,
  ],
  [['--no-warnings'], /^$/],
  [['--quiet'], /^$/],
])(
  'writes the warnings of a server to stderr with the console URL: %j',
  async (flags, expected) => {
    const { url, control, stop } = await serveCommand('--scenario', 'solo', ...flags)
    const { keys } = await control('state')
    await fetch(`${url}/v1/tags?limt=5`, { headers: { 'x-api-key': `${keys[0].key}~w` } })
    vi.advanceTimersByTime(1_000)
    await settle()
    expect((await stop()).stderr).toMatch(expected)
  },
)
