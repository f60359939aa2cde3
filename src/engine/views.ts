import { WrittenRow } from './json-bytes.ts'
import type { Reading, Reads } from './reading.ts'

/**
 * How something is shown: a function over a world and a frozen record. It stands at the top level of a file, since it is the key. A variant
 * may be an object, such as a window: one with the same fields is the same variant.
 */
export type View<World, Subject, Shown, Variant = undefined> = (world: World, subject: Subject, variant: Variant) => Shown

/** What a view depends on between two calls: the changes and the time of its world. */
interface Moment {
  readonly changes: number
  readonly now: number
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
  reads: Reads
  /** The count of changes up to which what it read was the same. */
  changes: number
}

/** The bytes that are kept in each of two generations: what nobody asked for in a whole generation is dropped. */
const generationBytes = 4 * 1024 * 1024
/** What a kept value takes besides its own bytes, about. */
const entryBytes = 600

/**
 * Keeps what views made of records, while nothing that went into it has changed: they are watched as they read tables and the clock. To
 * write the JSON of a page anew is most of the cost of a request.
 */
export class Views {
  readonly #reading: Reading
  readonly #moment: () => Moment
  #young = new Map<object, Kept[]>()
  #old = new Map<object, Kept[]>()
  #bytes = 0

  constructor(reading: Reading, moment: () => Moment) {
    this.#reading = reading
    this.#moment = moment
  }

  /** What `make` makes for a view of a subject, or what it made before. */
  of<Value>(key: Key, make: () => Value): Value {
    const ofSubject = this.#find(key.subject)
    const known = ofSubject?.find((each) => isSame(each, key))
    const { changes, now } = this.#present()
    if (known !== undefined && known.reads.hold(now, known.changes === changes)) {
      known.changes = changes
      this.#reading.current?.include(known.reads)
      return known.value as Value
    }
    const { value, reads } = this.#reading.watch(make)
    if (!reads.isFleeting) this.#keep({ ...key, value, reads, changes: this.#present().changes }, ofSubject)
    return value
  }

  /** Forgets everything: something changed that no view is watched for. */
  clear(): void {
    this.#young.clear()
    this.#old.clear()
    this.#bytes = 0
  }

  /** The moment. That it is looked up here is nothing that a view read: one made of others would hold for this instant alone. */
  #present(): Moment {
    return this.#reading.apart(this.#moment)
  }

  #find(subject: object): Kept[] | undefined {
    const young = this.#young.get(subject)
    if (young !== undefined) return young
    const old = this.#old.get(subject)
    if (old === undefined) return undefined
    this.#old.delete(subject)
    this.#young.set(subject, old)
    for (const kept of old) this.#count(kept)
    return old
  }

  #keep(kept: Kept, before: readonly Kept[] = []): void {
    const others = before.filter((each) => !isSame(each, kept))
    const siblings = others.filter(({ view }) => view === kept.view)
    const oldest = siblings.length > mostVariants ? siblings[0] : undefined
    this.#young.set(kept.subject, [...others.filter((each) => each !== oldest), kept])
    this.#count(kept)
    if (this.#bytes < generationBytes) return
    this.#old = this.#young
    this.#young = new Map()
    this.#bytes = 0
  }

  #count({ value }: Kept): void {
    this.#bytes += entryBytes + (value instanceof WrittenRow ? value.size : 0)
  }
}

/** How many variants of one view of a subject are kept besides the latest. */
const mostVariants = 15

function isSame(a: Key, b: Key): boolean {
  return a.view === b.view && a.isWritten === b.isWritten && isSameVariant(a.variant, b.variant)
}

function isSameVariant(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  const [fields, others] = [a as Readonly<Record<string, unknown>>, b as Readonly<Record<string, unknown>>]
  for (const name in fields) if (fields[name] !== others[name]) return false
  for (const name in others) if (!(name in fields)) return false
  return true
}
