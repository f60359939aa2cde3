import type { z } from 'zod'
import { notReady } from '../errors.ts'
import { ActionLog } from './action-log.ts'
import { Clock } from './clock.ts'
import type { ClockState } from './clock.ts'
import type { Due } from './due.ts'
import { Faults } from './faults.ts'
import { Journal } from './journal.ts'
import type { CredentialForms } from '../lib/credentials.ts'
import { JsonFragment } from '../lib/json-fragment.ts'
import type { WithoutFragments } from '../lib/json-fragment.ts'
import { Limits } from './limits.ts'
import type { MemoryLimit } from './memory-limit.ts'
import { Notes } from './notes.ts'
import type { Note } from './notes.ts'
import { Services } from './service.ts'
import type { FieldsToMake, Factories } from './factory.ts'
import type { WorldService, PersistedService } from './service.ts'
import { publicHost } from './public-files.ts'
import { Random } from './random.ts'
import { DependencyTracker } from '../data/dependencies.ts'
import type { Dependencies } from '../data/dependencies.ts'
import type { Recorder } from './recorder.ts'
import { Timeline } from './timeline.ts'
import { Sequences } from './sequences.ts'
import type { LargestIds } from './sequences.ts'
import type { Changes } from '../data/changes.ts'
import {
  anyTable,
  createTables,
  countTableRows,
  restoreTables,
  snapshotTables,
  tablesIn,
} from '../data/tables.ts'
import type {
  AnyTableDefinition,
  TableDefinitions,
  TablesOf,
  TablesSnapshot,
} from '../data/tables.ts'
import type { TenancyTables } from './tenancy/tenancy.table.ts'
import { toIso } from '../lib/time.ts'
import { ChangeLog } from '../data/change-log.ts'
import type { VariationChoice } from './variation-choice.ts'
import { ViewCache } from './view-cache.ts'
import type { View } from './view-cache.ts'
import { finish } from './work.ts'
import type { Work } from './work.ts'
import { mainId } from './world-name.ts'

/** The options of a world. Times are epoch ms. */
export interface WorldOptions {
  /** The id of the world, which its media links contain. @default 'main' */
  id?: string
  seed: number
  start: number
  clock: { mode: 'frozen' | 'running'; rate: number }
  baseUrl: string
  /** How long new media take until they are ready. */
  transcodingMs: number
  journalSize: number
  /** How answers vary until somebody says otherwise. @default not at all */
  variation?: VariationChoice | undefined
  /** What is to be known around the world, told by whoever hosts it. Forks share it. */
  conditions?: Conditions
  /** The memory that this world shares with others. @default unlimited */
  memory?: MemoryLimit
  /** How to tell the credentials of other services. @default the usual forms */
  credentials?: CredentialForms
}

/** What is to be known around a world: `GET /health` says so. */
export interface Conditions {
  /**
   * Of all that the data and the answers follow from: servers with the same digest answer the same.
   * Absent where nothing is served.
   */
  digest?: string
  /**
   * Of the file that keeps the world, `failing since …`; absent while it is written, or when there
   * is none.
   */
  state?: string
}

/** How to fork a world. */
export interface ForkOptions<World> {
  /** The id of the new world. @default that of the forked one */
  id?: string
  /**
   * Whether it gets the present records and state, or those that `reset` goes back to. @default
   * 'present'
   */
  from?: 'present' | 'origin'
  /** Applied to the new world. Its `reset` goes back to the result. */
  change?: (fork: World) => void
}

/**
 * What all worlds of one kind share: their tables, and the rules by which the tables follow the
 * clock and one another.
 */
export interface WorldRules<Definitions extends TableDefinitions> {
  definitions: Definitions
  /** The state of resources that snapshots hold. */
  parts: readonly PersistedService[]
  /** Attaches the listeners that keep derived records up to date. */
  attachListeners(world: World<Definitions>): void
  /** The first effect that falls due by the clock; undefined when there is none. */
  nextDue(world: World<Definitions>): Due | undefined
}

/** The state of a world without its records, as JSON. */
export interface WorldState {
  clock: ClockState
  random: number[]
  sequences: LargestIds
  limits: ReturnType<Limits['state']>
  faults: ReturnType<Faults['state']>
  /** The number of moments of the story that have been played. */
  scriptPosition: number
  /** The number of requests that may have written something. */
  writes: number
  notes: Note[]
  /** The saved part of a resource, by its name. */
  [part: string]: unknown
}

/** A snapshot of a world: pointers to its records and a copy of its state. */
export interface WorldSnapshot {
  tables: TablesSnapshot
  state: WorldState
  /** The id of the last action. */
  lastAction: number
  /** The number of the last change of a record. */
  lastChange: number
}

