import { anyTable } from '../../data/tables.ts'
import type { AnyTableDefinition, TableDefinitions } from '../../data/tables.ts'
import { toIso } from '../../lib/time.ts'
import type { World } from '../world.ts'
import { WrittenSnapshot } from './written-snapshot.ts'

/**
 * The format of snapshots that this version writes and reads. It rises when older ones can no
 * longer be read.
 */
export const snapshotFormat = 1

/** The most records of a table that a snapshot or a scenario may hold. */
export const maxRecords = 5_000_000
/** The most characters of one record, as JSON. */
export const maxRecordCharacters = 1_000_000

/**
 * The tables that a snapshot holds: those that are built from others are left out, unless they
 * remember what the others no longer tell.
 */
export function storedTables(definitions: TableDefinitions): [string, AnyTableDefinition][] {
  return Object.entries(definitions).filter(([, { derived }]) => derived !== 'rebuilt')
}

/** Writes a world down as JSON. `release` is the version of the sandbox. */
export function toJson(
  world: World,
  { scenario, release }: { scenario: string; release: string },
): WrittenSnapshot {
  const tables = Object.fromEntries(
    storedTables(world.rules.definitions).map(([name]) => [name, anyTable(world.db, name).all()]),
  )
  const { seed, start } = world.options
  return new WrittenSnapshot(
    {
      version: snapshotFormat,
      scenario,
      world: world.id,
      seed,
      start: toIso(start),
      worldState: world.state(),
      tables,
    },
    release,
  )
}
