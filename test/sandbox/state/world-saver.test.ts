import { beforeEach, expect, it, vi } from 'vitest'
import { nodePace } from '../../../src/hosts/pace.ts'
import { createServedSandbox } from '../../../src/sandbox/create-sandbox.ts'
import { ServedSandbox } from '../../../src/sandbox/served-sandbox.ts'
import { toBaseKey, StoredBases } from '../../../src/sandbox/state/stored-bases.ts'
import { WorldSaver } from '../../../src/sandbox/state/world-saver.ts'
import type { SaveFailure } from '../../../src/sandbox/state/world-saver.ts'
import { createMemoryLeases, createMemoryStore, plainCodec } from '../../support/memory-store.ts'
import type { MemoryStore } from '../../support/memory-store.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
})

/** Opens a served sandbox with a store whose speed the test controls. */
async function openSaved({
  worldTtlMs,
  isShared = false,
  ...options
}: { worldTtlMs?: number; maxWorlds?: number; isShared?: boolean } = {}) {
  const time = { now: 1_000_000 }
  const store = createMemoryStore()
  const leases = createMemoryLeases(() => time.now).open('server')
  if (isShared) Object.assign(store, { leases })
  const bases = new StoredBases(store, plainCodec)
  const expired: string[] = []
  const conditions: (SaveFailure | undefined)[] = []
  const sandbox = createServedSandbox(
    { scenario: 'solo', ...options },
    { pace: nodePace, bases, beginsNow: true },
  )
  await sandbox.ready
  const served = new ServedSandbox(sandbox)
  const saver = new WorldSaver(store, {
    bases,
    now: () => time.now,
    log: () => {},
    onHealthChange: (failure) => conditions.push(failure),
    closeWorld(id) {
      expired.push(id)
      if (isShared) served.closeWorld(id)
    },
    saveBase: () => served.saveBase(bases),
    reloadMain: async () => {},
    worldTtlMs,
  })
  await served.keepIn(saver)
  await served.saveBase(bases)
  await saver.saveAll()
  saver.start()
  const tags = `${sandbox.baseUrl}/v1/tags`
  const authorize = (world: string) => ({
    authorization: `Bearer ${sandbox.keys['owner']}${world === '' ? '' : `~${world}`}`,
  })
  return {
    store,
    conditions,
    expired,
    time,
    saver,
    served,
    sandbox,
    /**
     * Advances time. With `areLooksLate`, the periodic checks for changes are skipped, as on a busy
     * machine.
     */
    async pass(ms: number, { areLooksLate = false } = {}) {
      time.now += ms
      if (!areLooksLate) vi.advanceTimersByTime(ms)
      await settle()
    },
    async write(name: string, world = '') {
      const headers = { ...authorize(world), 'content-type': 'application/json' }
      const body = JSON.stringify({ name })
      return (await sandbox.fetch(tags, { method: 'POST', headers, body })).status
    },
    async read(world: string) {
      return (await sandbox.fetch(tags, { headers: authorize(world) })).status
    },
  }
}

/** Runs all pending work that depends on neither time nor the store. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}

/** Returns the promise's result, or `waiting`. */
async function getState<Result>(promise: Promise<Result>): Promise<Result | 'waiting'> {
  let state: Result | 'waiting' = 'waiting'
  void promise.then((result) => {
    state = result
  })
  await settle()
  return state
}

it('saves a write within 200 ms of its response, and a later write within 200 ms of that save', async () => {
  const { store, write, pass } = await openSaved()
  expect(await write('first')).toBe(200)
  await pass(200)
  expect(store.readText('main')).toContain('"first"')
  expect(await write('second')).toBe(200)
  await pass(200)
  expect(store.readText('main')).toContain('"second"')
})

it('delays writes while a save takes too long, and responds to them after the save', async () => {
  const { store, write, pass } = await openSaved()
  expect(await write('first')).toBe(200)
  const finish = store.holdSaves()
  await pass(150)
  expect(await write('during the save')).toBe(200)
  await pass(160)
  const late = write('late')
  expect(await getState(late)).toBe('waiting')
  finish()
  expect(await getState(late)).toBe(200)
})

it('delays writes if the process was too busy to check for changes', async () => {
  const { write, pass } = await openSaved()
  expect(await write('first')).toBe(200)
  await pass(301, { areLooksLate: true })
  const late = write('late')
  expect(await getState(late)).toBe('waiting')
  await pass(50)
  expect(await getState(late)).toBe(200)
})

