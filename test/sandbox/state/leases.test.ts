import { beforeEach, expect, it, vi } from 'vitest'
import { Leases } from '../../../src/sandbox/state/leases.ts'
import { createMemoryLeases } from '../../support/memory-store.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] })
})

/** Opens two servers that share a store, and a clock that the test moves. */
function openServers() {
  const time = { now: 1_000_000 }
  const owners = createMemoryLeases(() => time.now)
  const open = (name: string) => {
    const events: string[] = []
    const used = new Set<string>()
    const store = owners.open(name)
    const leases = new Leases(store, {
      now: () => time.now,
      host: {
        isUsed: (id) => used.has(id),
        onAcquired: (id, isStored) => {
          events.push(`took ${id}${isStored ? '' : ', not stored'}`)
          used.add(id)
        },
        unload: async (id) => {
          events.push(`left ${id}`)
          used.delete(id)
        },
        onLost: (id) => events.push(`lost ${id}`),
        onRenewed: () => {},
        onFailure: (error) => events.push(`failed: ${(error as Error).message}`),
      },
    })
    return { store, leases, events, used }
  }
  return {
    first: open('first'),
    second: open('second'),
    owners,
    async pass(ms: number) {
      for (let passed = 0; passed < ms; passed += 50) {
        time.now += 50
        await vi.advanceTimersByTimeAsync(50)
      }
    },
    /** Advances time without running timers, as if the process were paused. */
    pause(ms: number) {
      time.now += ms
    },
  }
}

it('takes a world only once for all requests that arrive at the same time', async () => {
  const { first } = openServers()
  await Promise.all([first.leases.acquire('_a'), first.leases.acquire('_a')])
  expect(first.events).toEqual(['took _a, not stored'])
  expect(first.leases.count).toBe(1)
})

it('hands a world over within a second, after the running request', async () => {
  const { first, second, pass } = openServers()
  const use = await first.leases.acquire('_a')
  const taken = second.leases.acquire('_a')
  await pass(200)
  expect(first.events).not.toContain('left _a')
  use.check()
  use.release()
  await pass(100)
  ;(await taken).check()
  expect(first.events).toContain('left _a')
  expect(first.leases.has('_a')).toBe(false)
})

it('does not hand over a world that is being restored for a request', async () => {
  const { first, second, pass } = openServers()
  const use = await first.leases.acquire('_a')
  first.used.delete('_a')
  const taken = second.leases.acquire('_a')
  await pass(2_000)
  expect(first.leases.has('_a')).toBe(true)
  first.used.add('_a')
  use.release()
  await pass(100)
  ;(await taken).check()
})

it('does not wait longer than a second for a slow request, which is then rejected', async () => {
  const { first, second, pass } = openServers()
  const use = await first.leases.acquire('_a')
  const taken = second.leases.acquire('_a')
  await pass(1_200)
  ;(await taken).check()
  expect(() => use.check()).toThrow('the world a: another server took it')
})

it('keeps a world that could not be saved, and rejects the requests that were running', async () => {
  const { first, second, owners, pass } = openServers()
  const use = await first.leases.acquire('_a')
  owners.failure = new Error('Redis cannot be reached')
  const taken = expect(second.leases.acquire('_a')).rejects.toThrow('Redis cannot be reached')
  first.store.onLeaseRequested('_a')
  await pass(1_200)
  await taken
  expect(first.events.at(-1)).toBe('failed: Redis cannot be reached')
  expect(() => use.check()).toThrow('another server took it')
  expect(first.leases.has('_a')).toBe(true)
})

it('takes over the world of a server that died within 12 s', async () => {
  const { first, second, pass } = openServers()
  await first.leases.acquire('_a')
  first.leases.close()
  const taken = second.leases.acquire('_a')
  await pass(10_100)
  ;(await taken).check()
})

it('gives up after 12 s, and names the owner', async () => {
  const { first, second, pass } = openServers()
  await first.leases.acquire('_a')
  first.store.onLeaseRequested = () => {}
  const taken = expect(second.leases.acquire('_a')).rejects.toThrow(
    'Failed to use the world a: the server first has it. Send the request again.',
  )
  await pass(12_100)
  await taken
})

it('measures the age of a lease from when its renewal was sent, and rejects responses after 7 s', async () => {
  const { first, owners, pass } = openServers()
  const use = await first.leases.acquire('_a')
  await pass(60_000)
  use.check()
  const finish = owners.holdReplies()
  await pass(3_000)
  use.check()
  await pass(7_000)
  expect(() => use.check()).toThrow(/has not reached the store for \d+ s/)
  await expect(first.leases.acquire('_a')).rejects.toThrow('Until the store is available again')
  finish()
  await pass(0)
  // The reply only confirms that the lease was renewed when the request was sent.
  expect(() => use.check()).toThrow('has not reached the store')
  await pass(3_000)
  use.check()
  expect(first.events).toEqual(['took _a, not stored'])
})

it('renews the lease of a paused server if no other server has taken the world, and otherwise loses it', async () => {
  const { first, second, pass, pause } = openServers()
  const uses = await Promise.all([first.leases.acquire('_a'), first.leases.acquire('_b')])
  pause(15_000)
  for (const use of uses) expect(() => use.check()).toThrow('has not reached the store for 15 s')
  await second.leases.acquire('_b')
  await pass(500)
  uses[0].check()
  expect(() => uses[1].check()).toThrow('another server took it')
  expect(first.events).toContain('lost _b')
  expect(first.leases.count).toBe(1)
})

it('releases a world that was removed from memory and that no request uses', async () => {
  const { first, owners, pass } = openServers()
  const use = await first.leases.acquire('_a')
  first.used.delete('_a')
  await pass(7_000)
  expect(owners.getOwner('_a')).toBe('first')
  use.release()
  await pass(3_500)
  expect(owners.getOwner('_a')).toBeUndefined()
  expect(first.leases.count).toBe(0)
})

it('takes a world at startup only if no other server has it', async () => {
  const { first, second } = openServers()
  expect(await first.leases.acquireIfFree('main')).toBe(true)
  expect(await second.leases.acquireIfFree('main')).toBe(false)
  expect(first.events).toEqual(['took main, not stored'])
})
