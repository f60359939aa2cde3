import { z } from 'zod'
import type { Id } from '../../data/rows.ts'
import type { TableData } from '../../data/table-data.ts'
import { UnavailableError } from '../../errors.ts'
import { isSameJson } from '../../lib/plain-json.ts'
import { version } from '../../generated/version.ts'
import { parseIso } from '../../lib/time.ts'
import { runToEnd } from '../../world/work.ts'
import { findChangesSinceBase, toChangesJson } from '../../world/snapshot/snapshot.ts'
import type { RowChanges, WorldChangesJson } from '../../world/snapshot/snapshot.ts'
import type { NamedSnapshots } from '../../control/named-snapshots.ts'
import type { Scenario } from '../../scenario/schema.ts'
import { getKeyRecords, renewKeys } from '../world-keys.ts'
import type { ActiveScenario } from '../active-scenario.ts'
import type { ResolvedOptions } from '../options.ts'
import { toBaseKey } from './stored-bases.ts'
import { parseStoredItem, storedFormat } from './world-store.ts'
import type { StoredBases } from './stored-bases.ts'

/** The parts of a world's runtime that are needed to save or restore the world. */
export interface SavedTarget {
  readonly options: ResolvedOptions
  readonly active: ActiveScenario
  readonly snapshots: NamedSnapshots
  replaceScenario: (
    scenario: string | Scenario,
    start: { seed: number; now: number },
  ) => Promise<void>
}

const Saved = z.object({
  format: z.literal(storedFormat),
  release: z.string(),
  /** Sandbox time when the world was saved, RFC 3339. */
  now: z.string(),
  /** The state that `reset` restores, if it differs from the base rows. */
  origin: z.looseObject({ base: z.string() }).optional(),
  snapshots: z.record(z.string(), z.unknown()),
  present: z.looseObject({ base: z.string() }),
})

/**
 * Serialises a world. The JSON of each row is cached with the row. The JSON of a table's changes is
 * cached until the next write to the table.
 */
export class WorldWriter {
  readonly #texts = new WeakMap<object, string>()
  #same = new WeakMap<object, boolean>()
  /** Serialised changes to a table, cached by the version of the table's data. */
  #found = new WeakMap<object, RowChanges>()
  #base = ''

  /**
   * Returns the serialised world. `key` stays the same if only the time of a running clock has
   * changed.
   */
  write({ active, snapshots }: SavedTarget): { key: string; text: string } {
    const { world, scenario, baseName: base } = active
    if (base !== this.#base) {
      this.#same = new WeakMap()
      this.#found = new WeakMap()
    }
    this.#base = base
    const options = { scenario, base, find: this.#find }
    const worldState = world.state()
    const { now, mode } = worldState.clock
    if (mode === 'running') worldState.clock = { ...worldState.clock, now: '' }
    const present = this.#toText(toChangesJson(world, { ...options, worldState }))
    const { origin } = world
    const isBase = [...origin.tables.values()].every(
      (data) => data.isBase || data.base === undefined,
    )
    const start = isBase
      ? ''
      : `"origin":${this.#toText(toChangesJson(world, { ...options, tables: origin.tables, worldState: origin.state }))},`
    const kept = Object.entries(snapshots.state()).map(
      ([name, snapshot]) => `${JSON.stringify(name)}:${this.#toText(snapshot)}`,
    )
    const key = `${start}"snapshots":{${kept.join()}},"present":${present}}`
    const head = JSON.stringify({ format: storedFormat, release: version, now }).slice(0, -1)
    return { key, text: `${head},${key}` }
  }

  readonly #find = (data: TableData<{ readonly id: Id }>): RowChanges => {
    const known = this.#found.get(data.version)
    if (known !== undefined) return known
    const found = findChangesSinceBase(data, this.#isSame)
    this.#found.set(data.version, found)
    return found
  }

  readonly #isSame = (before: object | undefined, after: object | undefined): boolean => {
    if (before === undefined || after === undefined) return false
    const known = this.#same.get(after)
    if (known !== undefined) return known
    const isSame = isSameJson(before, after)
    this.#same.set(after, isSame)
    return isSame
  }

  #toText({ changes, ...head }: WorldChangesJson): string {
    const tables = Object.entries(changes).map(
      ([name, found]) =>
        `${JSON.stringify(name)}:${this.#keep(found, () => this.#tableText(found))}`,
    )
    return `${JSON.stringify(head).slice(0, -1)},"changes":{${tables.join()}}}`
  }

  #tableText({ rows, removed }: RowChanges): string {
    const texts = rows.map((row) => this.#keep(row, () => JSON.stringify(row)))
    return `{"rows":[${texts.join()}],"removed":${JSON.stringify(removed)}}`
  }

  /** Returns an object's cached string, and creates it if needed. */
  #keep(key: object, make: () => string): string {
    const known = this.#texts.get(key)
    if (known !== undefined) return known
    const text = make()
    this.#texts.set(key, text)
    return text
  }
}

/**
 * Reads the key records that a saved world added or changed. Returns an empty list if the saved
 * world is damaged. The damage is reported when the world is restored.
 */
export function readKeyRecords(bytes: Uint8Array): unknown[] {
  try {
    const { changes } = parse(bytes).present as unknown as WorldChangesJson
    return [...(changes['apiKeys']?.rows ?? [])]
  } catch (error) {
    const isExpected = [SyntaxError, z.ZodError, UnavailableError].some(
      (kind) => error instanceof kind,
    )
    if (isExpected) return []
    throw error
  }
}

/** Returns the key of a saved world's base rows. */
export function readBaseKey(bytes: Uint8Array): string {
  return toBaseKey(parse(bytes).present.base)
}

/**
 * Restores a saved world into a newly created world.
 *
 * @throws {SandboxError}
 * @throws {SyntaxError}
 */
export async function restoreSavedWorld(
  target: SavedTarget,
  bytes: Uint8Array,
  bases: StoredBases,
): Promise<void> {
  const { readSnapshot, compareWithBase, applySnapshotChanges } =
    await import('../../world/snapshot/read-snapshot.ts')
  const { now, origin, present, snapshots } = parse(bytes)
  const key = toBaseKey(present.base)
  if (key !== toBaseKey(target.active.baseName)) {
    const { source, seed, start } = await bases.head(key)
    await target.replaceScenario(source, { seed, now: parseIso(start) })
  }
  const { world } = target.active
  const made = world.origin
  const load = (json: unknown) => {
    const snapshot = readSnapshot(json, world)
    runToEnd(applySnapshotChanges(world, compareWithBase(world, snapshot), snapshot))
  }
  if (origin !== undefined) {
    load(origin)
    world.saveStateAsOrigin()
  }
  const { worldState } = present as unknown as WorldChangesJson
  const clock = { ...worldState.clock, now: worldState.clock.now || now }
  load({ ...present, worldState: { ...worldState, clock } })
  target.snapshots.restore(snapshots as Record<string, WorldChangesJson>)
  if (target.options.keys.isOwn) renewKeys(world, getKeyRecords(made), ({ key: sent }) => sent)
}

function parse(bytes: Uint8Array): z.infer<typeof Saved> {
  return Saved.parse(parseStoredItem(new TextDecoder().decode(bytes)))
}
