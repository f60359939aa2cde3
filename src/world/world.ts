import { ChangeLog } from '../data/change-log.ts'
import { DependencyTracker } from '../data/dependencies.ts'
import type { Changes } from '../data/change-log.ts'
import {
  getTable,
  countTableRows,
  createTables,
  restoreTables,
  snapshotTables,
  listTables,
} from '../data/tables.ts'
import type { AnyTable, TableDefinitions, TablesByName } from '../data/tables.ts'
import { createNotReadyError } from '../errors.ts'
import { JsonFragment } from '../lib/json-fragment.ts'
import type { WithoutFragments } from '../lib/json-fragment.ts'
import { toIsoTime } from '../lib/time.ts'
import { ActionLog } from './action-log.ts'
import { isEffectDue, Timeline } from './timeline.ts'
import type { Factories, FieldsToMake, CreatedRow } from './factory.ts'
import { Faults } from './faults.ts'
import { Journal } from './journal/journal.ts'
import { RateLimiter } from './limits.ts'
import { maxNotes } from './world-state.ts'
import type { Note, WorldSnapshot, WorldState } from './world-state.ts'
import { Random } from './random.ts'
import type { Recorder } from './action-log.ts'
import { Sequences } from './sequences.ts'
import { Services } from './service.ts'
import type { WorldService } from './service.ts'
import type { TenancyTables } from './tenancy/tenancy.table.ts'
import { ViewCache } from './view-cache.ts'
import type { ComputeView } from './view-cache.ts'
import { runToEnd } from './work.ts'
import type { Work } from './work.ts'
import { WorldClock } from './world-clock.ts'
import { mainId } from './world-name.ts'
import type { WorldOptions, WorldRules } from './world-options.ts'

/** Minimum number of rows in a table for its indexes to be prebuilt. */
const largeTable = 5_000

/** The whole state of a sandbox. Worlds share no mutable state. */
export class World<Definitions extends TableDefinitions = TenancyTables> {
  readonly options: WorldOptions
  readonly rules: WorldRules<Definitions, World<Definitions>>
  readonly db: TablesByName<Definitions>
  readonly clock: WorldClock
  readonly random: Random
  readonly sequences: Sequences
  readonly limits = new RateLimiter()
  readonly faults: Faults
  readonly journal: Journal
  readonly actionLog = new ActionLog()
  /** Causes and times of record changes. */
  readonly changeLog: ChangeLog
  /** The story, which plays as the clock moves. */
  timeline: Timeline<World<Definitions>> = new Timeline()
  /** The state with which `changes` compares the current records. @default the initial state */
  checkpoint: WorldSnapshot | undefined
  /** The recorder, during a recording. */
  recorder: Recorder | undefined
  /** Defaults for records that tests and actions create. Undefined until the world is seeded. */
  factories: Factories | undefined
  /**
   * Texts of seeded data, by kind. `requireTexts` returns them with their types. Undefined until
   * the world is seeded.
   */
  texts: object | undefined
  readonly #tables: readonly AnyTable[]
  readonly #changes: Changes
  readonly #services: Services
  readonly #fragments: ViewCache
  readonly #values: ViewCache
  #baseUrl: string
  #servesPictures = false
  /** Captions for viewers, oldest first. */
  #notes: readonly Note[] = []
  #runsEffects = false
  readonly #initial: WorldState
  #origin: WorldSnapshot | undefined
  #beginning: WorldSnapshot | undefined

