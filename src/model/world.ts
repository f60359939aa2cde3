import type { Faker } from '@faker-js/faker'
import { SandboxError } from '../errors.ts'
import { nextDue } from './agenda.ts'
import { Clock } from './clock.ts'
import type { ClockState } from './clock.ts'
import { watchCommentCounts } from './comments.ts'
import { Faults } from './faults.ts'
import { Journal } from './journal.ts'
import { Limits } from './limits.ts'
import { MediaLinks } from './media-links.ts'
import { watchPostCounters } from './post-counters.ts'
import { watchPostPayments } from './post-stats.ts'
import { Random } from './random.ts'
import { RowMemo } from './row-memo.ts'
import { anyTable, createTables, restoreTables, snapshotTables } from './tables.ts'
import type { TableName, Tables, TablesSnapshot } from './tables.ts'
import { watchFanSpend } from './transactions.ts'

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
  sequences: Partial<Record<TableName, number>>
  limits: ReturnType<Limits['state']>
  faults: ReturnType<Faults['state']>
  mediaLinks: ReturnType<MediaLinks['state']>
}

/** A world at one time: pointers to its records and a copy of the rest. */
export interface WorldSnapshot {
  tables: TablesSnapshot
  state: WorldState
}

/** All state of a sandbox. Any number of worlds live side by side and share nothing that changes. */
export class World {
  readonly options: WorldOptions
  readonly db: Tables = createTables()
  readonly clock: Clock
  readonly random: Random
  readonly limits = new Limits()
  readonly faults = new Faults()
  readonly mediaLinks: MediaLinks
  readonly journal: Journal
  /** Rows of busy lists, already written as JSON. */
  readonly rowMemo = new RowMemo()
  /** Draws names and texts from `random`; there once the world is seeded with data. */
  faker: Faker | undefined
  #sequences: Partial<Record<TableName, number>> = {}
  #baseUrl: string
  readonly #initial: WorldState
  #origin: WorldSnapshot | undefined

  constructor(options: WorldOptions) {
    this.options = options
    this.#baseUrl = options.baseUrl
    this.clock = new Clock(options.start, { ...options.clock, onMove: () => this.settle() })
    this.random = new Random(options.seed)
    this.mediaLinks = new MediaLinks(this, `media links of seed ${options.seed}`)
    this.journal = new Journal(options.journalSize)
    this.db.transactions.watch(watchFanSpend(this))
    this.db.transactions.watch(watchPostPayments(this))
    this.db.comments.watch(watchCommentCounts(this))
    this.db.posts.watch(watchPostCounters(this))
    this.#initial = this.state()
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
    const records = anyTable(this.db, table)
    const largest = records.slice(records.size - 1, 1)[0]?.id
    const last = this.#sequences[table] ?? (typeof largest === 'number' ? largest : 1000)
    const id = Math.max(last, typeof largest === 'number' ? largest : 0) + this.random.integer(1, 60)
    this.#sequences[table] = id
    return id
  }

  /** Fires all that has fallen due, in order of time, each at its own time. */
  settle(): void {
    const now = this.clock.now()
    for (let due = nextDue(this, now); due !== undefined; due = nextDue(this, now)) this.clock.at(due.at, due.fire)
  }

  /**
   * Keeps the records now as those that `reset` goes back to, with the clock, windows and faults that the world began with:
   * what was set before its data came does not outlive a reset.
   */
  keepAsOrigin(): void {
    const { random, sequences } = this.state()
    this.#origin = { tables: snapshotTables(this.db), state: { ...this.#initial, random, sequences } }
  }

  /** Goes back to the seeded state: data, clock, windows, faults; the journal is emptied. */
  reset(): void {
    if (this.#origin !== undefined) this.restore(this.#origin)
    this.journal.clear()
  }

  /** The world now. */
  snapshot(): WorldSnapshot {
    return { tables: snapshotTables(this.db), state: this.state() }
  }

  /** Goes back to a snapshot of this world or of one with the same tables. */
  restore(snapshot: WorldSnapshot): void {
    restoreTables(this.db, snapshot.tables)
    this.restoreState(snapshot.state)
  }

  /** Everything but the records, as JSON. */
  state(): WorldState {
    return {
      clock: this.clock.state(),
      random: this.random.state(),
      sequences: { ...this.#sequences },
      limits: this.limits.state(),
      faults: this.faults.state(),
      mediaLinks: this.mediaLinks.state(),
    }
  }

  /** Goes back to a state. */
  restoreState(state: WorldState): void {
    this.clock.restore(state.clock)
    this.random.restore(state.random)
    this.#sequences = { ...state.sequences }
    this.limits.restore(state.limits)
    this.faults.restore(state.faults)
    this.mediaLinks.restore(state.mediaLinks)
  }

  /**
   * Another world with the same records and state; what happens in one is not seen in the other. Its `reset` goes back to now,
   * with what `change` made of it.
   */
  fork(id = this.id, change: (fork: World) => void = () => {}): World {
    const fork = new World({ ...this.options, id, baseUrl: this.#baseUrl })
    fork.restore(this.snapshot())
    fork.faker = this.faker === undefined ? undefined : fork.random.faker(this.faker)
    change(fork)
    fork.#origin = fork.snapshot()
    return fork
  }

  /** The faker of a seeded world. @throws {SandboxError} before the data are there. */
  requireFaker(): Faker {
    if (this.faker === undefined) throw new SandboxError('Failed to draw a name or text: the sandbox is not ready. Await sandbox.ready first.')
    return this.faker
  }
}