/** A record of a table. */
type Made<Definition extends AnyTableDefinition> = Readonly<z.output<Definition['schema']>>

/**
 * When nothing falls due, and what that follows from: the place in the story, and what was read.
 */
interface Calm {
  until: number
  timeline: object
  position: number
  reads: Dependencies
  /** The count of changes at which it was last found to hold. */
  changes: number
}

/** Building an index of so many records takes longer than a request may wait. */
const largeTable = 5_000

/**
 * The whole state of a sandbox. Many worlds can live side by side, because they share nothing that
 * changes.
 */
export class World<Definitions extends TableDefinitions = TenancyTables> {
  readonly options: WorldOptions
  readonly rules: WorldRules<Definitions>
  readonly #changes: Changes
  readonly db: TablesOf<Definitions>
  readonly clock: Clock
  readonly random: Random
  readonly sequences: Sequences
  readonly limits = new Limits()
  readonly faults: Faults
  readonly journal: Journal
  readonly actionLog = new ActionLog()
  /** What changed the records, and when. */
  readonly changeLog: ChangeLog
  /** Captions for the audience. */
  readonly notes = new Notes()
  /** The story that plays as the clock moves on. */
  timeline: Timeline<World<Definitions>> = new Timeline()
  /** Records what changes this world, during a recording. */
  recorder: Recorder | undefined
  /** Completes records that somebody makes by hand. Undefined until the world is seeded. */
  factories: Factories | undefined
  /**
   * The texts of seeded data, by kind. Undefined until the world is seeded. `textsOf` knows the
   * types.
   */
  texts: object | undefined
  readonly #services: Services
  readonly #tracker = new DependencyTracker()
  readonly #views: ViewCache
  #baseUrl: string
  #servesPictures = false
  #isSettling = false
  /** Nothing falls due before its end, as long as it holds. */
  #calm: Calm | undefined
  readonly #initial: WorldState
  #origin: WorldSnapshot | undefined
  /**
   * The start of the story. It is the origin, but in a fork it is the start of the world that was
   * forked.
   */
  #beginning: WorldSnapshot | undefined