  constructor(options: WorldOptions, rules: WorldRules<Definitions, World<Definitions>>) {
    const tracker = new DependencyTracker()
    this.options = options
    this.rules = rules
    this.#baseUrl = options.baseUrl
    this.changeLog = new ChangeLog(() => this.clock.now())
    this.#changes = { count: 0, tracker, changeLog: this.changeLog }
    this.clock = new WorldClock(options.start, {
      ...options.clock,
      onMove: () => this.dueEffects(),
      tracker,
    })
    this.#fragments = new ViewCache(tracker, this.#changes, this.clock)
    this.#values = new ViewCache(tracker, this.#changes, this.clock)
    this.db = createTables(
      rules.definitions,
      this.#changes,
      (table, values) => this.factories?.complete(this, table, values) ?? values,
    )
    this.#tables = listTables(this.db)
    this.random = new Random(options.seed)
    this.sequences = new Sequences(this.db, this.random)
    this.faults = new Faults(options.seed)
    this.journal = new Journal(options.journalSize, options.memory, options.credentials)
    this.#services = new Services(this, rules.services, tracker)
    rules.registerListeners(this)
    // The clock is not taken from `state`, because that time would include the real time since the
    // start.
    this.#initial = { ...this.state(), clock: { now: toIsoTime(options.start), ...options.clock } }
  }

  get id(): string {
    return this.options.id ?? mainId
  }

  /** Base URL of media links and share links, without a trailing slash. */
  get baseUrl(): string {
    return this.#baseUrl
  }

  set baseUrl(baseUrl: string) {
    this.#baseUrl = baseUrl
    this.#clearCaches()
  }

  /** True if the host serves the users' pictures under `baseUrl`, as a standalone server does. */
  get servesPictures(): boolean {
    return this.#servesPictures
  }

  set servesPictures(servesPictures: boolean) {
    this.#servesPictures = servesPictures
    this.#clearCaches()
  }

  /** Number of changes to records. */
  get changeCount(): number {
    return this.#changes.count
  }

  /** Returns this world's instance of a service. The instance is created lazily. */
  service<Value>(service: WorldService<Value>): Value {
    return this.#services.get(service)
  }

