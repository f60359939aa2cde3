import type { Change } from '../../data/change-log.ts'
import type { Id } from '../../data/rows.ts'
import { getTable } from '../../data/tables.ts'
import type { AnyTableDefinition, TableDefinitions, TablesSnapshot } from '../../data/tables.ts'
import type { TableData } from '../../data/table-data.ts'
import { toIsoTime } from '../../lib/time.ts'
import type { World } from '../world.ts'
import type { WorldState } from '../world-state.ts'

/**
 * The number of the snapshot format that this version writes and reads. A snapshot with another
 * number is rejected.
 */
export const snapshotFormat = 1

/** Maximum number of records per table in a snapshot or a scenario. */
export const maxRecords = 5_000_000
/** Maximum length of a record as JSON, characters. */
export const maxRecordCharacters = 1_000_000

type Row = { readonly id: Id }

/** Fields that both forms of a snapshot have. */
interface SnapshotHeader {
  /** The snapshot format (`snapshotFormat`). */
  version: number
  /** The name of the scenario. */
  scenario: string
  /** The id of the world. */
  world: string
  seed: number
  /** Start time of the clock, RFC 3339. */
  start: string
  worldState: WorldState
}

/** A whole world as JSON. Tables that can be rebuilt from other tables may be omitted. */
export interface WorldJson extends SnapshotHeader {
  tables: Readonly<Record<string, readonly Row[]>>
}

/** Changes to a table: added and changed rows, and the ids of removed rows. */
export interface RowChanges {
  rows: readonly Row[]
  removed: readonly Id[]
}

/**
 * The differences between a world and its base rows, as JSON. They can be restored only if the base
 * rows are the same.
 */
export interface WorldChangesJson extends SnapshotHeader {
  form: 'changes'
  /**
   * Identifier of the base rows, derived from the scenario, the seed, the start time and the
   * version.
   */
  base: string
  /** Changes by table. Unchanged tables are omitted. */
  changes: Readonly<Record<string, RowChanges>>
}

/** Lists the tables that snapshots contain. Tables that are always rebuilt are omitted. */
export function listStoredTables(definitions: TableDefinitions): [string, AnyTableDefinition][] {
  return Object.entries(definitions).filter(([, { derived }]) => derived !== 'rebuilt')
}

/** Returns the baseline rows with which a table's rows are compared. */
export function getBaseRows({ origin }: World, name: string): TableData<Row> {
  const data = origin.tables.get(name) as TableData<Row>
  return data.base ?? data
}

/** Writes a whole world as JSON. */
export function toSnapshotJson(world: World, scenario: string): WorldJson {
  const tables = Object.fromEntries(
    listStoredTables(world.rules.definitions).map(([name]) => [
      name,
      getTable(world.db, name).all(),
    ]),
  )
  return { ...createSnapshotHeader(world, scenario), tables }
}

/** Options of `toChangesJson`. */
export interface ChangesOptions {
  scenario: string
  base: string
  /** @default the current rows */
  tables?: TablesSnapshot
  /** @default the current state */
  worldState?: WorldState
  /** Finds the changes to a table. @default `findChangesSinceBase` */
  find?: (data: TableData<Row>) => RowChanges
}

/** Writes the differences between a world and its base rows as JSON. */
export function toChangesJson(
  world: World,
  { scenario, base, tables, worldState, find = findChangesSinceBase }: ChangesOptions,
): WorldChangesJson {
  const changes: Record<string, RowChanges> = {}
  for (const [name] of listStoredTables(world.rules.definitions)) {
    const data = tables?.get(name) ?? getTable(world.db, name).data
    const found = find(data)
    if (found.rows.length + found.removed.length > 0) changes[name] = found
  }
  const { version, ...head } = createSnapshotHeader(world, scenario, worldState)
  return { version, form: 'changes', base, ...head, changes }
}

/**
 * Finds the changes between a table's base rows and its current rows. `isSame` compares two rows.
 * By default, rows are compared as JSON.
 */
export function findChangesSinceBase(
  data: TableData<Row>,
  isSame?: (before: Row | undefined, after: Row | undefined) => boolean,
): RowChanges {
  const changes: Change<Row>[] =
    data.base === undefined ? [] : data.listDifferencesFrom(data.base, isSame)
  return {
    rows: changes.flatMap(({ after }) => after ?? []),
    removed: changes.flatMap(({ before, after }) =>
      before !== undefined && after === undefined ? [before.id] : [],
    ),
  }
}

function createSnapshotHeader(
  world: World,
  scenario: string,
  worldState = world.state(),
): SnapshotHeader {
  const { seed, start } = world.options
  return {
    version: snapshotFormat,
    scenario,
    world: world.id,
    seed,
    start: toIsoTime(start),
    worldState,
  }
}
