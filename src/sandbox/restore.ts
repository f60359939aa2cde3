import { SandboxError } from '../errors.ts'
import { parseIso } from '../lib/time.ts'
import type { Scenario } from '../scenario/schema.ts'
import type { TableChangesToLoad } from '../world/snapshot/read-snapshot.ts'
import { renewKeysAfterRestore, requireMemoryForSnapshot } from './active-scenario.ts'
import type { ActiveScenario } from './active-scenario.ts'
import type { ResolvedOptions } from './options.ts'
import { rejectSlowScenario } from '../control/row-limit.ts'
import type { Recordings } from './recordings.ts'
import type { WorldQueue } from './world-queue.ts'

/** The sandbox or isolated world to restore. */
export interface RestoreTarget {
  readonly options: ResolvedOptions
  readonly recordings: Recordings
  readonly active: ActiveScenario
  readonly queue: Pick<WorldQueue, 'slice'>
  readonly worlds: { store: { leases: unknown } | undefined }
  /**
   * Loads another scenario, or the same scenario with another seed or start. `accept` can throw to
   * keep the current scenario.
   */
  replaceScenario: (
    scenario: string | Scenario,
    start: { seed: number; now: number | undefined },
    accept: (next: ActiveScenario) => void,
  ) => Promise<void>
}

/**
 * Restores a snapshot of any scenario and seed. An invalid snapshot leaves the world unchanged.
 * @throws {SandboxError}
 */
export async function restoreSnapshot(target: RestoreTarget, json: unknown): Promise<void> {
  const { readSnapshot, compareWithBase, checkReferences, applySnapshotChanges } =
    await import('../world/snapshot/read-snapshot.ts')
  const { scenario, source, world } = target.active
  const snapshot = readSnapshot(json, world)
  let changes: TableChangesToLoad = new Map()
  const accept = (next: ActiveScenario) => {
    if ('base' in snapshot && snapshot.base !== next.baseName)
      throw new SandboxError(
        `Failed to restore the snapshot (base: ${snapshot.base}): it contains only the changes ` +
          `from that base, but the base of this sandbox is ${next.baseName}. Use a sandbox with ` +
          'the same version, scenario, seed and start, or restore a full snapshot.',
      )
    changes = compareWithBase(next.world, snapshot)
    checkReferences(next.world, changes)
    requireMemoryForSnapshot(next, changes)
  }
  // Loads the snapshot's scenario, seed and start first, because a later `reset` must return to
  // them.
  const { seed, start } = snapshot
  const now = start === undefined ? undefined : parseIso(start)
  const isLoaded =
    snapshot.scenario === scenario &&
    seed === world.options.seed &&
    (now === undefined || now === world.options.start)
  if (isLoaded) accept(target.active)
  else {
    const other = snapshot.scenario === scenario ? source : snapshot.scenario
    await rejectSlowScenario(target.worlds, other, target.options.library)
    await target.replaceScenario(other, { seed, now }, accept)
  }
  const { active, options, recordings } = target
  recordings.noteGap('a snapshot was restored during the recording')
  active.world.replacements += 1
  await target.queue.slice(applySnapshotChanges(active.world, changes, snapshot))
  renewKeysAfterRestore(active, snapshot, options)
}
