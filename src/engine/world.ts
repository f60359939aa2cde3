import type { Faker } from '@faker-js/faker'
import { SandboxError } from '../errors.ts'
import { ActionLog } from './action-log.ts'
import { Clock } from './clock.ts'
import type { ClockState } from './clock.ts'
import type { Due } from './due.ts'
import { Faults } from './faults.ts'
import { Journal } from './journal.ts'
import { Limits } from './limits.ts'
import { Notes } from './notes.ts'
import type { Note } from './notes.ts'
import { Parts } from './part.ts'
import type { Part, SavedPart } from './part.ts'
import { Random } from './random.ts'
import type { Recorder } from './recorder.ts'
import { Script } from './script.ts'
import { Sequences } from './sequences.ts'
import type { LargestIds } from './sequences.ts'
import { RowMemo } from './store/row-memo.ts'
import type { Changes } from './store/table-index.ts'
import { createTables, restoreTables, snapshotTables } from './store/tables.ts'
import type { TableDefinitions, TablesOf, TablesSnapshot } from './store/tables.ts'
import type { TenancyTables } from './tenancy/tenancy.table.ts'
import { toIso } from './time.ts'

/** What a world is made of. Times are epoch ms. */
export interface WorldOptions {
  /** Stands in its media links. @default 'main' */
  id?: string
  seed: number
  start: number
  clock: { mode: 'frozen' | 'running'; rate: number }
  baseUrl: string
  /** How long new media take to turn ready. */
  transcodingMs: number
  journalSize: number
}

/** What a world is made of: its tables, and how they follow the clock and one another. */
export interface WorldRules<Definitions extends TableDefinitions> {
  definitions: Definitions
  /** What resources keep in it that a snapshot has to hold. */
  parts: readonly SavedPart[]
  /** Lets what is kept beside the records follow them. */
  follow(world: World<Definitions>): void
  /** The first thing that is to fall due by itself; undefined when there is none. */
  nextDue(world: World<Definitions>): Due | undefined
}

/** Everything of a world but its records, as JSON. */
export interface WorldState {
  clock: ClockState
  random: number[]
  sequences: LargestIds
  limits: ReturnType<Limits['state']>
  faults: ReturnType<Faults['state']>
  /** How many moments of the story have been played. */
  scriptPosition: number
  /** How many requests may have written something in it. */
  writes: number
  notes: Note[]
  /** What a resource keeps beside its records, by the name of the part. */
  [part: string]: unknown
}

/** A world at one time: pointers to its records and a copy of the rest. */
export interface WorldSnapshot {
  tables: TablesSnapshot
  state: WorldState
  /** The id of the last action that was done. */
  lastAction: number
}

/** All state of a sandbox. Any number of worlds live side by side and share nothing that changes. */
export class World<Definitions extends TableDefinitions = TenancyTables> {
  readonly options: WorldOptions
  readonly rules: WorldRules<Definitions>
  readonly #changes: Changes = { count: 0 }
  readonly db: TablesOf<Definitions>
  readonly clock: Clock
  readonly random: Random
  readonly sequences: Sequences
  readonly limits = new Limits()
  readonly faults = new Faults()
  readonly journal: Journal
  readonly actionLog = new ActionLog()
  /** Captions for the audience. */
  readonly notes = new Notes()
  /** Rows of busy lists, already written as JSON. */
  readonly rowMemo = new RowMemo()
  /** The story that plays as the clock moves on. */
  script: Script<World<Definitions>> = new Script()
  /** Whoever writes down what changes this world. */
  recorder: Recorder | undefined
  /** Draws names and texts from `random`; there once the world is seeded with data. */
  faker: Faker | undefined
  /** What people read in its data, by kind; there once the world is seeded. `textsOf` has their types. */
  texts: object | undefined
  /** The address that media links and shares begin with, without a slash at the end. */
  baseUrl: string
  readonly #parts: Parts
  #isSettling = false
  /** Until when nothing falls due, as long as no table changes and the story is this one. */
  #calm: { changes: number; script: object; until: number } = { changes: -1, script: this.script, until: 0 }
  readonly #initial: WorldState
  #origin: WorldSnapshot | undefined
  /** The same, but for a fork: of what it was forked from, where its story began. */
  #beginning: WorldSnapshot | undefined

