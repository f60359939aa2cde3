import type { Id } from './rows.ts'
import type { DependencyTracker } from './dependencies.ts'

/** A change to a record. `before` is undefined for a new record, `after` for a removed one. */
export interface Change<Row> {
  readonly before: Row | undefined
  readonly after: Row | undefined
  /**
   * The keys of this object are the fields that may differ.
   * @default all fields
   */
  readonly fields?: object
}

/** Called after each change to a record. It may write to other tables. */
export type ChangeListener<Row> = (before: Row | undefined, after: Row | undefined) => void

/** State that all tables of a world share. */
export interface Changes {
  /**
   * Number of changes so far. A value computed from the tables stays valid while this number stays
   * the same.
   */
  count: number
  /** Data of derived tables whose records must be created before a table changes. */
  uncreated?: readonly { readonly rows: unknown }[] | undefined
  /** Functions that undo the changes of the current transaction, oldest change first. */
  undo?: (() => void)[]
  /** Tracks which data is read. */
  tracker?: DependencyTracker
  /** Records the cause of each change. */
  changeLog?: ChangeLog
}

/** The cause of record changes. */
export interface Cause {
  /** `hand`: a user edited a record. `program`: the user's code wrote to the tables directly. */
  by: 'request' | 'action' | 'story' | 'clock' | 'hand' | 'program'
  /**
   * Id of the request in the journal, or of the action in the action log. Null for other causes.
   */
  id: number | null
  /** Description in one line. */
  text: string
}

/** A change to a record. */
export interface RecordChange extends Readonly<Cause> {
  /** Sandbox time, epoch ms. */
  at: number
  did: 'added' | 'changed' | 'removed'
  /** Names of the changed fields. */
  fields: readonly string[]
}

type Row = { readonly id: Id }

interface Entry {
  /** Sequence number, counted over the changes to all tables. */
  number: number
  at: number
  did: RecordChange['did']
  fields: readonly string[]
  cause: Cause
}

/** The state before a client's last request. */
interface LastRequest {
  /** Sandbox time, epoch ms. */
  at: number
  /** Sequence number of the last change before the request. */
  lastChange: number
  /** Previous versions of the records that have changed since the request, by table and id. */
  before: Map<string, Map<Id, Row | undefined>>
}

/** Maximum number of previous record versions stored for the last request. */
const maxCompared = 5_000
/** Maximum number of logged changes per record. */
const maxEntries = 20
/** Maximum number of records with logged changes. */
const maxRecords = 2_000
/** Marker cause: changes with this cause are not logged. */
const unlogged: Cause = { by: 'request', id: null, text: '' }
const program: Cause = { by: 'program', id: null, text: 'the program' }

/**
 * The latest changes to each record, with their causes. Drops the oldest changes to a record. If
 * there are too many records, drops the least recently changed records.
 */
export class ChangeLog {
  readonly #now: () => number
  /** Logged changes, by table and record id. */
  readonly #entries = new Map<string, Map<Id, Entry[]>>()
  #recordCount = 0
  /** Sandbox time until which changes may be missing from the log, epoch ms. */
  #incompleteUntil = -Infinity
  #cause = program
  #last = 0
  /** Sequence number of the first change that was not caused by the story or the clock. */
  #firstTouch = Infinity
  /** Sequence number of the first change by a user's edit or code. */
  #firstEdit = Infinity
  #lastRequest: LastRequest | undefined
  #comparedCount = 0
  #history: object = {}

  /** @param now The sandbox time, epoch ms. */
  constructor(now: () => number) {
    this.#now = now
  }

  /** Sequence number of the last change, or 0 if there are no changes. */
  get last(): number {
    return this.#last
  }

  /** True if records were changed by anything except the story and the clock. */
  get isTouched(): boolean {
    return this.#firstTouch !== Infinity
  }

  /** True if a user edited records, or the user's code wrote to the tables. */
  get isEdited(): boolean {
    return this.#firstEdit !== Infinity
  }

