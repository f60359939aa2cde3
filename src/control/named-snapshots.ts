import type { WorldChangesJson } from '../world/snapshot/snapshot.ts'
import { quoteText, SandboxError } from '../errors.ts'
import { toIsoTime } from '../lib/time.ts'
import { NotFoundError } from '../api/check-input.ts'
import type { DoneAction } from '../world/action-log.ts'

/** A named snapshot. */
export interface SnapshotSummary {
  name: string
  /** Sandbox time when the snapshot was taken, RFC 3339. */
  at: string
  /** Real time when the snapshot was taken, RFC 3339, or null without the option `realTime`. */
  real_at: string | null
  /** Note about the snapshot, or null. */
  note: string | null
  scenario: string
}

/** Options for saving a snapshot. */
interface SaveSnapshotOptions {
  /**
   * Name of the snapshot.
   * @default the next automatic name
   */
  name?: string | undefined
  note?: string | undefined
  /** Current real time, epoch ms. */
  realTime?: number | undefined
  /** Logs of the world at that time. */
  logs: SnapshotLogs
}

/** Logs that a snapshot does not contain as JSON. They are lost when the server stops. */
interface SnapshotLogs {
  /** Identifies the history of the world's changes. */
  history: object
  /** The actions so far, oldest first. */
  actions: readonly DoneAction[]
}

/** A stored snapshot: the changes to a world, a note, and the real time. */
interface KeptSnapshot extends WorldChangesJson {
  note?: string | undefined
  realAt?: string | undefined
}

/** Maximum number of named snapshots of a world. */
const maxSnapshots = 20
/**
 * Maximum number of automatic snapshots. If there are more, the oldest automatic snapshots are
 * removed.
 */
const maxAutomatic = 5
const automatic = /^auto-([1-9]\d{0,8})$/

/** The named snapshots of a world. Each contains the changes since the world's base rows. */
export class NamedSnapshots {
  readonly #snapshots = new Map<string, KeptSnapshot>()
  readonly #logs = new Map<string, SnapshotLogs>()

  /**
   * Saves a snapshot, replacing one of the same name.
   *
   * @throws {SandboxError} if there are too many
   */
  save(
    snapshot: WorldChangesJson,
    { name = this.#nextName(), note, realTime, logs }: SaveSnapshotOptions,
  ): SnapshotSummary {
    const isAutomatic = automatic.test(name)
    const others = [...this.#snapshots.keys()].filter(
      (each) => each !== name && automatic.test(each) === isAutomatic,
    )
    if (isAutomatic)
      for (const old of others.slice(0, Math.max(0, others.length + 1 - maxAutomatic)))
        this.#snapshots.delete(old)
    else if (others.length >= maxSnapshots)
      throw new SandboxError(
        `Failed to save the snapshot ${quoteText(name)}: the world already has ${maxSnapshots} ` +
          'snapshots, which is the limit. Remove one first.',
      )
    const kept: KeptSnapshot = { ...snapshot }
    if (note !== undefined) kept.note = note
    if (realTime !== undefined) kept.realAt = toIsoTime(realTime)
    this.#snapshots.delete(name)
    this.#snapshots.set(name, kept)
    this.#logs.set(name, logs)
    return summarise(name, kept)
  }

  /** Lists the snapshots, oldest first. */
  list(): SnapshotSummary[] {
    return [...this.#snapshots].map(([name, snapshot]) => summarise(name, snapshot))
  }

  /** Lists the snapshots taken since the given history began, oldest first. */
  listOfHistory(history: object): SnapshotSummary[] {
    return this.list().filter(({ name }) => this.#logs.get(name)?.history === history)
  }

  /** @throws {NotFoundError} if no snapshot has the name */
  get(name: string): WorldChangesJson {
    const kept = this.#snapshots.get(name)
    if (kept === undefined)
      throw new NotFoundError(
        `Failed to find the snapshot ${quoteText(name)}: it does not exist. GET /_sandbox/snapshots ` +
          'lists the snapshots.',
      )
    const { note: _note, realAt: _realAt, ...snapshot } = kept
    return snapshot
  }

  /** Returns the actions before a snapshot, oldest first. Empty if they are unknown. */
  getActions(name: string): readonly DoneAction[] {
    return this.#logs.get(name)?.actions ?? []
  }

  /** @throws {NotFoundError} if no snapshot has the name */
  remove(name: string): void {
    this.get(name)
    this.#snapshots.delete(name)
    this.#logs.delete(name)
  }

  /** Returns the snapshots by name, as JSON. */
  state(): Readonly<Record<string, WorldChangesJson>> {
    return Object.fromEntries(this.#snapshots)
  }

  restore(state: Readonly<Record<string, WorldChangesJson>>): void {
    this.#snapshots.clear()
    this.#logs.clear()
    for (const [name, snapshot] of Object.entries(state)) this.#snapshots.set(name, snapshot)
  }

  #nextName(): string {
    const numbers = [...this.#snapshots.keys()].map((name) =>
      Number(automatic.exec(name)?.[1] ?? 0),
    )
    return `auto-${Math.max(0, ...numbers) + 1}`
  }
}

function summarise(
  name: string,
  { scenario, worldState, realAt, note }: KeptSnapshot,
): SnapshotSummary {
  const { now: at } = worldState.clock
  return { name, at, real_at: realAt ?? null, note: note ?? null, scenario }
}