  constructor(options: WorldOptions, rules: WorldRules<Definitions>) {
    this.options = options
    this.rules = rules
    this.#baseUrl = options.baseUrl
    this.changeLog = new ChangeLog(() => this.clock.now())
    this.#changes = { count: 0, tracker: this.#tracker, changeLog: this.changeLog }
    this.#views = new ViewCache(
      this.#tracker,
      { changes: () => this.#changes.count, now: () => this.clock.now() },
      options.memory,
    )
    this.db = createTables(rules.definitions, this.#changes, (table, values) => {
      return this.factories?.complete(this, table, values) ?? values
    })
    this.clock = new Clock(options.start, {
      ...options.clock,
      onMove: () => this.dueEffects(),
      tracker: this.#tracker,
    })
    this.random = new Random(options.seed)
    this.sequences = new Sequences(this.db, this.random)
    this.faults = new Faults(options.seed)
    this.journal = new Journal(options.journalSize, options.memory, options.credentials)
    this.#services = new Services(this, rules.parts, this.#tracker)
    rules.attachListeners(this)
    // `state` would give a running clock the time that has passed since its start.
    this.#initial = { ...this.state(), clock: { now: toIso(options.start), ...options.clock } }
  }

  get id(): string {
    return this.options.id ?? mainId
  }

  /** The address at the start of media links and shares, without a trailing slash. */
  get baseUrl(): string {
    return this.#baseUrl
  }

  set baseUrl(baseUrl: string) {
    this.#baseUrl = baseUrl
    this.#views.clear()
  }

  /**
   * Whether its host serves the pictures of users under the base address, as a standalone server
   * does.
   */
  get servesPictures(): boolean {
    return this.#servesPictures
  }

  set servesPictures(servesPictures: boolean) {
    this.#servesPictures = servesPictures
    this.#views.clear()
  }

  /**
   * Where the pictures of users are: at the platform's public host, or under the base address of a
   * standalone server.
   */
  get publicUrl(): string {
    return this.servesPictures ? this.baseUrl : publicHost
  }

  /** How often records have changed. */
  get changeCount(): number {
    return this.#changes.count
  }

  /**
   * The state that a resource keeps in this world besides its records. It is created on first use.
   */
  service<Value>(service: WorldService<Value>): Value {
    return this.#services.get(service)
  }

  /**
   * What a view shows of a record, written as JSON once and kept while all that the view read, of
   * tables and of the clock, is as it was.
   * @note Only a function at the top level of a file finds again what it wrote.
   */
  written<Subject extends object, Row>(
    view: View<this, Subject, Row>,
    subject: Subject,
  ): JsonFragment<WithoutFragments<Row>>
  written<Subject extends object, Row, Variant>(
    view: View<this, Subject, Row, Variant>,
    subject: Subject,
    variant: Variant,
  ): JsonFragment<WithoutFragments<Row>>
  written<Subject extends object, Row, Variant>(
    view: View<this, Subject, Row, Variant>,
    subject: Subject,
    variant?: Variant,
  ): JsonFragment {
    const known = this.#views.known(view, subject, variant, true)
    if (known !== undefined) return known.value as JsonFragment
    return this.#views.make(
      { view, subject, variant, isWritten: true },
      () => new JsonFragment(view(this, subject, variant as Variant)),
    )
  }

  /** The same for what is not shown as it is, such as sums: nobody may change it. */
  known<Subject extends object, Value>(view: View<this, Subject, Value>, subject: Subject): Value
  known<Subject extends object, Value, Variant>(
    view: View<this, Subject, Value, Variant>,
    subject: Subject,
    variant: Variant,
  ): Value
  known<Subject extends object, Value, Variant>(
    view: View<this, Subject, Value, Variant>,
    subject: Subject,
    variant?: Variant,
  ): Value {
    const known = this.#views.known(view, subject, variant, false)
    if (known !== undefined) return known.value as Value
    return this.#views.make({ view, subject, variant, isWritten: false }, () =>
      view(this, subject, variant as Variant),
    )
  }

  /**
   * A new id for a record of a table. It is larger than all ids so far, leaves a realistic gap, and
   * is never given twice.
   */
  nextId(table: keyof Definitions & string): number {
    return this.sequences.next(table)
  }

  /**
   * Adds a record and returns it as stored. What is left out gets a believable default. @throws
   * {SandboxError}
   */
  make<Name extends keyof Definitions & string>(
    table: Name,
    fields: FieldsToMake<Definitions[Name]> = {},
  ): Made<Definitions[Name]> {
    const whole =
      this.factories?.complete(this, table, fields as Readonly<Record<string, unknown>>) ?? fields
    return anyTable(this.db, table).insert(whole as never) as unknown as Made<Definitions[Name]>
  }

  /**
   * Runs every effect that has fallen due, in order of time, each at its own time. An effect may
   * move the clock on.
   */
  runDueEffects(): void {
    if (this.hasDueEffects) finish(this.dueEffects())
  }

  /** The same as work, one effect in a unit. */
  *dueEffects(): Work {
    if (!this.hasDueEffects) return
    this.#isSettling = true
    try {
      for (
        let due = this.#nextDue();
        due !== undefined && due.at <= this.clock.now();
        due = this.#nextDue()
      ) {
        const { at, fire } = due
        this.changeLog.during({ by: 'clock', id: null, text: 'the clock' }, () =>
          this.clock.at(at, fire),
        )
        yield
      }
    } finally {
      this.#isSettling = false
    }
  }

  /**
   * True if an effect has fallen due that has not run yet. False while effects run.
   */
  get hasDueEffects(): boolean {
    if (this.#isSettling || this.#isCalm()) return false
    const due = this.#nextDue()
    return due !== undefined && due.at <= this.clock.now()
  }

  /**
   * Makes the present records the ones that `reset` goes back to. Clock, rate windows and faults go
   * back to the start of the world, so that a fault that was added before the data came does not
   * outlive a reset.
   */
  keepAsOrigin(): void {
    const { random, sequences } = this.state()
    const tables = snapshotTables(this.db)
    this.#origin = {
      tables,
      state: { ...this.#initial, random, sequences },
      lastAction: 0,
      lastChange: 0,
    }
    this.#beginning = this.#origin
    this.changeLog.dropAfter(0)
  }

  /**
   * Takes over the origin of a world that was seeded from the same: its records, and what was drawn
   * for them.
   */
  beginWith({ tables, state: { random, sequences } }: WorldSnapshot): void {
    restoreTables(this.db, tables)
    this.random.restore(random)
    this.sequences.restore(sequences)
    this.keepAsOrigin()
  }

  /**
   * Goes back to the seeded state, with its data, clock, rate windows and faults, and empties the
   * journal.
   */
  reset(): void {
    if (this.isSeeded) this.restore(this.origin)
    this.journal.clear()
    this.actionLog.dropAfter(0)
  }

  /** True once the data are there. */
  get isSeeded(): boolean {
    return this.#origin !== undefined
  }

  /** @throws {SandboxError} before the data are there. */
  requireSeeded(verb: string): void {
    if (!this.isSeeded) throw notReady(verb)
  }

  /** The snapshot that `reset` goes back to. @throws {SandboxError} before the data are there. */
  get origin(): WorldSnapshot {
    if (this.#origin === undefined) throw notReady('go back')
    return this.#origin
  }

  /**
   * The snapshot at the start of the story. It is `origin`, except in a fork, whose origin may lie
   * in the middle of the story.
   * @throws {SandboxError} before the data are there.
   */
  get beginning(): WorldSnapshot {
    const { origin } = this
    return this.#beginning ?? origin
  }

  /** Builds the indexes of large tables ahead of the first read, one table at a time. */
  *preparing(): Work {
    for (const table of tablesIn(this.db)) {
      if (table.size < largeTable) continue
      table.buildIndexes()
      yield
    }
  }

  /** Takes a snapshot of the world. */
  snapshot(): WorldSnapshot {
    return {
      tables: snapshotTables(this.db),
      state: this.state(),
      lastAction: this.actionLog.lastId,
      lastChange: this.changeLog.last,
    }
  }

  /**
   * Runs an effect. When it fails, the world goes back to where it was. The cost depends on what
   * the effect changes, not on the data.
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

  /** Requires room for more rows. @throws {MemoryLimitError} */
  requireRoom(verb: string): void {
    const { memory } = this.options
    memory?.require(verb)
    memory?.requireRows(countTableRows(this.db) + 1, verb)
  }

  /** Releases what the world holds of a memory limit. */
  release(): void {
    this.journal.clear()
    this.#views.clear()
  }

  /** Goes back to a snapshot of this world or of one with the same tables. */
  restore(snapshot: WorldSnapshot): void {
    restoreTables(this.db, snapshot.tables)
    this.restoreState(snapshot.state)
    this.actionLog.dropAfter(snapshot.lastAction)
    this.changeLog.dropAfter(snapshot.lastChange)
    this.journal.tally.dropAfter(this.clock.now())
  }

  /** The state without the records, as JSON. */
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
    this.#services.restore(state)
    this.timeline.goTo(state.scriptPosition)
    this.journal.writes = state.writes
    this.#calm = undefined
    this.notes.restore(state.notes)
  }

  /**
   * Makes another world with the same records and state. What happens in one world does not show in
   * the other.
   * @throws {SandboxError} before the data are there.
   */
  fork({
    id = this.id,
    from = 'present',
    change = () => {},
  }: ForkOptions<World<Definitions>> = {}): World<Definitions> {
    this.requireSeeded('fork')
    const snapshot = from === 'present' ? this.snapshot() : this.origin
    const { memory } = this.options
    memory?.require('make a world')
    const isOfThisSandbox = id !== this.id
    const fork = new World(
      {
        ...this.options,
        id,
        baseUrl: this.baseUrl,
        memory: isOfThisSandbox ? memory : memory?.again(),
      },
      this.rules,
    )
    fork.servesPictures = this.servesPictures
    fork.timeline = new Timeline(this.timeline.moments.again())
    fork.texts = this.texts
    fork.factories = this.factories
    fork.#takeOver(this, snapshot, change)
    return fork
  }

  /**
   * Becomes what another world with the same story is now, as if it had been forked from it only
   * now. `change` is applied to it then.
   */
  become(other: World<Definitions>, change: (world: World<Definitions>) => void): void {
    this.#takeOver(other, other.snapshot(), change)
  }

  /** Finds what falls due next, and remembers what that follows from. */
  #nextDue(): Due | undefined {
    const { value: due, reads } = this.#tracker.watch(() => this.rules.nextDue(this))
    const { timeline } = this
    const calm = {
      until: due?.at ?? Infinity,
      timeline,
      position: timeline.position,
      reads,
      changes: this.#changes.count,
    }
    this.#calm = reads.isFleeting ? undefined : calm
    return due
  }

  /** Whether what falls due next is known, and is still to come. */
  #isCalm(): boolean {
    const calm = this.#calm
    if (
      calm === undefined ||
      calm.timeline !== this.timeline ||
      calm.position !== this.timeline.position
    )
      return false
    const now = this.clock.now()
    if (now >= calm.until || !calm.reads.hold(() => now, calm.changes === this.#changes.count))
      return false
    calm.changes = this.#changes.count
    return true
  }

  #takeOver(
    other: World<Definitions>,
    snapshot: WorldSnapshot,
    change: (world: World<Definitions>) => void,
  ): void {
    if (other.timeline.moments.length > 0) this.#begin(other.beginning, change)
    this.restore(snapshot)
    change(this)
    this.#origin = this.snapshot()
  }

  #begin(beginning: WorldSnapshot, change: (fork: World<Definitions>) => void): void {
    this.restore(beginning)
    change(this)
    this.#beginning = { ...beginning, tables: snapshotTables(this.db) }
  }
}