  /** The state before a client's last request. Undefined if unknown. */
  get lastRequest(): LastRequest | undefined {
    return this.#lastRequest
  }

  /**
   * Identifies the sequence of changes. Replaced when the world goes to another state, such as by a
   * reset, because states that were saved before are then not earlier states of the world.
   */
  get history(): object {
    return this.#history
  }

  /** Starts storing the previous version of each record that changes. */
  startRequest(): void {
    this.#lastRequest = { at: this.#now(), lastChange: this.#last, before: new Map() }
    this.#comparedCount = 0
  }

  /**
   * Starts a new history, and discards the record versions stored for the last request. Called when
   * all records are replaced.
   */
  startHistory(): void {
    this.#lastRequest = undefined
    this.#history = {}
  }

  /** The cause to which current changes are attributed. */
  get cause(): Cause {
    return this.#cause
  }

  /** Runs a function and logs its changes with the given cause. Returns the function's result. */
  runWithCause<Result>(cause: Cause, run: () => Result): Result {
    const before = this.#cause
    this.#cause = cause
    try {
      return run()
    } finally {
      this.#cause = before
    }
  }

  /** Runs a function without logging its changes. Returns the function's result. */
  runWithoutLogging<Result>(run: () => Result): Result {
    return this.runWithCause(unlogged, run)
  }

