import { SandboxError, UnavailableError } from '../../errors.ts'
import type { LeaseStore } from './leases.ts'

/** A stored item, and when it was last used. */
export interface StoredItem {
  name: string
  /** Time of the last use, epoch ms. */
  usedAt: number
}

/** Stores bytes by name: saved worlds and their base rows. */
export interface WorldStore {
  /** The location of the store, for error messages. */
  readonly place: string
  /** Loads an item. Returns undefined if it does not exist. */
  load: (name: string) => Promise<Uint8Array | undefined>
  /**
   * Saves an item and replaces the one with the same name. After a crash, the store contains either
   * the old or the new one.
   */
  save: (name: string, bytes: Uint8Array) => Promise<void>
  remove: (name: string) => Promise<void>
  /** Marks an item as used now. */
  touch: (name: string) => Promise<void>
  list: () => Promise<StoredItem[]>
  /** The leases of worlds, if several servers can share the store. */
  readonly leases?: LeaseStore
  /** Releases the store for other processes. */
  close: () => Promise<void>
}

/** Compresses and decompresses the rows of a base. */
export interface BaseCodec {
  compress: (lines: Iterable<string>) => Promise<Uint8Array>
  decompress: (bytes: Uint8Array) => Promise<string>
}

/** The format of items. Increased when older versions can no longer read it. */
const format = 1

/** Thrown for an item that a later version wrote and can still read. */
class LaterFormatError extends UnavailableError {}

/** Parses the JSON of an item. @throws {UnavailableError} if a later version wrote it */
export function parseStoredItem(text: string): unknown {
  const json = JSON.parse(text) as { format?: unknown } | null
  if (typeof json?.format === 'number' && json.format > format)
    throw new LaterFormatError(
      `a later version wrote it, with format ${json.format}, and this one reads ${format}`,
    )
  return json
}

/** Creates the error for an item that cannot be used. */
export function createDamagedItemError(
  { place }: WorldStore,
  { item, why, cause }: { item: string; why: string; cause?: unknown },
): SandboxError {
  const reason = why.replace(/\s+/g, ' ').replace(/\.$/, '')
  const problem = `Failed to read the state (${item} in ${place}): ${reason}. The state is unchanged.`
  if (cause instanceof LaterFormatError)
    return new UnavailableError(`${problem} Use that version.`, { cause })
  return new SandboxError(
    `${problem} Repair it, use another --state, or delete the state with --state-reset.`,
    { cause },
  )
}
