import { createSandbox, SandboxError } from 'creator-api-sandbox'
import type { Sandbox } from 'creator-api-sandbox'
import { handlers } from 'creator-api-sandbox/msw'
import { getResponse } from 'msw'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createFreshSandbox, sendAsOwner } from '../support/client.ts'
import { createBearerHeader, openControlClient } from '../support/control.ts'
import { createManualPause, waitForIo } from '../support/pace.ts'
import { ServedSandbox } from '../../src/sandbox/served-sandbox.ts'

const account = 100_200_300
let sandbox: Sandbox

beforeEach(async () => {
  sandbox = await createFreshSandbox()
})

afterEach(() => sandbox.close())

/** Sends the creation of a post. */
function publish(to: Sandbox = sandbox): Promise<Response> {
  return to.fetch(`${to.baseUrl}/v1/${account}/posts`, createPost(to))
}

function createPost({ keys }: Sandbox): RequestInit {
  return {
    method: 'POST',
    headers: { 'x-api-key': keys.owner, 'content-type': 'application/json' },
    body: JSON.stringify({ text: 'Sent before the reset' }),
  }
}

/** Expects that nothing has happened since the reset. */
function expectSeeded(reset: Sandbox, seeded: unknown): void {
  expect(reset.snapshot()).toEqual(seeded)
  expect(reset.requests).toEqual([])
}

it('resets before it returns, so what the test creates next stays', async () => {
  const seeded = sandbox.snapshot()
  sandbox.make.post({ text: 'Before' })
  const fault = sandbox.faults.add({ status: 502 })
  const reset = sandbox.reset()
  expectSeeded(sandbox, seeded)
  const post = sandbox.make.post({ text: 'After' })
  sandbox.act({ type: 'tip', account_id: account })
  sandbox.faults.add({ status: 503 })
  sandbox.clock.advance('1h')
  const made = sandbox.snapshot()
  expect(await reset).toEqual({ unfiredFaults: [expect.objectContaining({ id: fault.id })] })
  expect(sandbox.snapshot()).toEqual(made)
  expect(sandbox.db.posts.get(post.id)).toBeDefined()
})

it('resets an isolated world before it returns', async () => {
  const world = sandbox.world('worker-1')
  const seeded = world.snapshot()
  world.make.post({})
  void world.reset()
  expectSeeded(world, seeded)
})

it('finishes a long operation, and resets before it returns', async () => {
  const { sandbox: served, ask } = await openControlClient({ scenario: 'launch-day' })
  const seeded = served.snapshot()
  const { pace, step, go } = createManualPause()
  new ServedSandbox(served).follow(pace)
  const seeking = ask('POST', '/_sandbox/replay', { body: { command: 'seek', to: '3m' } })
  await step()
  expect(served.control.state().busy).toBe('seeking')
  void served.reset()
  served.make.post({})
  const made = served.snapshot()
  expect(made).not.toEqual(seeded)
  await go()
  expect((await seeking).status).toBe(200)
  expect(served.snapshot()).toEqual(made)
})

it('resets over HTTP after the requests that were waiting', async () => {
  const { sandbox: served, ask } = await openControlClient({ scenario: 'launch-day' })
  const seeded = served.snapshot()
  const { pace, step, go } = createManualPause()
  new ServedSandbox(served).follow(pace)
  const path = `/v1/${served.accounts[0]?.id}/posts`
  const seeking = ask('POST', '/_sandbox/replay', { body: { command: 'seek', to: '3m' } })
  await step()
  const list = ask('GET', path, createBearerHeader(served.keys.owner))
  const reset = ask('POST', '/_sandbox/reset')
  await waitForIo()
  expect(() => served.make.post({})).toThrow('Await reset() first.')
  await go()
  expect([(await seeking).status, (await list).status, (await reset).status]).toEqual([
    200, 200, 200,
  ])
  expectSeeded(served, seeded)
})

it('rejects instead of throwing', async () => {
  const unready = createSandbox({ scenario: './no-such-file.yaml' })
  await expect(unready.reset()).rejects.toThrow('no-such-file.yaml')
  sandbox.close()
  const resetting = sandbox.reset()
  await expect(resetting).rejects.toThrow(SandboxError)
})