  /**
   * Returns the value of a view as JSON. The value is cached until a row or a time that the view
   * has read changes.
   * @note The view is part of the cache key, so it must be a function at the top level of a file.
   */
  json<Subject extends object, Row>(
    view: ComputeView<this, Subject, Row>,
    subject: Subject,
  ): JsonFragment<WithoutFragments<Row>>
  json<Subject extends object, Row, Variant>(
    view: ComputeView<this, Subject, Row, Variant>,
    subject: Subject,
    variant: Variant,
  ): JsonFragment<WithoutFragments<Row>>
  json<Subject extends object, Row, Variant>(
    view: ComputeView<this, Subject, Row, Variant>,
    subject: Subject,
    variant?: Variant,
  ): JsonFragment {
    const cached = this.#fragments.get(view, subject, variant)
    if (cached !== undefined) return cached.value as JsonFragment
    return this.#fragments.set(
      { view, subject, variant },
      () => new JsonFragment(view(this, subject, variant as Variant)),
    )
  }

  /**
   * Returns the value of a view. The value is cached in the same way as in `json`. Do not modify
   * it.
   */
  cached<Subject extends object, Value>(
    view: ComputeView<this, Subject, Value>,
    subject: Subject,
  ): Value
  cached<Subject extends object, Value, Variant>(
    view: ComputeView<this, Subject, Value, Variant>,
    subject: Subject,
    variant: Variant,
  ): Value
  cached<Subject extends object, Value, Variant>(
    view: ComputeView<this, Subject, Value, Variant>,
    subject: Subject,
    variant?: Variant,
  ): Value {
    const cached = this.#values.get(view, subject, variant)
    if (cached !== undefined) return cached.value as Value
    return this.#values.set({ view, subject, variant }, () =>
      view(this, subject, variant as Variant),
    )
  }

  /**
   * Returns a new unique id for a table. The id is larger than all previous ids, with a realistic
   * gap.
   */
  nextId(table: keyof Definitions & string): number {
    return this.sequences.next(table)
  }

  /**
   * Adds a record and returns the stored record. Missing fields get plausible defaults. With a
   * `trait`, also adds the records that belong to it.
   * @throws {SandboxError}
   */
  make<Name extends keyof Definitions & string>(
    table: Name,
    fields: FieldsToMake<Definitions[Name]> & { trait?: string } = {},
  ): CreatedRow<Definitions[Name]> {
    const values = fields as Readonly<Record<string, unknown>>
    const row =
      values['trait'] !== undefined && this.factories !== undefined
        ? this.factories.makeWithTrait(this, table, values)
        : getTable(this.db, table).insert(
            (this.factories?.complete(this, table, values) ?? fields) as never,
          )
    return row as unknown as CreatedRow<Definitions[Name]>
  }

  /** Adds a caption. Drops the oldest caption if there are too many. */
  addNote(text: string): void {
    this.#notes = [...this.#notes, { at: this.clock.iso(), text }].slice(-maxNotes)
  }

  /** Runs the effects that are due in order, each at its own time. */
  runDueEffects(): void {
    if (this.hasDueEffects) runToEnd(this.dueEffects())
  }

  /**
   * Like `runDueEffects`, but returns `Work` with one effect per unit. An effect may move the
   * clock.
   */
  *dueEffects(): Work {
    if (!this.hasDueEffects) return
    this.#runsEffects = true
    try {
      for (
        let due = this.rules.nextDue(this);
        due !== undefined && due.at <= this.clock.now();
        due = this.rules.nextDue(this)
      ) {
        const { at, fire } = due
        this.changeLog.runWithCause({ by: 'clock', id: null, text: 'the clock' }, () =>
          this.clock.at(at, fire),
        )
        yield
      }
    } finally {
      this.#runsEffects = false
    }
  }

  /** True if an effect is due and has not run yet. False while effects are running. */
  get hasDueEffects(): boolean {
    if (this.#runsEffects) return false
    return this.cached(isEffectDue, this.timeline, this.timeline.position)
  }

  /**
   * Makes `reset` restore the current records. `reset` still restores the initial clock, rate
   * windows and faults, so it drops a fault that was added during seeding.
   */
  saveAsOrigin(): void {
    const { random, sequences } = this.state()
    this.#origin = {
      tables: snapshotTables(this.db),
      state: { ...this.#initial, random, sequences },
      lastAction: 0,
      lastChange: 0,
    }
    this.#beginning = this.#origin
    this.changeLog.dropAfter(0)
  }

  /** Starts with the initial state of another world that was seeded with the same options. */
  beginWith({ tables, state: { random, sequences } }: WorldSnapshot): void {
    restoreTables(this.db, tables)
    this.random.restore(random)
    this.sequences.restore(sequences)
    this.saveAsOrigin()
  }

  /** Number of times that a reset or a snapshot replaced the state. */
  replacements = 0

  /** Restores the initial data, clock, rate windows and faults. Clears the journal. */
  reset(): void {
    this.replacements += 1
    this.faults.noteReset()
    if (this.isSeeded) this.restore(this.origin)
    this.checkpoint = undefined
    this.journal.clear()
    this.actionLog.dropAfter(0)
  }

  /** True if the world has its data. */
  get isSeeded(): boolean {
    return this.#origin !== undefined
  }

  /** @throws {SandboxError} if the world has no data yet */
  requireSeeded(verb: string): void {
    if (!this.isSeeded) throw createNotReadyError(verb)
  }

  /**
   * The snapshot that `reset` restores.
   * @throws {SandboxError} if the world has no data yet
   */
  get origin(): WorldSnapshot {
    if (this.#origin === undefined) throw createNotReadyError('read the origin')
    return this.#origin
  }

  /**
   * Snapshot of the world at the start of the story. This is the state that `reset` restores. In a
   * fork, it is the state at the start of the original world's story.
   * @throws {SandboxError} if the world has no data yet
   */
  get beginning(): WorldSnapshot {
    return this.#beginning ?? this.origin
  }

  /** Creates all records, and the indexes of large tables. Each table is one unit of work. */
  *preparing(): Work {
    for (const table of this.#tables) {
      if (table.size >= largeTable) table.buildIndexes()
      yield
    }
  }

  snapshot(): WorldSnapshot {
    return {
      tables: snapshotTables(this.db),
      state: this.state(),
      lastAction: this.actionLog.lastId,
      lastChange: this.changeLog.last,
    }
  }

  /**
   * Runs an effect as a transaction. If it throws, its changes are rolled back. The cost depends on
   * the number of changes, not on the size of the data.
   */
  attempt<Result>(effect: () => Result): Result {
    const outer = this.#changes.undo
    const undo: (() => void)[] = []
    const state = this.state()
    const { lastId } = this.actionLog
    const { last } = this.changeLog
    const restoreClock = this.clock.checkpoint()
    this.#changes.undo = undo
    try {
      const result = effect()
      for (const undoChange of undo) outer?.push(undoChange)
      return result
    } catch (error) {
      this.#changes.undo = undefined
      for (const undoChange of undo.toReversed()) undoChange()
      this.restoreState(state)
      this.actionLog.dropAfter(lastId)
      this.changeLog.dropAfter(last)
      restoreClock()
      throw error
    } finally {
      this.#changes.undo = outer
    }
  }

  /**
   * Checks that memory is available for another row.
   * @throws {MemoryLimitError}
   */
  requireRoom(verb: string): void {
    const { memory } = this.options
    if (memory?.isFull === true) {
      this.#clearCaches()
      for (const table of this.#tables) table.updateIndexes()
    }
    memory?.require(verb)
    memory?.requireRows(countTableRows(this.#tables) + 1, verb)
  }

  /** Releases the memory that the journal and the caches use. */
  release(): void {
    this.journal.clear()
    this.#clearCaches()
  }

  /** Restores a snapshot of this world, or of another world with the same tables. */
  restore(snapshot: WorldSnapshot): void {
    restoreTables(this.db, snapshot.tables)
    this.changeLog.startHistory()
    this.restoreState(snapshot.state)
    this.actionLog.dropAfter(snapshot.lastAction)
    this.changeLog.dropAfter(snapshot.lastChange)
    this.journal.tally.dropAfter(this.clock.now())
  }

  state(): WorldState {
    return {
      clock: this.clock.state(),
      random: this.random.state(),
      sequences: this.sequences.state(),
      limits: this.limits.state(),
      faults: this.faults.state(),
      ...this.#services.state(),
      scriptPosition: this.timeline.position,
      writes: this.journal.writes,
      notes: [...this.#notes],
    }
  }

  restoreState(state: WorldState): void {
    this.clock.restore(state.clock)
    this.random.restore(state.random)
    this.sequences.restore(state.sequences)
    this.limits.restore(state.limits)
    this.faults.restore(state.faults)
    this.#services.restore(state)
    this.timeline.setPosition(state.scriptPosition)
    this.journal.writes = state.writes
    this.#notes = state.notes.slice(-maxNotes)
  }

  /**
   * Copies a snapshot of another world with the same story into this world, then applies `change`.
   * @default snapshot: the current state
   */
  replaceWith(
    other: World<Definitions>,
    change: (world: World<Definitions>) => void = () => {},
    snapshot: WorldSnapshot = other.snapshot(),
  ): void {
    if (other.timeline.steps.length > 0) {
      const { beginning } = other
      this.restore(beginning)
      change(this)
      this.#beginning = { ...beginning, tables: snapshotTables(this.db) }
    }
    this.restore(snapshot)
    change(this)
    this.saveStateAsOrigin()
  }

  /** Makes `reset` restore the whole current state. */
  saveStateAsOrigin(): void {
    this.#origin = this.snapshot()
  }

  #clearCaches(): void {
    this.#fragments.clear()
    this.#values.clear()
  }
}