  /**
   * Logs the changes of a write. Of very many changes, logs only the last ones, because the log
   * would drop the others.
   */
  add(table: string, changes: readonly Change<Row>[]): void {
    if (this.#cause === unlogged) return
    for (const { before, after } of changes)
      this.#keepBefore(table, ((after ?? before) as Row).id, before)
    if (changes.length > maxRecords) {
      this.#last += changes.length - maxRecords
      this.markIncomplete()
    }
    for (const change of changes.slice(-maxRecords)) this.#log(table, change)
  }

  #log(table: string, { before, after, fields }: Change<Row>): void {
    const { id } = (after ?? before) as Row
    const cause = this.#cause
    this.#last += 1
    if (this.#last < this.#firstTouch && cause.by !== 'story' && cause.by !== 'clock')
      this.#firstTouch = this.#last
    if (this.#last < this.#firstEdit && (cause.by === 'hand' || cause.by === 'program'))
      this.#firstEdit = this.#last
    const entries = this.#getEntries(table, id)
    const did = before === undefined ? 'added' : after === undefined ? 'removed' : 'changed'
    const changed =
      before === undefined || after === undefined
        ? noFields
        : listChangedFields(before, after, fields)
    const last = entries.at(-1)
    // Logs several changes to a record as one change if they come from the same request or action.
    if (last?.cause === cause && cause !== program && did === 'changed' && last.did !== 'removed') {
      if (last.did === 'changed') last.fields = [...new Set([...last.fields, ...changed])]
      return
    }
    entries.push({ number: this.#last, at: this.#now(), did, fields: changed, cause })
    if (entries.length > maxEntries) this.#noteDropped(entries.shift())
    if (this.#recordCount > maxRecords) this.#dropOldest()
  }

  /** Returns the last changes to a record, newest first. */
  listChanges(table: string, id: Id): RecordChange[] {
    const entries = this.#entries.get(table)?.get(id) ?? []
    return entries.map(({ at, did, fields, cause }) => ({ ...cause, at, did, fields })).toReversed()
  }

  /** Returns the ids of the records that were added after change `number`. */
  listAddedIds(number: number): Id[] {
    return this.#records().flatMap(({ id, entries }) =>
      entries.some((entry) => entry.did === 'added' && entry.number > number) ? [id] : [],
    )
  }

  /**
   * Returns the cause of a record's last change after change `number`. Prefers changes whose kind
   * is `did`. Returns null if the log has no later change.
   */
  causeSince(
    number: number,
    { table, id, did }: { table: string; id: Id; did: RecordChange['did'] },
  ): Cause | null {
    const entries = this.#entries
      .get(table)
      ?.get(id)
      ?.filter((entry) => entry.number > number)
    return (entries?.findLast((entry) => entry.did === did) ?? entries?.at(-1))?.cause ?? null
  }

  /**
   * Returns the fields of a record that changed at or after a sandbox time. Returns null if the
   * log does not tell which fields, and undefined if the record did not change.
   */
  listFieldsSince(time: number, table: string, id: Id): ReadonlySet<string> | null | undefined {
    const entries = this.#entries.get(table)?.get(id) ?? []
    const later = entries.filter(({ at }) => at >= time)
    if (later.length === entries.length && this.#incompleteUntil >= time) return null
    if (later.length === 0) return undefined
    // Entries of additions and removals contain no fields.
    if (later.some(({ did }) => did !== 'changed')) return null
    return new Set(later.flatMap(({ fields }) => fields))
  }

  /** Notes that the changes until now are not in the log. Called when a snapshot is restored. */
  markIncomplete(): void {
    this.#incompleteUntil = Math.max(this.#incompleteUntil, this.#now())
  }

  /**
   * Removes the changes after the given number. Called when the world is restored to an earlier
   * state.
   */
  dropAfter(number: number): void {
    if (this.#last <= number) return
    if (this.#firstTouch > number) this.#firstTouch = Infinity
    if (this.#firstEdit > number) this.#firstEdit = Infinity
    for (const { table, id, entries } of this.#records()) {
      while ((entries.at(-1)?.number ?? 0) > number) entries.pop()
      if (entries.length === 0) this.#drop(table, id)
    }
  }

  #keepBefore(table: string, id: Id, row: Row | undefined): void {
    if (this.#lastRequest === undefined) return
    const { before } = this.#lastRequest
    const ofTable = before.get(table)
    if (ofTable?.has(id) === true) return
    if (ofTable === undefined) before.set(table, new Map([[id, row]]))
    else ofTable.set(id, row)
    this.#comparedCount += 1
    if (this.#comparedCount > maxCompared) this.#lastRequest = undefined
  }

  #getEntries(table: string, id: Id): Entry[] {
    let ofTable = this.#entries.get(table)
    if (ofTable === undefined) this.#entries.set(table, (ofTable = new Map()))
    const known = ofTable.get(id)
    if (known !== undefined) return known
    const entries: Entry[] = []
    ofTable.set(id, entries)
    this.#recordCount += 1
    return entries
  }

  #records(): { table: string; id: Id; entries: Entry[] }[] {
    return [...this.#entries].flatMap(([table, ofTable]) =>
      [...ofTable].map(([id, entries]) => ({ table, id, entries })),
    )
  }

  /**
   * Drops the entries for half of the records: those that changed least recently.
   * @note Sorts the records only here, because sorting after each change would be slower.
   */
  #dropOldest(): void {
    const lastOf = ({ entries }: { entries: Entry[] }) => entries.at(-1)?.number ?? 0
    const oldestFirst = this.#records().sort((a, b) => lastOf(a) - lastOf(b))
    for (const { table, id } of oldestFirst.slice(0, maxRecords / 2)) {
      this.#noteDropped(this.#entries.get(table)?.get(id)?.at(-1))
      this.#drop(table, id)
    }
  }

  #noteDropped(entry: Entry | undefined): void {
    this.#incompleteUntil = Math.max(this.#incompleteUntil, entry?.at ?? -Infinity)
  }

  #drop(table: string, id: Id): void {
    if (this.#entries.get(table)?.delete(id) === true) this.#recordCount -= 1
  }
}

const noFields: readonly string[] = []

function listChangedFields(before: Row, after: Row, fields: object = after): readonly string[] {
  const [old, current] = [before, after] as readonly Readonly<Record<string, unknown>>[]
  const changed: string[] = []
  for (const field in fields) {
    const [one, other] = [old?.[field], current?.[field]]
    if (one === other) continue
    if (
      typeof one !== 'object' ||
      typeof other !== 'object' ||
      JSON.stringify(one) !== JSON.stringify(other)
    )
      changed.push(field)
  }
  return changed
}
