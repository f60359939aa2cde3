import type { JsonText } from '../world/snapshot/json-in-units.ts'
import type { KeptRows } from '../world/snapshot/kept-rows.ts'
import { fromIso } from '../lib/time.ts'
import { version } from '../generated/version.ts'
import type { Scenario } from '../scenario/schema.ts'
import { renewKeysAfter, requireSnapshotRoom } from './loaded-scenario.ts'
import type { LoadedScenario } from './loaded-scenario.ts'
import type { ResolvedOptions } from './options.ts'
import type { Recordings } from './recordings.ts'
import type { WorldQueue } from './world-queue.ts'

/** The sandbox, or the isolated world, that a snapshot is restored to. */
export interface RestoreTarget {
  readonly options: ResolvedOptions
  readonly queue: WorldQueue
  readonly recordings: Recordings
  readonly loaded: LoadedScenario
  /** Loads another scenario, or the same one with another seed or start. */
  replaceScenario: (
    scenario: string | Scenario,
    start: { seed: number; now: number | undefined },
  ) => Promise<void>
}

/**
 * Goes back to a snapshot of any scenario and seed. A refused snapshot changes nothing.
 * @throws {SandboxError}
 */
export async function restoreSnapshot(target: RestoreTarget, json: unknown): Promise<void> {
  const { parsingSnapshot, loadingJson } = await import('../world/snapshot/checked-snapshot.ts')
  const { queue, options } = target
  const kept = await keptFor(target, json)
  const snapshot = await queue.slice(
    parsingSnapshot(json, { rules: target.loaded.world.rules, release: version, kept }),
  )
  // `reset` must go back to the state of the snapshot, so its scenario, seed and start are loaded
  // first.
  const { scenario, source, world } = target.loaded
  const { seed, start } = snapshot
  const now = start === undefined ? undefined : fromIso(start)
  if (snapshot.scenario !== scenario) await target.replaceScenario(snapshot.scenario, { seed, now })
  else if (seed !== world.options.seed || (now !== undefined && now !== world.options.start))
    await target.replaceScenario(source, { seed, now })
  target.recordings.noteGap('a snapshot was restored while it ran')
  const { loaded } = target
  requireSnapshotRoom(loaded, snapshot)
  const load = await queue.slice(loadingJson(loaded.world, snapshot))
  load()
  renewKeysAfter(loaded, snapshot, options)
}

/** Restores a snapshot from its text. @throws {SandboxError} @throws {SyntaxError} */
export async function restoreText(target: RestoreTarget, text: JsonText): Promise<void> {
  const { parseHead, parsingJson } = await import('../world/snapshot/json-in-units.ts')
  const kept = await keptFor(target, parseHead(text, 'tables'))
  const json = await target.queue.slice(
    parsingJson(text, ([part, table], value) =>
      part === 'tables' ? (kept.find(table, value) ?? value) : value,
    ),
  )
  await restoreSnapshot(target, json)
}

/** Finds the rows that a snapshot shares with the current scenario. */
async function keptFor({ loaded }: RestoreTarget, snapshot: unknown): Promise<KeptRows> {
  const { KeptRows } = await import('../world/snapshot/kept-rows.ts')
  const { scenario, seed } = (snapshot ?? {}) as Partial<Record<string, unknown>>
  const isAlike = scenario === loaded.scenario && seed === loaded.world.options.seed
  return isAlike ? KeptRows.of(loaded.world) : KeptRows.none
}
