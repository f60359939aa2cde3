import type { Id } from './rows.ts'

/** What lets records change. */
export interface Cause {
  /** `hand`: a record that somebody edits; `program`: code that writes to the tables. */
  by: 'request' | 'action' | 'story' | 'clock' | 'hand' | 'program'
  /**
   * The id of the request in the journal, or of what happened in the log of actions; null where it
   * has none.
   */
  id: number | null
  /** What it was, in a line. */
  text: string
}

/** A change of a record. */
export interface RecordChange extends Readonly<Cause> {
  /** Sandbox time, epoch ms. */
  at: number
  did: 'added' | 'changed' | 'removed'
  /** The fields that are another since. */
  fields: readonly string[]
}

type Row = { readonly id: Id }

interface Note {
  /** Another number for each change, rising. */
  change: number
  at: number
  did: RecordChange['did']
  fields: readonly string[]
  cause: Cause
}

/** The most changes of a record that are kept. */
const maxNotes = 20
/** The most records whose changes are kept. */
const maxRecords = 2_000
/** What changes because of it is not noted. */
const nothing: Cause = { by: 'request', id: null, text: '' }
const program: Cause = { by: 'program', id: null, text: 'the program' }

/**
 * What changed the records of a world, and when. It drops the oldest changes of a record, and the
 * records that changed longest ago.
 */
export class ChangeLog {
  readonly #now: () => number
  /** By table and id. */
  readonly #notes = new Map<string, Map<Id, Note[]>>()
  /** How many records have notes. */
  #records = 0
  #cause = program
  #last = 0
  /** The first change that neither the story nor the clock made. */
  #firstTouch = Infinity

  /** @param now The sandbox time, epoch ms. */
  constructor(now: () => number) {
    this.#now = now
  }

  /** The number of the last change; 0 before the first one. */
  get last(): number {
    return this.#last
  }

  /** Whether anything but the story and the clock changed records. */
  get isTouched(): boolean {
    return this.#firstTouch !== Infinity
  }

  /** What lets records change now. */
  get cause(): Cause {
    return this.#cause
  }

  /** Runs what may change records, because of that. Returns its result. */
  during<Result>(cause: Cause, run: () => Result): Result {
    const before = this.#cause
    this.#cause = cause
    try {
      return run()
    } finally {
      this.#cause = before
    }
  }

  /** Runs what changes records in a way that is not worth a note. */
  quietly<Result>(run: () => Result): Result {
    return this.during(nothing, run)
  }

  /** Notes a change of a record. `among`: an object with the fields that may be another. */
  note(table: string, before: Row | undefined, after: Row | undefined, among?: object): void {
    const { id } = (after ?? before) as Row
    const cause = this.#cause
    if (cause === nothing) return
    this.#last += 1
    if (this.#last < this.#firstTouch && cause.by !== 'story' && cause.by !== 'clock')
      this.#firstTouch = this.#last
    const notes = this.#notesOf(table, id)
    const did = before === undefined ? 'added' : after === undefined ? 'removed' : 'changed'
    const fields =
      before === undefined || after === undefined
        ? noFields
        : fieldsThatDiffer(before, after, among)
    const last = notes.at(-1)
    // What one request or action does to a record is one change.
    if (last?.cause === cause && cause !== program && did === 'changed' && last.did !== 'removed') {
      if (last.did === 'changed') last.fields = [...new Set([...last.fields, ...fields])]
      return
    }
    notes.push({ change: this.#last, at: this.#now(), did, fields, cause })
    if (notes.length > maxNotes) notes.shift()
    if (this.#records > maxRecords) this.#forgetOldest()
  }

  /** The last changes of a record, newest first. */
  of(table: string, id: Id): RecordChange[] {
    const notes = this.#notes.get(table)?.get(id) ?? []
    return notes.map(({ at, did, fields, cause }) => ({ ...cause, at, did, fields })).toReversed()
  }

  /** Drops the changes after the one of that number, because the world went back to before them. */
  dropAfter(change: number): void {
    if (this.#last <= change) return
    if (this.#firstTouch > change) this.#firstTouch = Infinity
    for (const { table, id, notes } of this.#all()) {
      while ((notes.at(-1)?.change ?? 0) > change) notes.pop()
      if (notes.length === 0) this.#forget(table, id)
    }
  }

  #notesOf(table: string, id: Id): Note[] {
    let ofTable = this.#notes.get(table)
    if (ofTable === undefined) this.#notes.set(table, (ofTable = new Map()))
    const known = ofTable.get(id)
    if (known !== undefined) return known
    const notes: Note[] = []
    ofTable.set(id, notes)
    this.#records += 1
    return notes
  }

  #all(): { table: string; id: Id; notes: Note[] }[] {
    return [...this.#notes].flatMap(([table, ofTable]) =>
      [...ofTable].map(([id, notes]) => ({ table, id, notes })),
    )
  }

  /**
   * Forgets half of the records.
   * @note They are sorted then, and not kept in order: to move each record that changes to the end
   * of a map is slow.
   */
  #forgetOldest(): void {
    const lastOf = ({ notes }: { notes: Note[] }) => notes.at(-1)?.change ?? 0
    const oldestFirst = this.#all().sort((a, b) => lastOf(a) - lastOf(b))
    for (const { table, id } of oldestFirst.slice(0, maxRecords / 2)) this.#forget(table, id)
  }

  #forget(table: string, id: Id): void {
    if (this.#notes.get(table)?.delete(id) === true) this.#records -= 1
  }
}

const noFields: readonly string[] = []

function fieldsThatDiffer(before: Row, after: Row, among: object = after): readonly string[] {
  const [was, is] = [before, after] as readonly Readonly<Record<string, unknown>>[]
  const fields: string[] = []
  for (const field in among) {
    const [one, other] = [was?.[field], is?.[field]]
    if (one === other) continue
    if (
      typeof one !== 'object' ||
      typeof other !== 'object' ||
      JSON.stringify(one) !== JSON.stringify(other)
    )
      fields.push(field)
  }
  return fields
}