  constructor(options: WorldOptions, rules: WorldRules<Definitions>) {
    this.options = options
    this.rules = rules
    this.baseUrl = options.baseUrl
    this.db = createTables(rules.definitions, this.#changes)
    this.clock = new Clock(options.start, { ...options.clock, onMove: () => this.settle() })
    this.random = new Random(options.seed)
    this.sequences = new Sequences(this.db, this.random)
    this.journal = new Journal(options.journalSize)
    this.#parts = new Parts(this, rules.parts)
    rules.follow(this)
    // A clock that runs has moved on by now.
    this.#initial = { ...this.state(), clock: { now: toIso(options.start), ...options.clock } }
  }

  get id(): string {
    return this.options.id ?? 'main'
  }

  /** What a resource keeps in this world besides records; made when it is first asked for. */
  part<Value>(part: Part<Value>): Value {
    return this.#parts.get(part)
  }

  /** A new id for a record of that table: above all ids so far, with believable gaps, never given twice. */
  nextId(table: keyof Definitions & string): number {
    return this.sequences.next(table)
  }

  /** Fires all that has fallen due, in order of time, each at its own time. What is fired may move the clock on. */
  settle(): void {
    const { changes, script, until } = this.#calm
    if (this.#isSettling || (changes === this.#changes.count && script === this.script && this.clock.now() < until)) return
    this.#isSettling = true
    try {
      let due = this.rules.nextDue(this)
      for (; due !== undefined && due.at <= this.clock.now(); due = this.rules.nextDue(this)) this.clock.at(due.at, due.fire)
      this.#calm = { changes: this.#changes.count, script: this.script, until: due?.at ?? Infinity }
    } finally {
      this.#isSettling = false
    }
  }

  /**
   * Keeps the records now as those that `reset` goes back to, with the clock, windows and faults that the world began with:
   * what was set before its data came does not outlive a reset.
   */
  keepAsOrigin(): void {
    const { random, sequences } = this.state()
    this.#origin = { tables: snapshotTables(this.db), state: { ...this.#initial, random, sequences }, lastAction: 0 }
    this.#beginning = this.#origin
  }

  /** Goes back to the seeded state: data, clock, windows, faults; the journal is emptied. */
  reset(): void {
    if (this.#origin !== undefined) this.restore(this.#origin)
    this.journal.clear()
    this.actionLog.dropAfter(0)
  }

  /** Whether the data are there: what is written to tables before they come is lost. */
  get isSeeded(): boolean {
    return this.#origin !== undefined
  }

  /** What `reset` goes back to. @throws {SandboxError} before the data are there. */
  get origin(): WorldSnapshot {
    if (this.#origin === undefined) throw new SandboxError('Failed to go back: the sandbox is not ready. Await sandbox.ready first.')
    return this.#origin
  }

  /** Where its story begins: `origin`, but for a fork, whose origin may lie in the middle. @throws {SandboxError} before the data are there. */
  get beginning(): WorldSnapshot {
    return this.#beginning ?? this.origin
  }

  /** The world now. */
  snapshot(): WorldSnapshot {
    return { tables: snapshotTables(this.db), state: this.state(), lastAction: this.actionLog.lastId }
  }

  /** Does something; when it fails, the world is as it was before. Costs what it changes. */
  attempt<Result>(effect: () => Result): Result {
    const outer = this.#changes.undo
    const undo: (() => void)[] = []
    const [state, { lastId }, putClockBack] = [this.state(), this.actionLog, this.clock.checkpoint()]
    this.#changes.undo = undo
    try {
      const result = effect()
      for (const each of undo) outer?.push(each)
      return result
    } catch (error) {
      this.#changes.undo = undefined
      for (const each of undo.toReversed()) each()
      this.restoreState(state)
      this.actionLog.dropAfter(lastId)
      putClockBack()
      throw error
    } finally {
      this.#changes.undo = outer
    }
  }

  /** Goes back to a snapshot of this world or of one with the same tables. */
  restore(snapshot: WorldSnapshot): void {
    restoreTables(this.db, snapshot.tables)
    this.restoreState(snapshot.state)
    this.actionLog.dropAfter(snapshot.lastAction)
    this.journal.tally.dropAfter(this.clock.now())
  }

  /** Everything but the records, as JSON. */
  state(): WorldState {
    return {
      clock: this.clock.state(),
      random: this.random.state(),
      sequences: this.sequences.state(),
      limits: this.limits.state(),
      faults: this.faults.state(),
      ...this.#parts.state(),
      scriptPosition: this.script.position,
      writes: this.journal.writes,
      notes: this.notes.list(),
    }
  }

  /** Goes back to a state. */
  restoreState(state: WorldState): void {
    this.clock.restore(state.clock)
    this.random.restore(state.random)
    this.sequences.restore(state.sequences)
    this.limits.restore(state.limits)
    this.faults.restore(state.faults)
    this.#parts.restore(state)
    this.script.goTo(state.scriptPosition)
    this.journal.writes = state.writes
    this.#calm.changes = -1
    this.notes.restore(state.notes)
  }

  /**
   * Another world with the same records and state; what happens in one is not seen in the other. Its `reset` goes back to now,
   * with what `change` made of it. @throws {SandboxError} before the data are there.
   */
  fork(id = this.id, change: (fork: World<Definitions>) => void = () => {}): World<Definitions> {
    if (this.#origin === undefined)
      throw new SandboxError('Failed to fork: the sandbox is not ready, and its data are still to come. Await sandbox.ready first.')
    const fork = new World({ ...this.options, id, baseUrl: this.baseUrl }, this.rules)
    fork.script = new Script(this.script.moments)
    if (this.script.moments.length > 0) fork.#begin(this.beginning, change)
    fork.restore(this.snapshot())
    fork.faker = this.faker === undefined ? undefined : fork.random.faker(this.faker)
    fork.texts = this.texts
    change(fork)
    fork.#origin = fork.snapshot()
    return fork
  }

  /** The faker of a seeded world. @throws {SandboxError} before the data are there. */
  requireFaker(): Faker {
    if (this.faker === undefined)
      throw new SandboxError('Failed to draw a name or text: the sandbox is not ready. Await sandbox.ready first.')
    return this.faker
  }

  #begin(beginning: WorldSnapshot, change: (fork: World<Definitions>) => void): void {
    this.restore(beginning)
    change(this)
    this.#beginning = { ...beginning, tables: snapshotTables(this.db) }
  }
}
