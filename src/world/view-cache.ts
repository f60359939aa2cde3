import type { MemoryLimit } from './memory-limit.ts'
import { JsonFragment } from '../lib/json-fragment.ts'
import type { DependencyTracker, Dependencies } from '../data/dependencies.ts'

/**
 * How something is shown: a function over a world and a frozen record. It stands at the top level
 * of a file, since it is the key. A variant may be an object, such as a window: one with the same
 * fields is the same variant.
 */
export type View<World, Subject, Shown, Variant = undefined> = (
  world: World,
  subject: Subject,
  variant: Variant,
) => Shown

/** What a view depends on between two calls: the changes and the time of its world. */
interface Moment {
  changes: () => number
  /** Epoch ms. */
  now: () => number
}

/** What is kept is found by these. */
interface Key {
  view: unknown
  subject: object
  variant: unknown
  /** Whether it is written as JSON, or kept as it is. */
  isWritten: boolean
}

interface Kept extends Key {
  value: unknown
  /** What it takes, about. */
  bytes: number
  reads: Dependencies
  /** The count of changes up to which what it read was the same. */
  changes: number
}

/**
 * The bytes that are kept in each of two generations: what nobody asked for in a whole generation
 * is dropped.
 */
const generationBytes = 4 * 1024 * 1024
/** What a kept value takes besides its own bytes, about. */
const entryBytes = 600
/** What an item of a kept list takes, about. */
const itemBytes = 100

/**
 * Keeps what views made of records, while nothing that went into it has changed: they are watched
 * as they read tables and the clock. To write the JSON of a page anew is most of the cost of a
 * request.
 */
export class ViewCache {
  readonly #tracker: DependencyTracker
  readonly #changes: () => number
  readonly #now: () => number
  readonly #memory: MemoryLimit | undefined
  #young = new Generation()
  #old = new Generation()

  /** @param memory counts the bytes of the cache, which is emptied when they are too many */
  constructor(tracker: DependencyTracker, { changes, now }: Moment, memory?: MemoryLimit) {
    this.#tracker = tracker
    this.#changes = changes
    // That the time is looked up here is nothing that a view read: one made of others would hold
    // for this instant alone.
    this.#now = () => (tracker.current === undefined ? now() : tracker.apart(now))
    this.#memory = memory
  }

  /**
   * What was made before for a view of a subject, while it still holds: it lies in the field
   * `value`.
   * @note It takes fields in place of an object of them: a page finds a hundred rows.
   */
  known(
    view: unknown,
    subject: object,
    variant: unknown,
    isWritten: boolean,
  ): { readonly value: unknown } | undefined {
    const known = sameOf(this.#find(subject), view, variant, isWritten)
    if (known === undefined) return undefined
    const changes = this.#changes()
    if (!known.reads.hold(this.#now, known.changes === changes)) return undefined
    known.changes = changes
    this.#tracker.current?.include(known.reads)
    return known
  }

  /** Makes what is not known for a view of a subject, and keeps it. */
  make<Value>(key: Key, make: () => Value): Value {
    const { value, reads } = this.#tracker.watch(make)
    if (!reads.isFleeting)
      this.#keep({ ...key, value, bytes: bytesOf(value), reads, changes: this.#changes() })
    return value
  }

  /** Forgets everything: something changed that no view is watched for. */
  clear(): void {
    this.#drop(this.#young)
    this.#drop(this.#old)
    this.#young = new Generation()
    this.#old = new Generation()
  }

  #find(subject: object): readonly Kept[] | undefined {
    const young = this.#young.get(subject)
    if (young !== undefined) return young
    const old = this.#old.get(subject)
    if (old === undefined) return undefined
    this.#old.set(subject, [])
    this.#young.set(subject, old)
    return old
  }

  #keep(kept: Kept): void {
    if (this.#memory?.isCacheFull === true) {
      this.clear()
      return
    }
    // What was made on the way of the same subject is kept as well, so that it is looked up only
    // now.
    const others = (this.#find(kept.subject) ?? []).filter(
      (each) => !isSame(each, kept.view, kept.variant, kept.isWritten),
    )
    const siblings = others.filter(({ view }) => view === kept.view)
    const oldest = siblings.length > maxVariants ? siblings[0] : undefined
    const bytes = this.#young.bytes
    this.#young.set(kept.subject, [...others.filter((each) => each !== oldest), kept])
    this.#memory?.hold(this.#young.bytes - bytes)
    if (this.#young.bytes < generationBytes) return
    this.#drop(this.#old)
    this.#old = this.#young
    this.#young = new Generation()
  }

  #drop({ bytes }: Generation): void {
    this.#memory?.hold(-bytes)
  }
}

/** What was asked for in some time, by subject. */
class Generation {
  readonly #kept = new Map<object, readonly Kept[]>()
  /** What all of it takes, about. */
  bytes = 0

  get(subject: object): readonly Kept[] | undefined {
    return this.#kept.get(subject)
  }

  /** Replaces what is kept of a subject. */
  set(subject: object, kept: readonly Kept[]): void {
    this.bytes += sum(kept) - sum(this.#kept.get(subject) ?? [])
    if (kept.length === 0) this.#kept.delete(subject)
    else this.#kept.set(subject, kept)
  }
}

function sum(kept: readonly Kept[]): number {
  let all = 0
  for (const { bytes } of kept) all += bytes
  return all
}

/** A value that tells what it takes, as one does that holds numbers. */
export interface Weighed {
  /** About, bytes. */
  readonly bytes: number
}

function bytesOf(value: unknown): number {
  if (value instanceof JsonFragment) return entryBytes + value.size
  if (Array.isArray(value)) return entryBytes + value.length * itemBytes
  const { bytes } = (value ?? {}) as Partial<Weighed>
  return entryBytes + (typeof bytes === 'number' ? bytes : 0)
}

/** How many variants of one view of a subject are kept besides the latest. */
const maxVariants = 15

function sameOf(
  kept: readonly Kept[] | undefined,
  view: unknown,
  variant: unknown,
  isWritten: boolean,
): Kept | undefined {
  if (kept !== undefined)
    for (const each of kept) if (isSame(each, view, variant, isWritten)) return each
  return undefined
}

function isSame(key: Key, view: unknown, variant: unknown, isWritten: boolean): boolean {
  return key.view === view && key.isWritten === isWritten && isSameVariant(key.variant, variant)
}

function isSameVariant(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  const [fields, others] = [
    a as Readonly<Record<string, unknown>>,
    b as Readonly<Record<string, unknown>>,
  ]
  for (const name in fields) if (fields[name] !== others[name]) return false
  for (const name in others) if (!(name in fields)) return false
  return true
}
