import type { WorldChangesJson } from '../world/snapshot/snapshot.ts'
import { quote, SandboxError } from '../errors.ts'
import { toIso } from '../lib/time.ts'
import { UnknownError } from './check.ts'

/** A snapshot that is kept by name. */
export interface SnapshotSummary {
  name: string
  /** Sandbox time when it was taken, RFC 3339. */
  at: string
  /** Real time when it was taken, RFC 3339; null if the sandbox was given no `realTime`. */
  real_at: string | null
  /** The reason why it was taken; null without one. */
  note: string | null
  scenario: string
}

/** How a snapshot is kept. */
interface Keeping {
  /** @default the next automatic name */
  name?: string | undefined
  note?: string | undefined
  /** Real time, epoch ms. */
  realTime?: number | undefined
}

/** The changes of a world, with the reason and the real time of the snapshot. */
interface KeptSnapshot extends WorldChangesJson {
  note?: string | undefined
  realAt?: string | undefined
}

/** Maximum number of snapshots with a chosen name that a world keeps. */
const maxSnapshots = 20
/** Maximum number of snapshots with an automatic name. The oldest one is removed. */
const maxAutomatic = 5
const automatic = /^auto-([1-9]\d{0,8})$/

/** The snapshots of a world by name. Each holds the changes of the world since its base. */
export class NamedSnapshots {
  readonly #snapshots = new Map<string, KeptSnapshot>()

  /**
   * Keeps a snapshot. One of the same name is replaced. @throws {SandboxError} if there are too
   * many
   */
  keep(
    snapshot: WorldChangesJson,
    { name = this.#nextName(), note, realTime }: Keeping,
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
        `Failed to keep the snapshot ${quote(name)}: a world keeps at most ${maxSnapshots}. Remove ` +
          `one first.`,
      )
    const kept: KeptSnapshot = { ...snapshot }
    if (note !== undefined) kept.note = note
    if (realTime !== undefined) kept.realAt = toIso(realTime)
    this.#snapshots.delete(name)
    this.#snapshots.set(name, kept)
    return summarise(name, kept)
  }

  /** Lists the snapshots, oldest first. */
  list(): SnapshotSummary[] {
    return [...this.#snapshots].map(([name, snapshot]) => summarise(name, snapshot))
  }

  /** @throws {UnknownError} if there is none of that name */
  get(name: string): WorldChangesJson {
    const kept = this.#snapshots.get(name)
    if (kept === undefined)
      throw new UnknownError(
        `Failed to find the snapshot ${quote(name)}: there is none of that name. GET ` +
          `/_sandbox/snapshots lists them.`,
      )
    const { note: _note, realAt: _realAt, ...snapshot } = kept
    return snapshot
  }

  /** @throws {UnknownError} if there is none of that name */
  remove(name: string): void {
    this.get(name)
    this.#snapshots.delete(name)
  }

  /** The snapshots by name, as JSON. */
  state(): Readonly<Record<string, WorldChangesJson>> {
    return Object.fromEntries(this.#snapshots)
  }

  restore(state: Readonly<Record<string, WorldChangesJson>>): void {
    this.#snapshots.clear()
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
