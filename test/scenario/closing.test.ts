import { createSandbox, SandboxError } from 'creator-api-sandbox'
import type { Sandbox } from 'creator-api-sandbox'
import { expect, it, onTestFinished, vi } from 'vitest'
import { createFreshSandbox, sendAsOwner } from '../support/client.ts'
import { createRouting } from '../../src/hosts/server/routing.ts'
import { ServedSandbox } from '../../src/sandbox/served-sandbox.ts'

const closed = 'Failed to use the sandbox: it is closed. Create another one with createSandbox.'
const call = { method: 'GET', url: '/health', header: () => null, body: null }

it('rejects all calls after it is closed', async () => {
  const sandbox = await createFreshSandbox()
  const { clock, control, db } = sandbox
  sandbox.close()
  sandbox.close()
  const uses: ((closedSandbox: Sandbox) => unknown)[] = [
    (each) => each.ready,
    (each) => each.keys,
    (each) => each.baseUrl,
    (each) => each.clock,
    (each) => each.db,
    (each) => each.requests,
    (each) => each.faults.list(),
    (each) => each.act([]),
    (each) => each.check(),
    (each) => each.play(),
    (each) => each.seek('1s'),
    (each) => each.handle(call),
    (each) => each.fetch('https://api.example.test/health'),
    (each) => each.reset(),
    (each) => each.snapshot(),
    (each) => each.restore({}),
    (each) => each.fork(),
    () => control.state(),
    () => control.actions(),
    () => control.routes(),
    () => control.scenarios(),
    () => control.worlds(),
    () => control.createWorld(),
    () => control.happenings(),
    () => control.loadScenario({ name: 'empty' }),
  ]
  for (const use of uses)
    await expect((async () => use(sandbox))(), String(use)).rejects.toThrow(closed)
  expect(control.isClosed()).toBe(true)
  // Values read before closing can still be used.
  expect([clock.mode, db.posts.size > 0]).toEqual(['frozen', true])
})

it('ends delayed responses, also in its worlds, so that no timer keeps the process alive', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const sandbox = await createFreshSandbox()
  const answers = [sandbox, sandbox.world('other')].flatMap((world) =>
    [false, true].map((applied) => {
      world.faults.add({ delay_ms: 600_000, times: 1, applied })
      return sendAsOwner(world, 'GET', '/v1/accounts')
    }),
  )
  const outcomes = Promise.allSettled(answers)
  await expect.poll(() => vi.getTimerCount()).toBe(4)
  sandbox.close()
  expect(vi.getTimerCount()).toBe(0)
  for (const outcome of await outcomes) expect(outcome).toMatchObject({ value: { status: 200 } })
})

it('ends delays of the variation slow-answers and calls of waitForRequest', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const sandbox = createSandbox({
    scenario: 'solo',
    variation: { seed: 1, only: ['slow-answers'], delayMs: 60_000 },
  })
  await sandbox.ready
  const timersBefore = vi.getTimerCount()
  const [account] = sandbox.accounts
  const answers = [sandbox, sandbox.world('other')].map((world) =>
    sendAsOwner(world, 'GET', `/v1/${account?.id}/posts`),
  )
  const outcomes = Promise.allSettled(answers)
  const waits = [sandbox, sandbox.world('other')].map((world) =>
    world.waitForRequest({ method: 'PATCH' }),
  )
  const ends = Promise.allSettled(waits)
  await expect.poll(() => vi.getTimerCount()).toBe(timersBefore + 4)
  sandbox.close()
  expect(vi.getTimerCount()).toBe(timersBefore)
  for (const outcome of await outcomes) expect(outcome).toMatchObject({ value: { status: 200 } })
  for (const end of await ends)
    expect(end).toMatchObject({
      reason: {
        message:
          'Failed to wait for {"method":"PATCH"}: the sandbox was closed before such a request ' +
          'arrived.',
      },
    })
})

it('closes at the end of a block, and leaves forks open', async () => {
  let [kept, fork]: (Sandbox | undefined)[] = []
  {
    using sandbox = createSandbox({ scenario: 'empty' })
    await sandbox.ready
    kept = sandbox
    fork = sandbox.fork()
  }
  expect(() => kept?.db).toThrow(SandboxError)
  expect(fork?.db.accounts.size).toBe(1)
})

it('ends stories, worlds and event streams, and completes requests in progress', async () => {
  vi.useFakeTimers()
  const sandbox = await createFreshSandbox('launch-day')
  const { id } = sandbox.control.createWorld()
  const world = sandbox.control.world(id)
  const [write, end] = [vi.fn(), vi.fn()]
  const { stream } = await createRouting(new ServedSandbox(sandbox), {}).handle({
    ...call,
    url: `/_sandbox/events?world=${id}`,
    header: (name) => (name === 'host' ? 'localhost' : null),
  })
  stream?.(write, end)
  const story = sandbox.play({ speed: 1 })
  vi.advanceTimersByTime(1500)
  sandbox.faults.add({ delay_ms: 5000, route: 'GET /health' })
  const answer = sandbox.handle(call)
  await vi.advanceTimersByTimeAsync(100)

  sandbox.close()
  expect(await story).toMatchObject({ status: 'playing', at_ms: 1600 })
  expect(() => world.state()).toThrow(closed)
  await vi.advanceTimersByTimeAsync(5000)
  expect((await answer).status).toBe(200)
  expect(end).toHaveBeenCalledTimes(1)
  // The sandbox has no timers left, so the story and the stream have stopped. Only the timers of
  // the sandbox are counted, because other tests may leave timers of Node.js fetch.
  write.mockClear()
  await vi.advanceTimersByTimeAsync(3_600_000)
  expect(write).not.toHaveBeenCalled()
})

it('stays closed if another scenario was being loaded', async () => {
  const sandbox = await createFreshSandbox()
  const loading = sandbox.control.loadScenario({ name: 'empty' })
  sandbox.close()
  await expect(loading).rejects.toThrow(closed)
  expect(() => sandbox.db).toThrow(closed)
})

it('plays a story without keeping the process alive', async () => {
  const sandbox = await createFreshSandbox('launch-day')
  const timers = vi.spyOn(globalThis, 'setTimeout')
  sandbox.control.replay({ command: 'play' })
  expect(timers.mock.results.map(({ value }) => (value as NodeJS.Timeout).hasRef())).toEqual([
    false,
  ])
  sandbox.close()
})
