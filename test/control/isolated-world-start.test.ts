import { createSandbox } from 'creator-api-sandbox'
import type { Scenario } from 'creator-api-sandbox'
import { expect, it, vi } from 'vitest'
import type { WorldJson } from '../../src/world/snapshot/snapshot.ts'
import { solo } from '../support/scenarios.ts'
import { expectSameText } from '../support/expectations.ts'
import { createFreshSandbox } from '../support/client.ts'

/** Returns all records of a world, except records that contain secrets. */
const tablesOf = ({ tables }: WorldJson) =>
  JSON.stringify({ ...tables, apiKeys: [], linkShares: [] })

it('starts at the current time, with all due effects on the seeded data, regardless of other worlds', async () => {
  const sandbox = await createFreshSandbox()
  const untouched = sandbox.fork()
  for (const duration of ['20d', '1h', '7d']) {
    sandbox.act([{ type: 'tip', amount: 20 }, { type: 'session.lapse' }])
    sandbox.clock.advance(duration)
    untouched.clock.advance(duration)
    const { id } = sandbox.control.createWorld()
    const world = sandbox.control.world(id)
    expect(world.state().clock).toEqual(sandbox.clock.state())
    expectSameText(tablesOf(world.snapshot()), tablesOf(untouched.snapshot()), `the world ${id}`)
  }
  expect(sandbox.control.world('w1').state().clock.now).not.toBe(sandbox.clock.iso())
})

it('starts at the current position of the story, and resets to its own start', async () => {
  const leap = { type: 'clock.advance', by: '25h' } as const
  const timeline: Scenario['timeline'] = [
    { at: '1m', do: [{ type: 'tip', account_id: 7 }, leap] },
    { at: '+1m', chapter: 'Tuesday', do: { type: 'subscriber.new', account_id: 7 } },
    { at: '+1m', every: '10s', times: 3, do: [{ type: 'tip', account_id: 7 }, leap] },
  ]
  const sandbox = createSandbox({ scenario: { ...solo, timeline } })
  await sandbox.ready
  const seeded = tablesOf(sandbox.snapshot())
  for (const until of ['Tuesday', undefined]) {
    await sandbox.play({ until })
    const world = sandbox.control.world(sandbox.control.createWorld().id)
    expect(world.replay()).toMatchObject({ at_ms: sandbox.control.replay().at_ms, problems: [] })
    expect(world.state().clock.now).toBe(sandbox.clock.iso())
    const place = `the world at ${until ?? 'the end'}`
    expectSameText(tablesOf(world.snapshot()), tablesOf(sandbox.snapshot()), place)
  }
  await sandbox.reset()
  const fresh = sandbox.control.world(sandbox.control.createWorld().id)
  expectSameText(tablesOf(fresh.snapshot()), seeded, 'the world after the reset')
})

it('runs its clock if the main clock runs, and resets to its own start', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  const sandbox = await createFreshSandbox('empty', { clock: 'running', rate: 60 })
  vi.setSystemTime(Date.now() + 60_000)
  const made = sandbox.clock.iso()
  const world = sandbox.control.world(sandbox.control.createWorld().id)
  vi.setSystemTime(Date.now() + 1000)
  expect(world.state().clock).toEqual({ ...sandbox.clock.state(), mode: 'running', rate: 60 })
  await world.reset()
  expect(world.state().clock).toEqual({ now: made, mode: 'running', rate: 60 })
})
