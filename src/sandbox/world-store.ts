import { SandboxError, UnavailableError } from '../errors.ts'
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

/** The format of items. It rises when older versions can no longer read them. */
const format = 1

/** Thrown for an item that a later version wrote. That version can still use it. */
class LaterFormatError extends UnavailableError {}

/** Parses the JSON of an item. @throws {UnavailableError} if a later version wrote it */
export function parseItem(text: string): unknown {
  const json = JSON.parse(text) as { format?: unknown } | null
  if (typeof json?.format === 'number' && json.format > format)
    throw new LaterFormatError(
      `a later version wrote it, with format ${json.format}, and this one reads ${format}`,
    )
  return json
}

/** The error for an item that cannot be used. */
export function damagedItem(
  { place }: WorldStore,
  { item, why, cause }: { item: string; why: string; cause?: unknown },
): SandboxError {
  const reason = why.replace(/\s+/g, ' ').replace(/\.$/, '')
  const problem = `Failed to read the state (${item} in ${place}): ${reason}. The state is unchanged.`
  if (cause instanceof LaterFormatError)
    return new UnavailableError(`${problem} Use that version.`, { cause })
  return new SandboxError(
    `${problem} Repair it, give another --state, or begin again with --state-reset.`,
    { cause },
  )
}
