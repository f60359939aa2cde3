import type { BaseCodec, WorldStore } from '../../src/sandbox/state/world-store.ts'
import { leaseMs } from '../../src/sandbox/state/leases.ts'
import type { LeaseStore } from '../../src/sandbox/state/leases.ts'

/** An in-memory store that a test can make slow or make fail. */
export interface MemoryStore extends WorldStore {
  /** Error that all saves and removals throw. */
  failure: Error | undefined
  /** Delays all saves until the returned function is called. */
  holdSaves: () => () => void
  readText: (name: string) => string
  /** Names that were passed to `touch`, in the order of the calls. */
  touched: string[]
}

export function createMemoryStore(): MemoryStore {
  const items = new Map<string, Uint8Array>()
  let held: Promise<void> | undefined
  const store: MemoryStore = {
    place: 'memory',
    failure: undefined,
    load: async (name) => items.get(name),
    async save(name, bytes) {
      await held
      if (store.failure !== undefined) throw store.failure
      items.set(name, bytes)
    },
    async remove(name) {
      if (store.failure !== undefined) throw store.failure
      items.delete(name)
    },
    touch: async (name) => void store.touched.push(name),
    touched: [],
    list: async () => [...items.keys()].map((name) => ({ name, usedAt: 0 })),
    close: async () => {},
    holdSaves() {
      let finish = () => {}
      held = new Promise((resolve) => {
        finish = resolve
      })
      return finish
    },
    readText: (name) => new TextDecoder().decode(items.get(name)),
  }
  return store
}

/** Stores the rows of base snapshots without compression. */
export const plainCodec: BaseCodec = {
  compress: async (lines) => new TextEncoder().encode([...lines].join('')),
  decompress: async (bytes) => new TextDecoder().decode(bytes),
}

/** Leases in an in-memory store that several servers share. */
export interface MemoryLeases {
  open: (server: string) => LeaseStore
  getOwner: (id: string) => string | undefined
  /** Error that all commands throw. */
  failure: Error | undefined
  /** Delays all replies until the returned function is called. */
  holdReplies: () => () => void
}

export function createMemoryLeases(now: () => number): MemoryLeases {
  const owners = new Map<string, { server: string; ends: number }>()
  const servers: LeaseStore[] = []
  let held: Promise<void> | undefined
  const leases: MemoryLeases = {
    failure: undefined,
    getOwner: (id) => owners.get(id)?.server,
    holdReplies() {
      let finish = () => {}
      held = new Promise((resolve) => {
        finish = () => {
          held = undefined
          resolve()
        }
      })
      return finish
    },
    open(server) {
      const reply = async <Result>(result: () => Result): Promise<Result> => {
        if (leases.failure !== undefined) throw leases.failure
        const done = result()
        await held
        return done
      }
      const isMine = (id: string) => owners.get(id)?.server === server
      const grant = (id: string) => owners.set(id, { server, ends: now() + leaseMs })
      const store: LeaseStore = {
        hasOthers: true,
        onLeaseRequested: () => {},
        acquire: (id, { asks }) =>
          reply(() => {
            const { server: holder, ends } = owners.get(id) ?? { server: '', ends: 0 }
            if (ends <= now()) grant(id)
            else if (asks) for (const each of servers) each.onLeaseRequested(id)
            return { isTaken: ends <= now(), isStored: holder !== '', holder }
          }),
        renew: (ids) =>
          reply(() => {
            const lost = ids.filter((id) => !isMine(id))
            for (const id of ids) if (isMine(id)) grant(id)
            return { lost, areDataLost: false }
          }),
        release: (ids) =>
          reply(() => {
            for (const id of ids) if (isMine(id)) owners.delete(id)
          }),
      }
      servers.push(store)
      return store
    },
  }
  return leases
}
