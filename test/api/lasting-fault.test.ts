import { expect, it, vi } from 'vitest'
import { createFreshSandbox, sendAsOwner } from '../support/client.ts'

async function open() {
  const sandbox = await createFreshSandbox('solo')
  const read = async () => (await sendAsOwner(sandbox, 'GET', '/v1/tags')).status
  return { sandbox, read }
}

it('ends a fault with a duration at a sandbox time that is counted from its first hit', async () => {
  const { sandbox, read } = await open()
  sandbox.faults.add({ status: 429, lasts_ms: 60_000, after: 1 })
  expect(await read()).toBe(200)
  sandbox.clock.advance('2m')
  expect([await read(), await read()]).toEqual([429, 429])
  sandbox.clock.advance('59s')
  expect(await read()).toBe(429)
  sandbox.clock.advance('1s')
  expect(await read()).toBe(200)
  expect(sandbox.faults.list()).toEqual([])
})

it('also ends a fault by the timers of the process', async () => {
  const { sandbox, read } = await open()
  vi.useFakeTimers()
  sandbox.faults.add({ status: 429, lasts_ms: 1000 })
  expect(await read()).toBe(429)
  await vi.advanceTimersByTimeAsync(999)
  expect(await read()).toBe(429)
  await vi.advanceTimersByTimeAsync(1)
  expect(await read()).toBe(200)
})

it('does not end a later fault with the same id', async () => {
  const { sandbox, read } = await open()
  vi.useFakeTimers()
  const { id } = sandbox.faults.add({ status: 429, lasts_ms: 1000 })
  await read()
  await sandbox.reset()
  expect(sandbox.faults.add({ status: 503 }).id).toBe(id)
  await vi.advanceTimersByTimeAsync(1000)
  expect(await read()).toBe(503)
})

it('stores the time of the first hit in a snapshot', async () => {
  const { sandbox, read } = await open()
  sandbox.faults.add({ status: 429, lasts_ms: 60_000 })
  await read()
  const snapshot = sandbox.snapshot()
  sandbox.clock.advance('1h')
  expect(await read()).toBe(200)
  await sandbox.restore(snapshot)
  expect(await read()).toBe(429)
})

it('does not keep the process alive until it ends', async () => {
  const { sandbox, read } = await open()
  const countTimers = () =>
    process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
  const before = countTimers()
  sandbox.faults.add({ status: 429, lasts_ms: 86_400_000 })
  expect(await read()).toBe(429)
  expect(countTimers()).toBe(before)
})