it('delays the response to a write if saving fell behind after the write began', async () => {
  const { saver, time, pass } = await openSaved()
  await saver.admit('main')
  const acknowledge = await saver.admit('main')
  time.now += 301
  const answered = acknowledge()
  expect(await getState(answered)).toBe('waiting')
  await pass(50)
  expect(await getState(answered)).toBeUndefined()
})

it('saves a write within the time limit even if an earlier save began before the write was done', async () => {
  const { store, saver, time, pass, write } = await openSaved()
  const acknowledge = await saver.admit('main')
  const finish = store.holdSaves()
  await pass(150)
  // The save that is in progress does not include this write.
  await acknowledge()
  finish()
  await settle()
  time.now += 301
  expect(await getState(write('late'))).toBe('waiting')
})

it('delays a write to another world while 100 worlds have unsaved writes', async () => {
  const { store, write, pass } = await openSaved()
  const finish = store.holdSaves()
  const names = Array.from({ length: 100 }, (_, index) => `w${index}`)
  for (const name of names) expect(await write('tag', name)).toBe(200)
  const another = write('tag', 'another')
  expect(await getState(another)).toBe('waiting')
  expect(await write('second tag', 'w0')).toBe(200)
  await pass(150)
  expect(await getState(another)).toBe('waiting')
  finish()
  await pass(50)
  expect(await getState(another)).toBe(200)
})

it('saves a world that is removed from memory during a save', async () => {
  const { store, write, pass, conditions } = await openSaved({ maxWorlds: 1 })
  expect(await write('first', 'a')).toBe(200)
  const finish = store.holdSaves()
  await pass(150)
  expect(await write('second', 'a')).toBe(200)
  expect(await write('first', 'b')).toBe(200)
  finish()
  await pass(200)
  await pass(200)
  expect(store.readText('_a')).toContain('"second"')
  expect(store.readText('_b')).toContain('"first"')
  expect(conditions).toEqual([])
})

it('keeps a world in memory while a write to it waits', async () => {
  const { write, pass } = await openSaved({ maxWorlds: 1 })
  expect(await write('first', 'a')).toBe(200)
  await pass(301, { areLooksLate: true })
  const waiting = write('second', 'a')
  expect(await write('first', 'b')).toBe(503)
  await pass(50)
  expect(await getState(waiting)).toBe(200)
})

it('saves the time of a running clock when it is closed, even if nothing else has changed', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] })
  const { saver, store, sandbox } = await openSaved()
  const savedTime = () => Date.parse(JSON.parse(store.readText('main')).now)
  sandbox.clock.run(1_000)
  await saver.saveAll()
  vi.setSystemTime(Date.now() + 1_000)
  const now = sandbox.clock.now()
  await saver.close()
  expect(savedTime()).toBe(now)
})

it('responds to a write that waits for a deleted world', async () => {
  const { saver, write, pass } = await openSaved()
  expect(await write('first', 'a')).toBe(200)
  await pass(301, { areLooksLate: true })
  const late = write('second')
  expect(await getState(late)).toBe('waiting')
  saver.delete('_a')
  expect(await getState(late)).toBe(200)
})

it('executes a write that waits for its own deleted world in a new world', async () => {
  const { sandbox, write, pass } = await openSaved()
  expect(await write('first', 'a')).toBe(200)
  await pass(301, { areLooksLate: true })
  const late = write('second', 'a')
  expect(await getState(late)).toBe('waiting')
  sandbox.control.removeWorld('a')
  expect(await getState(late)).toBe(200)
  const { tags } = sandbox.world('a').db
  expect(tags.find({ name: 'second' })).toBeDefined()
  expect(tags.find({ name: 'first' })).toBeUndefined()
})

it('removes a world that was deleted while the store failed when the store works again', async () => {
  const { store, sandbox, write, pass } = await openSaved()
  expect(await write('first', 'a')).toBe(200)
  await pass(200)
  store.failure = new Error('the disk is read-only')
  sandbox.control.removeWorld('a')
  await pass(1_000)
  store.failure = undefined
  await pass(1_100)
  expect(await listNames(store)).not.toContain('_a')
})

