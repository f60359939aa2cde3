import type { Id } from '../data/rows.ts'
import { anyTable, rowsIn } from '../data/tables.ts'
import type { WorldSnapshot } from '../world/world-state.ts'
import { SandboxError } from '../errors.ts'
import { derivedTables, tableNames } from '../resources/all-tables.ts'
import type { TableName } from '../resources/all-tables.ts'
import type { World } from '../resources/world.ts'

type Row = { readonly id: Id }

/** What changed in a table since the records were remembered; of each kind at most 100. */
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

/** What changed since the records were remembered. Tables that follow from others are left out. */
export interface Changes {
  /** The sandbox time of then, RFC 3339. */
  since: string
  tables: TableChanges[]
}

/** The most records of one kind that are told. */
const maxTold = 100

/**
 * Remembers the records of a world, to tell later what changed. A record that did not change is the
 * same object.
 */
export class ChangeTracker {
  #before: { since: string; snapshot: WorldSnapshot } | undefined

  /** Remembers the records as they are. Returns the sandbox time. */
  start(world: World): string {
    const since = world.clock.iso()
    this.#before = { since, snapshot: world.snapshot() }
    return since
  }

  /** Tells what changed since then. @throws {SandboxError} when nothing was remembered. */
  read(world: World): Changes {
    if (this.#before === undefined)
      throw new SandboxError(
        'Failed to tell what changed: nothing is remembered. POST /_sandbox/changes first.',
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
    else if (was !== row) changed.push({ id: row.id, fields: fieldsThatChanged(was, row) })
  }
  const really = changed.filter(({ fields }) => fields.length > 0)
  return { table, added: told(added), removed: told([...known.values()]), changed: told(really) }
}

function told<Told>(records: readonly Told[]): { total: number; records: Told[] } {
  return { total: records.length, records: records.slice(0, maxTold) }
}

function fieldsThatChanged(before: object, after: object): ChangedRecord['fields'] {
  const [was, is] = [before, after] as readonly Readonly<Record<string, unknown>>[]
  return Object.keys({ ...was, ...is }).flatMap((field) =>
    was?.[field] === is?.[field] || JSON.stringify(was?.[field]) === JSON.stringify(is?.[field])
      ? []
      : [{ field, before: was?.[field], after: is?.[field] }],
  )
}
