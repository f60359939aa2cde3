import type { BaseCodec, WorldStore } from '../../src/sandbox/world-store.ts'

/** A store in memory that a test can make slow or let fail. */
export interface MemoryStore extends WorldStore {
  /** The error of all saves. */
  failure: Error | undefined
  /** Delays all saves until the returned function is called. */
  holdSaves: () => () => void
  textOf: (name: string) => string
  /** The names of all calls of `touch`. */
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
    remove: async (name) => void items.delete(name),
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
    textOf: (name) => new TextDecoder().decode(items.get(name)),
  }
  return store
}

/** Stores bases without compression. */
export const plainCodec: BaseCodec = {
  compress: async (lines) => new TextEncoder().encode([...lines].join('')),
  decompress: async (bytes) => new TextDecoder().decode(bytes),
}