it('removes a world that is deleted during a save before it closes', async () => {
  const { store, saver, sandbox, write, pass } = await openSaved()
  expect(await write('first', 'a')).toBe(200)
  const finish = store.holdSaves()
  await pass(150)
  sandbox.control.removeWorld('a')
  const closed = saver.close()
  await settle()
  finish()
  await closed
  expect(await listNames(store)).not.toContain('_a')
})

it('removes worlds without reads and writes for longer than the time to live', async () => {
  const { write, read, pass, expired } = await openSaved({ worldTtlMs: 10 * 60_000 })
  for (const world of ['read', 'unused']) expect(await write('first', world)).toBe(200)
  await pass(200)
  await pass(6 * 60_000)
  expect(await read('read')).toBe(200)
  await pass(6 * 60_000)
  expect(expired).toEqual(['_unused'])
})

it('does not delay writes while the store fails, and saves them when it works again', async () => {
  const { store, write, pass } = await openSaved()
  store.failure = new Error('the disk is full')
  expect(await write('first')).toBe(200)
  await pass(1_000)
  expect(await write('second')).toBe(200)
  store.failure = undefined
  await pass(1_100)
  expect(store.readText('main')).toContain('"second"')
})

it('delays writes while a shared store fails, and rejects them after 7 s', async () => {
  const { store, write, pass } = await openSaved({ isShared: true })
  store.failure = new Error('Redis cannot be reached')
  expect(await write('first', 'a')).toBe(200)
  await pass(1_000)
  const late = write('second', 'a')
  expect(await getState(late)).toBe('waiting')
  for (let second = 0; second < 9; second += 1) await pass(1_100)
  expect(await getState(late)).toBe(503)
  store.failure = undefined
  await pass(1_100)
  expect(await write('third', 'a')).toBe(200)
  await pass(200)
  expect(store.readText('_a')).toContain('"third"')
})

it('returns 503 for a waiting write if another server takes its world', async () => {
  const { saver, write, pass } = await openSaved({ isShared: true })
  expect(await write('first', 'a')).toBe(200)
  await pass(301, { areLooksLate: true })
  const late = write('second', 'a')
  expect(await getState(late)).toBe('waiting')
  saver.leases?.giveUp('_a')
  await pass(50)
  expect(await getState(late)).toBe(503)
})

it('saves a world before a long operation', async () => {
  const { store, served, write } = await openSaved()
  expect(await write('first')).toBe(200)
  await served.run('seeking', () => {
    expect(store.readText('main')).toContain('"first"')
  })
})

it('stores the base of a loaded scenario or a restored snapshot before the call returns', async () => {
  const { store, saver, served, write } = await openSaved()
  const { sandbox } = served
  expect(await write('first')).toBe(200)
  await saver.saveAll()
  const before = getBase(store)
  const snapshot = JSON.parse(JSON.stringify(sandbox.snapshot())) as object
  await sandbox.control.loadScenario({ name: 'launch-day', seed: 9 })
  expect(getBase(store)).toMatchObject({ scenario: 'launch-day', seed: 9 })
  expect(await basesIn(store)).toBe(2)
  await sandbox.restore(snapshot)
  expect(getBase(store)).toEqual(before)
  expect(await basesIn(store)).toBe(1)
  expect(store.readText('main')).toContain('"first"')
})

async function basesIn(store: MemoryStore): Promise<number> {
  return (await listNames(store)).filter((name) => name.startsWith('base-')).length
}

async function listNames(store: MemoryStore): Promise<string[]> {
  return (await store.list()).map(({ name }) => name)
}

/** Returns the first line of the saved base snapshot of the main world. */
function getBase(store: MemoryStore): object {
  const { present } = JSON.parse(store.readText('main')) as { present: { base: string } }
  const [head = ''] = store.readText(`base-${toBaseKey(present.base)}`).split('\n')
  return JSON.parse(head) as object
}

it('reports the used worlds to the store once a minute and when it is closed', async () => {
  const { store, write, read, pass, saver } = await openSaved({ worldTtlMs: 3_600_000 })
  await write('first', 'a')
  await write('first', 'b')
  await pass(200)
  await read('a')
  await pass(61_000)
  // A save also counts as a use.
  expect(store.touched).toEqual(['_a'])
  store.touched = []
  await pass(61_000)
  expect(store.touched).toEqual([])
  await read('a')
  await saver.close()
  expect(store.touched).toEqual(['_a'])
})
