import { WrittenRow } from './json-bytes.ts'
import type { Reading, Reads } from './reading.ts'

/** How something is shown: a function over a world and a frozen record. It stands at the top level of a file, since it is the key. */
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
    const others = before.filter((each) => !isSame(each, kept)).slice(-mostOthers)
    this.#young.set(kept.subject, [...others, kept])
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

/** How many views of one subject are kept besides the latest. */
const mostOthers = 31

function isSame(a: Key, b: Key): boolean {
  return a.view === b.view && a.variant === b.variant && a.isWritten === b.isWritten
}
