import type { Faker } from '@faker-js/faker'
import { SandboxError } from '../errors.ts'
import { ActionLog } from './action-log.ts'
import { nextDue } from './agenda.ts'
import { watchChatPayments } from './chat-payments.ts'
import { Clock } from './clock.ts'
import type { ClockState } from './clock.ts'
import { watchCommentCounts } from './comments.ts'
import { watchEarnings, watchStreams } from './earnings.ts'
import { Faults } from './faults.ts'
import { Journal } from './journal.ts'
import { Limits } from './limits.ts'
import { watchMassDeliveries, watchMassPurchases } from './mass-purchases.ts'
import type { LinkHistory } from './link-events.ts'
import type { LinkMetrics } from './link-metrics.ts'
import { watchLinks } from './link-watch.ts'
import { MediaLinks } from './media-links.ts'
import { Notes } from './notes.ts'
import type { Note } from './notes.ts'
import { watchPostCounters } from './post-counters.ts'
import { watchMediaEngagement } from './post-days.ts'
import { watchPostPayments } from './post-stats.ts'
import { watchPublishedDays } from './published-days.ts'
import { Random } from './random.ts'
import type { Recorder } from './recorder.ts'
import { RowMemo } from './row-memo.ts'
import { Script } from './script.ts'
import { watchLastSeen } from './subscriptions.ts'
import { anyTable, createTables, restoreTables, snapshotTables } from './tables.ts'
import type { TableName, Tables, TablesSnapshot } from './tables.ts'
import { createTextSearches } from './text-search.ts'
import type { TextSearches } from './text-search.ts'
import { toIso } from '../schemas/time.ts'
import { watchFanSpend } from './transactions.ts'
import { watchVaultPlaces } from './vault-places.ts'

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
  /** How many moments of the story have been played. */
  scriptPosition: number
  notes: Note[]
}

/** A world at one time: pointers to its records and a copy of the rest. */
export interface WorldSnapshot {
  tables: TablesSnapshot
  state: WorldState
}

/** All state of a sandbox. Any number of worlds live side by side and share nothing that changes. */
export class World {
  readonly options: WorldOptions
  readonly #changes = { count: 0 }
  readonly db: Tables = createTables(this.#changes)
  readonly clock: Clock
  readonly random: Random
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
  #sequences: Partial<Record<TableName, number>> = {}
  #baseUrl: string
  #isSettling = false
  /** Until when nothing falls due, as long as no table changes and the story is this one. */
  #calm = { changes: -1, script: this.script, until: 0 }
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
    this.db.transactions.watch(watchChatPayments(this))
    this.db.transactions.watch(watchEarnings(this))
    this.db.posts.watch(watchStreams(this))
    this.db.posts.watch(watchPublishedDays(this))
    this.db.comments.watch(watchCommentCounts(this))
    this.db.posts.watch(watchPostCounters(this))
    this.db.transactions.watch(watchMassPurchases(this))
    this.db.messages.watch(watchMassDeliveries(this))
    this.db.posts.watch(watchMediaEngagement(this))
    this.db.fans.watch(watchLastSeen(this))
    watchLinks(this)
    watchVaultPlaces(this)
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
    const records = anyTable(this.db, table)
    // Some ids are numbers written as texts, others (such as UUIDs) are no numbers at all.
    const largest = Number(records.slice(records.size - 1, 1)[0]?.id)
    const last = this.#sequences[table] ?? (Number.isSafeInteger(largest) ? largest : 1000)
    const id = Math.max(last, Number.isSafeInteger(largest) ? largest : 0) + this.random.integer(1, 60)
    this.#sequences[table] = id
    return id
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
    this.#origin = { tables: snapshotTables(this.db), state: { ...this.#initial, random, sequences } }
  }

  /** Goes back to the seeded state: data, clock, windows, faults; the journal is emptied. */
  reset(): void {
    if (this.#origin !== undefined) this.restore(this.#origin)
    this.journal.clear()
    this.actionLog.clear()
  }

  /** The seeded state. @throws {SandboxError} before the data are there. */
  get origin(): WorldSnapshot {
    if (this.#origin === undefined) throw new SandboxError('Failed to go back: the sandbox is not ready. Await sandbox.ready first.')
    return this.#origin
  }

  /** The world now. */
  snapshot(): WorldSnapshot {
    return { tables: snapshotTables(this.db), state: this.state() }
  }

  /** Goes back to a snapshot of this world or of one with the same tables. */
  restore(snapshot: WorldSnapshot): void {
    restoreTables(this.db, snapshot.tables)
    this.restoreState(snapshot.state)
    this.journal.tally.dropAfter(this.clock.now())
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
      scriptPosition: this.script.position,
      notes: this.notes.list(),
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
    this.script.position = state.scriptPosition
    this.#calm.changes = -1
    this.notes.restore(state.notes)
  }

  /**
   * Another world with the same records and state; what happens in one is not seen in the other. Its `reset` goes back to now,
   * with what `change` made of it.
   */
  fork(id = this.id, change: (fork: World) => void = () => {}): World {
    const fork = new World({ ...this.options, id, baseUrl: this.#baseUrl })
    fork.script = new Script(this.script.moments)
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
