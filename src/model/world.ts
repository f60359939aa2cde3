import type { Faker } from '@faker-js/faker'
import { SandboxError } from '../errors.ts'
import { ActionLog } from './action-log.ts'
import { nextDue } from './agenda.ts'
import { Clock } from './clock.ts'
import type { ClockState } from './clock.ts'
import { Faults } from './faults.ts'
import { Journal } from './journal.ts'
import { Limits } from './limits.ts'
import type { LinkHistory } from './link-events.ts'
import type { LinkMetrics } from './link-metrics.ts'
import { MediaLinks } from './media-links.ts'
import { Notes } from './notes.ts'
import type { Note } from './notes.ts'
import { Random } from './random.ts'
import type { Recorder } from './recorder.ts'
import { RowMemo } from './row-memo.ts'
import { Script } from './script.ts'
import type { SeedTexts } from './seed-texts.ts'
import { Sequences } from './sequences.ts'
import type { LargestIds } from './sequences.ts'
import type { Changes } from './table-index.ts'
import { createTables, restoreTables, snapshotTables } from './tables.ts'
import type { TableName, Tables, TablesSnapshot } from './tables.ts'
import { createTextSearches } from './text-search.ts'
import type { TextSearches } from './text-search.ts'
import { watchTables } from './watchers.ts'
import { toIso } from '../schemas/time.ts'

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

/** Everything of a world but its records, as JSON. */
export interface WorldState {
  clock: ClockState
  random: number[]
  sequences: LargestIds
  limits: ReturnType<Limits['state']>
  faults: ReturnType<Faults['state']>
  mediaLinks: ReturnType<MediaLinks['state']>
  /** How many moments of the story have been played. */
  scriptPosition: number
  /** How many requests may have written something in it. */
  writes: number
  notes: Note[]
}

/** A world at one time: pointers to its records and a copy of the rest. */
export interface WorldSnapshot {
  tables: TablesSnapshot
  state: WorldState
  /** The id of the last action that was done. */
  lastAction: number
}

/** All state of a sandbox. Any number of worlds live side by side and share nothing that changes. */
export class World {
  readonly options: WorldOptions
  readonly #changes: Changes = { count: 0 }
  readonly db: Tables = createTables(this.#changes)
  readonly clock: Clock
  readonly random: Random
  readonly sequences: Sequences
  readonly limits = new Limits()
  readonly faults = new Faults()
  readonly mediaLinks: MediaLinks
  readonly journal: Journal
  readonly actionLog = new ActionLog()
  /** Captions for the audience. */
  readonly notes = new Notes()
  /** Rows of busy lists, already written as JSON. */
  readonly rowMemo = new RowMemo()
  /** Finds rows by a part of their text. */
  readonly texts: TextSearches = createTextSearches()
  /** What happened to links, for as long as their metrics are these. */
  readonly linkHistories = new WeakMap<LinkMetrics, LinkHistory>()
  /** The story that plays as the clock moves on. */
  script = new Script()
  /** Whoever writes down what changes this world. */
  recorder: Recorder | undefined
  /** Draws names and texts from `random`; there once the world is seeded with data. */
  faker: Faker | undefined
  /** What people read in its data; there once the world is seeded. */
  seedTexts: SeedTexts | undefined
  #baseUrl: string
  #isSettling = false
  /** Until when nothing falls due, as long as no table changes and the story is this one. */
  #calm = { changes: -1, script: this.script, until: 0 }
  readonly #initial: WorldState
  #origin: WorldSnapshot | undefined
  /** The same, but for a fork: of what it was forked from, where its story began. */
  #beginning: WorldSnapshot | undefined

  constructor(options: WorldOptions) {
    this.options = options
    this.#baseUrl = options.baseUrl
    this.clock = new Clock(options.start, { ...options.clock, onMove: () => this.settle() })
    this.random = new Random(options.seed)
    this.sequences = new Sequences(this.db, this.random)
    this.mediaLinks = new MediaLinks(this, `media links of seed ${options.seed}`)
    this.journal = new Journal(options.journalSize)
    watchTables(this)
    // A clock that runs has moved on by now.
    this.#initial = { ...this.state(), clock: { now: toIso(options.start), ...options.clock } }
  }

  get id(): string {
    return this.options.id ?? 'main'
  }

  /** The address that media links and shares begin with, without a slash at the end. */
  get baseUrl(): string {
    return this.#baseUrl
  }

  set baseUrl(baseUrl: string) {
    this.#baseUrl = baseUrl
    this.mediaLinks.forget()
  }

  /** A new id for a record of that table: above all ids so far, with believable gaps, never given twice. */
  nextId(table: TableName): number {
    return this.sequences.next(table)
  }

  /** Fires all that has fallen due, in order of time, each at its own time. What is fired may move the clock on. */
  settle(): void {
    const { changes, script, until } = this.#calm
    if (this.#isSettling || (changes === this.#changes.count && script === this.script && this.clock.now() < until)) return
    this.#isSettling = true
    try {
      let due = nextDue(this)
      for (; due !== undefined && due.at <= this.clock.now(); due = nextDue(this)) this.clock.at(due.at, due.fire)
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
      mediaLinks: this.mediaLinks.state(),
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
    this.mediaLinks.restore(state.mediaLinks)
    this.script.goTo(state.scriptPosition)
    this.journal.writes = state.writes
    this.#calm.changes = -1
    this.notes.restore(state.notes)
  }

  /**
   * Another world with the same records and state; what happens in one is not seen in the other. Its `reset` goes back to now,
   * with what `change` made of it. @throws {SandboxError} before the data are there.
   */
  fork(id = this.id, change: (fork: World) => void = () => {}): World {
    if (this.#origin === undefined) throw new SandboxError('Failed to fork: the sandbox is not ready, and its data are still to come. Await sandbox.ready first.')
    const fork = new World({ ...this.options, id, baseUrl: this.#baseUrl })
    fork.script = new Script(this.script.moments)
    if (this.script.moments.length > 0) fork.#begin(this.beginning, change)
    fork.restore(this.snapshot())
    fork.faker = this.faker === undefined ? undefined : fork.random.faker(this.faker)
    fork.seedTexts = this.seedTexts
    change(fork)
    fork.#origin = fork.snapshot()
    return fork
  }

  /** The faker of a seeded world. @throws {SandboxError} before the data are there. */
  requireFaker(): Faker {
    if (this.faker === undefined) throw new SandboxError('Failed to draw a name or text: the sandbox is not ready. Await sandbox.ready first.')
    return this.faker
  }

  /** The texts of a seeded world. @throws {SandboxError} before the data are there. */
  requireSeedTexts(): SeedTexts {
    if (this.seedTexts === undefined) throw new SandboxError('Failed to find a text: the sandbox is not ready. Await sandbox.ready first.')
    return this.seedTexts
  }

  #begin(beginning: WorldSnapshot, change: (fork: World) => void): void {
    this.restore(beginning)
    change(this)
    this.#beginning = { ...beginning, tables: snapshotTables(this.db) }
  }
}
