import { startServer } from 'creator-api-sandbox/server'
import { expect, it } from 'vitest'

const statusOf = async (url: string, key?: string) =>
  (await fetch(url, { headers: { authorization: `Bearer ${key}` } })).status

it('serves a sandbox with a frozen clock until it is stopped', async () => {
  const { url, sandbox, stop } = await startServer({ port: 0, scenario: 'solo', seed: 5 })
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
  expect(sandbox.baseUrl).toBe(url)
  const [account] = sandbox.db.accounts.all()
  expect(await statusOf(`${url}/v1/${account?.id}/posts`, sandbox.keys['owner'])).toBe(200)
  expect(await (await fetch(`${url}/_sandbox/state`)).json()).toMatchObject({
    scenario: 'solo',
    seed: 5,
    clock: { mode: 'frozen' },
  })
  expect(await statusOf(`${url}/docs`)).toBe(200)
  await Promise.all([stop(), stop()])
  await expect(fetch(`${url}/health`)).rejects.toThrow('fetch failed')
  expect(() => sandbox.db).toThrow('it is closed')
})

it('uses real time, and reports an invalid option at the line of the call', async () => {
  await using server = await startServer({ port: 0, scenario: 'empty' })
  await fetch(`${server.url}/health`)
  expect(Date.parse(server.sandbox.control.requests()[0]?.real_at ?? '')).toBeGreaterThan(
    Date.now() - 60_000,
  )
  const refused = await startServer({ port: -1 }).catch(
    (error: Error) => error.stack?.split('\n')[1],
  )
  expect(refused).toContain('start.test.ts')
})

it('stops at the end of a block', async () => {
  let address = ''
  {
    await using server = await startServer({ port: 0, scenario: 'empty' })
    address = server.url
    expect(await statusOf(`${address}/health`)).toBe(200)
  }
  await expect(fetch(`${address}/health`)).rejects.toThrow('fetch failed')
})

it('reports the same digest on each server with the same options', async () => {
  const digestOf = async (options: object) => {
    await using server = await startServer({ port: 0, scenario: 'empty', ...options })
    const health = async () => (await fetch(`${server.url}/health`)).json()
    const { digest } = await health()
    await server.sandbox.control.loadScenario({ name: 'solo' })
    expect((await health()).digest).not.toBe(digest)
    return digest
  }
  const digest = await digestOf({})
  expect(digest).toMatch(/^[\da-f]{16}$/)
  expect(await digestOf({ keys: 'random' })).toBe(digest)
  for (const other of [
    { seed: 5 },
    { now: 'today' },
    { scenario: 'agency' },
    { noGuesses: true },
    { clock: 'running' },
  ])
    expect(await digestOf(other)).not.toBe(digest)
})

it('does not add health checks of a load balancer to the journals', async () => {
  await using server = await startServer({ port: 0, scenario: 'empty' })
  expect([
    await statusOf(`${server.url}/health?ready`),
    await statusOf(`${server.url}/health`),
  ]).toEqual([200, 200])
  expect(server.sandbox.requests.map(({ path }) => path)).toEqual(['/health'])
})

it('accepts the options of a sandbox and of a server', async () => {
  await using server = await startServer({
    port: 0,
    scenario: 'empty',
    baseUrl: 'https://api.example.test/',
    keys: { owner: 'mine' },
    controlToken: 'secret',
    allowHosts: ['box.internal'],
  })
  expect(server.sandbox).toMatchObject({
    baseUrl: 'https://api.example.test',
    keys: { owner: 'mine' },
  })
  expect([
    await statusOf(`${server.url}/_sandbox/state`),
    await statusOf(`${server.url}/_sandbox/state`, 'secret'),
  ]).toEqual([401, 200])
})

it.each([
  [{ port: 70_000 }, 'Failed to start the server (port: 70000): it must be at most 65535.'],
  [{ host: '' }, 'Failed to start the server (host: ""): it must have at least 1 characters.'],
  [{ host: '0.0.0.0' }, 'Failed to serve on 0.0.0.0: its control plane would be open to the'],
  [{ colour: 'red' }, 'Failed to create the sandbox (colour: "red"): there is no such field.'],
  [{ scenario: 'nowhere' }, 'Failed to load the scenario'],
])('refuses %j', async (options, message) => {
  await expect(startServer({ port: 0, ...options })).rejects.toThrow(message)
})
