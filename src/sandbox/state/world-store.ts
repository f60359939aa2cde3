import { SandboxError, UnavailableError } from '../../errors.ts'
import type { LeaseStore } from './leases.ts'

/** A stored item, with the time of its last use. */
export interface StoredItem {
  name: string
  /** Time of the last use, epoch ms. */
  usedAt: number
}

/** Stores bytes by name: saved worlds and their base rows. */
export interface WorldStore {
  /** Location of the store, for error messages. */
  readonly place: string
  /** Loads an item, or returns undefined if it does not exist. */
  load: (name: string) => Promise<Uint8Array | undefined>
  /**
   * Saves an item, replacing any item of the same name. After a crash, the store contains either
   * the old or the new item.
   */
  save: (name: string, bytes: Uint8Array) => Promise<void>
  remove: (name: string) => Promise<void>
  /** Marks an item as used at the current time. */
  touch: (name: string) => Promise<void>
  list: () => Promise<StoredItem[]>
  /** Leases on worlds, if several servers can share the store. */
  readonly leases?: LeaseStore
  /** Releases the store for other processes. */
  close: () => Promise<void>
}

/** Compresses and decompresses base rows. */
export interface BaseCodec {
  compress: (lines: Iterable<string>) => Promise<Uint8Array>
  decompress: (bytes: Uint8Array) => Promise<string>
}

/** Format of stored items. An item with another number is rejected. */
export const storedFormat = 2

/** Thrown if another version of the sandbox wrote the item. That version can still read it. */
class OtherFormatError extends UnavailableError {}

/**
 * Parses the JSON of an item.
 *
 * @throws {UnavailableError} if it has another format
 */
export function parseStoredItem(text: string): unknown {
  const json = JSON.parse(text) as { format?: unknown } | null
  if (typeof json?.format === 'number' && json.format !== storedFormat)
    throw new OtherFormatError(
      `it has format ${json.format}, and this version reads format ${storedFormat}`,
    )
  return json
}

/** Creates the error for an item that is damaged or missing. */
export function createCorruptItemError(
  { place }: WorldStore,
  { item, why, cause }: { item: string; why: string; cause?: unknown },
): SandboxError {
  const reason = why.replace(/\s+/g, ' ').replace(/\.$/, '')
  const problem = `Failed to read the state (${item} in ${place}): ${reason}. The state is unchanged.`
  const isOther = cause instanceof OtherFormatError
  const advice = isOther ? 'Use the version that wrote it' : 'Repair it'
  return new (isOther ? UnavailableError : SandboxError)(
    `${problem} ${advice}, use another --state, or delete the state with --state-reset.`,
    { cause },
  )
}
