import { copyJson, isSameJson } from './plain-json.ts'
import { placeOf } from './store/rows.ts'
import type { Id } from './store/rows.ts'
import { anyTable } from './store/tables.ts'
import type { AnyTableDefinition, TableDefinitions } from './store/tables.ts'
import { toIso } from './time.ts'
import { inUnits } from './work.ts'
import type { Work } from './work.ts'
import type { World } from './world.ts'
import { WrittenSnapshot } from './written-snapshot.ts'
import type { WorldJson } from './written-snapshot.ts'

/** The format of snapshots that this version writes and reads. It rises when older ones can no longer be read. */
export const snapshotFormat = 1

/** The most records of a table that a snapshot or a scenario may hold. */
export const mostRecords = 5_000_000
/** The most characters of one record, as JSON. */
export const mostRecordCharacters = 1_000_000

/** The tables that a snapshot holds: those that are built from others are left out, unless they remember what the others no longer tell. */
export function storedTables(definitions: TableDefinitions): [string, AnyTableDefinition][] {
  return Object.entries(definitions).filter(([, { derived }]) => derived !== 'rebuilt')
}

/** Writes a world down as JSON. `release` is the version of the sandbox. */
export function toJson(world: World, { scenario, release }: { scenario: string; release: string }): WrittenSnapshot {
  const tables = Object.fromEntries(storedTables(world.rules.definitions).map(([name]) => [name, anyTable(world.db, name).all()]))
  const { seed, start } = world.options
  return new WrittenSnapshot(
    { version: snapshotFormat, scenario, world: world.id, seed, start: toIso(start), worldState: world.state(), tables },
    release,
  )
}

/** Finds the record that `reset` goes back to, where a snapshot has the same one; undefined where it has another or a new one. */
export type FindKept = (table: string, record: unknown) => { id: Id } | undefined

/** Prepares to find the records of a world that a snapshot says anew: those need not be checked, nor held twice. */
export function* keeping(world: World): Work<FindKept> {
  const tables = new Map<string, readonly { id: Id }[]>()
  for (const [name] of storedTables(world.rules.definitions)) tables.set(name, yield* keptRows(world, name))
  /** Where the next record of each table is expected: most snapshots have nearly all records in the same order. */
  const places = new Map<string, number>()
  return (table, record) => {
    const rows = tables.get(table)
    const id = (record as { id?: unknown } | null | undefined)?.id
    if (rows === undefined || (typeof id !== 'number' && typeof id !== 'string')) return undefined
    const expected = places.get(table) ?? 0
    const place = rows[expected]?.id === id ? expected : placeOf(rows, id)
    places.set(table, place + 1)
    const kept = rows[place]
    return kept !== undefined && isSameJson(record, kept) ? kept : undefined
  }
}

/** Prepares to replace everything of a world by a checked snapshot, which the returned function does. Its origin stays. */
export function* loadingJson(world: World, snapshot: WorldJson): Work<() => void> {
  const { tables, worldState } = snapshot
  const findKept = yield* keeping(world)
  // Its records are frozen ones of a table.
  const isOurs = WrittenSnapshot.isUnchanged(snapshot)
  const putAll: (() => void)[] = []
  // The records are the caller's: a copy keeps the tables from freezing them. What is as at the origin is taken from there.
  // Those that others outdate come after these.
  const stored = storedTables(world.rules.definitions).toSorted(
    ([, a], [, b]) => Number(a.derived !== undefined) - Number(b.derived !== undefined),
  )
  for (const [name, { derived }] of stored) {
    const rows = tables[name]
    if (rows === undefined && derived !== undefined) continue
    const own: { id: Id }[] = []
    yield* inUnits(rows ?? [], (row) => {
      own.push(findKept(name, row) ?? (isOurs ? row : copyJson(row)))
    })
    putAll.push(yield* anyTable(world.db, name).loading(own))
  }
  return () => {
    for (const put of putAll) put()
    world.restoreState(worldState)
    world.sequences.raise()
    // What was done here is not what was done there.
    world.actionLog.dropAfter(0)
    world.trail.dropAfter(0)
    world.journal.tally.dropAfter(world.clock.now())
  }
}

/** The records of a table that `reset` goes back to. Whatever a snapshot says of them anew need not be held twice. */
function* keptRows(world: World, name: string): Work<readonly { id: Id }[]> {
  if (!world.isSeeded) return []
  yield* world.makingWhole()
  const records = world.origin.tables.get(name)?.records
  if (records === undefined) return []
  yield* records.preparing()
  return records.rows
}
