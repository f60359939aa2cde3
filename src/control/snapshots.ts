import type { WorldChangesJson } from '../world/snapshot/snapshot.ts'
import { quote, SandboxError } from '../errors.ts'
import { UnknownError } from './check.ts'

/** A snapshot that is kept by name. */
export interface SnapshotSummary {
  name: string
  /** Sandbox time when it was taken, RFC 3339. */
  at: string
  scenario: string
}

/** Maximum number of snapshots that a world keeps. */
const maxSnapshots = 20

/** The snapshots of a world by name. Each holds the changes of the world since its base. */
export class NamedSnapshots {
  readonly #snapshots = new Map<string, WorldChangesJson>()

  /** Keeps a snapshot. One of the same name is replaced. @throws {SandboxError} if there are too many */
  keep(name: string, snapshot: WorldChangesJson): SnapshotSummary {
    if (!this.#snapshots.has(name) && this.#snapshots.size >= maxSnapshots)
      throw new SandboxError(
        `Failed to keep the snapshot ${quote(name)}: a world keeps at most ${maxSnapshots}. Remove ` +
          `one first.`,
      )
    this.#snapshots.set(name, snapshot)
    return summarise(name, snapshot)
  }

  /** Lists the snapshots, oldest first. */
  list(): SnapshotSummary[] {
    return [...this.#snapshots].map(([name, snapshot]) => summarise(name, snapshot))
  }

  /** @throws {UnknownError} if there is none of that name */
  get(name: string): WorldChangesJson {
    const snapshot = this.#snapshots.get(name)
    if (snapshot === undefined)
      throw new UnknownError(
        `Failed to find the snapshot ${quote(name)}: there is none of that name. GET ` +
          `/_sandbox/snapshots lists them.`,
      )
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
}

function summarise(name: string, { scenario, worldState }: WorldChangesJson): SnapshotSummary {
  return { name, at: worldState.clock.now, scenario }
}