it('resets before ready without removing what the test creates after ready', async () => {
  const early = createSandbox({ scenario: 'solo' })
  void early.reset()
  await early.ready
  const post = early.make.post({})
  expect(early.db.posts.get(post.id)).toBeDefined()
})

it.each([
  ['its body is read', {}],
  ['a fault delays it', { delay_ms: 60_000 }],
  ['a fault delays its response', { delay_ms: 60_000, applied: true }],
])(
  'answers a request of which %s during the reset, without changing the state',
  async (_, fault) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const seeded = sandbox.snapshot()
    for (const world of [sandbox, sandbox.world('worker-1')]) {
      if ('delay_ms' in fault) world.faults.add(fault)
      const answer = publish(world)
      if ('delay_ms' in fault) await expect.poll(() => vi.getTimerCount()).toBe(1)
      void world.reset()
      await vi.advanceTimersByTimeAsync(60_000)
      expect((await answer).status).toBe(200)
      expect(world.requests).toEqual([])
      expect(world.db.posts.where({ rawText: 'Sent before the reset' })).toEqual([])
    }
    expectSeeded(sandbox, seeded)
  },
)

it('answers a request that MSW received before the reset, without changing the state', async () => {
  const seeded = sandbox.snapshot()
  const request = new Request(`${sandbox.baseUrl}/v1/${account}/posts`, createPost(sandbox))
  const read = vi.spyOn(Request.prototype, 'arrayBuffer')
  const answer = getResponse(handlers(sandbox), request)
  await expect.poll(() => read).toHaveBeenCalled()
  void sandbox.reset()
  expect((await answer)?.status).toBe(200)
  expectSeeded(sandbox, seeded)
})

it('answers uploads and media of before the reset, without changing the state', async () => {
  const seeded = sandbox.snapshot()
  const { body } = await sendAsOwner(sandbox, 'GET', `/v1/${account}/vault/media?limit=1`)
  const answer = sandbox.fetch(body.data.list[0].files.full.url)
  void sandbox.reset()
  expect((await answer).status).toBe(200)
  expectSeeded(sandbox, seeded)
})

const replacing: [string, string, (from: Sandbox) => Promise<unknown>][] = [
  ['load', 'loadScenario', ({ control }) => control.loadScenario({ name: 'solo', seed: 3 })],
  ['restore', 'restore', (from) => from.restore(from.snapshot())],
  ['restore a named snapshot', 'restore', ({ control }) => control.restoreSnapshot('kept')],
]

it.each(replacing)('rejects direct use until a %s settles', async (_, method, replace) => {
  sandbox.control.keepSnapshot({ name: 'kept' })
  const replaced = replace(sandbox)
  const uses: (() => unknown)[] = [
    () => sandbox.make.post({}),
    () => sandbox.act({ type: 'tip' }),
    () => sandbox.db,
    () => sandbox.clock,
    () => sandbox.faults.add({ status: 502 }),
    () => sandbox.faults.list(),
    () => sandbox.control.clock({ advance: '1h' }),
    () => sandbox.control.insertRecord('posts', {}),
    () => sandbox.check(),
    () => sandbox.seek('1s'),
    () => sandbox.fork(),
  ]
  for (const use of uses) expect(use, String(use)).toThrow(`Await ${method}() first.`)
  const waiting = publish()
  const reset = sandbox.reset()
  expect(() => sandbox.db).toThrow(`Await ${method}() first.`)
  await Promise.all([replaced, reset])
  expect((await waiting).status).toBe(200)
  expect(sandbox.requests).toEqual([])
  sandbox.make.post({})
})

it('allows direct use after a load or restore fails', async () => {
  await expect(sandbox.control.loadScenario({ name: 'nowhere' })).rejects.toThrow(SandboxError)
  expect(sandbox.make.post({}).id).toBeGreaterThan(0)
  await expect(sandbox.restore({})).rejects.toThrow(SandboxError)
  expect(sandbox.make.post({}).id).toBeGreaterThan(0)
})
