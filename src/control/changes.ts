import type { Id } from '../data/rows.ts'
import { anyTable, rowsIn } from '../data/tables.ts'
import type { WorldSnapshot } from '../world/world-state.ts'
import { SandboxError } from '../errors.ts'
import { derivedTables, tableNames } from '../resources/all-tables.ts'
import type { TableName } from '../resources/all-tables.ts'
import type { World } from '../resources/world.ts'

type Row = { readonly id: Id }

/** Changes of a table since `start`, at most 100 of each kind. */
export interface TableChanges {
  table: TableName
  added: { total: number; records: object[] }
  removed: { total: number; records: object[] }
  changed: { total: number; records: ChangedRecord[] }
}

/** The fields of a record that changed. */
interface ChangedRecord {
  id: Id
  fields: { field: string; before: unknown; after: unknown }[]
}

/** Changes since `start`, without those of derived tables. */
export interface Changes {
  /** Sandbox time of `start`, RFC 3339. */
  since: string
  tables: TableChanges[]
}

/** Maximum number of listed records of one kind. */
const maxListed = 100

/** Compares the records of a world with earlier ones. An unchanged record is the same object. */
export class ChangeTracker {
  #before: { since: string; snapshot: WorldSnapshot } | undefined

  /** Stores the current records. Returns the sandbox time. */
  start(world: World): string {
    const since = world.clock.iso()
    this.#before = { since, snapshot: world.snapshot() }
    return since
  }

  /** Lists the changes since `start`. @throws {SandboxError} before `start` */
  read(world: World): Changes {
    if (this.#before === undefined)
      throw new SandboxError(
        'Failed to list the changes: they have no starting point. POST /_sandbox/changes first.',
      )
    const { since, snapshot } = this.#before
    const stored = tableNames.filter((table) => !derivedTables.includes(table))
    const tables = stored.map((table) =>
      compare(table, rowsIn<Row>(snapshot.tables, table), anyTable(world.db, table).all()),
    )
    return {
      since,
      tables: tables.filter(
        ({ added, removed, changed }) => added.total + removed.total + changed.total > 0,
      ),
    }
  }
}

function compare(table: TableName, before: readonly Row[], after: readonly Row[]): TableChanges {
  const known = new Map(before.map((row) => [row.id, row]))
  const added: Row[] = []
  const changed: ChangedRecord[] = []
  for (const row of after) {
    const was = known.get(row.id)
    known.delete(row.id)
    if (was === undefined) added.push(row)
    else if (was !== row) changed.push({ id: row.id, fields: changedFields(was, row) })
  }
  const really = changed.filter(({ fields }) => fields.length > 0)
  return {
    table,
    added: firstOf(added),
    removed: firstOf([...known.values()]),
    changed: firstOf(really),
  }
}

function firstOf<Row>(records: readonly Row[]): { total: number; records: Row[] } {
  return { total: records.length, records: records.slice(0, maxListed) }
}

function changedFields(before: object, after: object): ChangedRecord['fields'] {
  const [was, is] = [before, after] as readonly Readonly<Record<string, unknown>>[]
  return Object.keys({ ...was, ...is }).flatMap((field) =>
    was?.[field] === is?.[field] || JSON.stringify(was?.[field]) === JSON.stringify(is?.[field])
      ? []
      : [{ field, before: was?.[field], after: is?.[field] }],
  )
}
