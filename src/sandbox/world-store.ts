import { SandboxError } from '../errors.ts'
import type { LeaseStore } from './leases.ts'

/** A stored item, and when it was used last. */
export interface StoredItem {
  name: string
  /** Epoch ms. */
  usedAt: number
}

/** Keeps bytes by name: saved worlds, and the rows that they were made from. */
export interface WorldStore {
  /** Where it keeps them, for error messages. */
  readonly place: string
  /** Loads an item. Undefined if there is none. */
  load: (name: string) => Promise<Uint8Array | undefined>
  /** Saves an item in place of the one of that name. A crash leaves the old one or the new one. */
  save: (name: string, bytes: Uint8Array) => Promise<void>
  remove: (name: string) => Promise<void>
  /** Notes that an item was used now. */
  touch: (name: string) => Promise<void>
  list: () => Promise<StoredItem[]>
  /** The leases of worlds, if several servers can share the store. */
  readonly leases?: LeaseStore
  /** Lets other processes use the store. */
  close: () => Promise<void>
}

/** Compresses and decompresses the rows of a base. */
export interface BaseCodec {
  compress: (lines: Iterable<string>) => Promise<Uint8Array>
  decompress: (bytes: Uint8Array) => Promise<string>
}

/** The error for an item that cannot be used. */
export function damagedItem(
  { place }: WorldStore,
  { item, why, cause }: { item: string; why: string; cause?: unknown },
): SandboxError {
  const reason = why.replace(/\s+/g, ' ').replace(/\.$/, '')
  return new SandboxError(
    `Failed to read the state (${item} in ${place}): ${reason}. It was left as it is. ` +
      `Repair it, give another --state, or begin again with --state-reset.`,
    { cause },
  )
}
