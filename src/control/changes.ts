import type { ChangeLog } from '../data/change-log.ts'
import type { Cause, RecordChange } from '../data/change-log.ts'
import type { Change } from '../data/changes.ts'
import type { Id } from '../data/rows.ts'
import { anyTable } from '../data/tables.ts'
import { isSameJson } from '../lib/plain-json.ts'
import { derivedTables, tableNames } from '../resources/all-tables.ts'
import type { TableName } from '../resources/all-tables.ts'
import type { World } from '../resources/world.ts'

type Row = { readonly id: Id }
type FieldChange = { field: string; before: unknown; after: unknown }

/** Records of one kind, with the request or action that added or removed each: `by[0]` goes with `records[0]`. */
interface ListedRecords {
  total: number
  records: object[]
  /** Null if the cause is no longer known. */
  by: (Cause | null)[]
}

/** Changes of a table, in the order of the ids. */
export interface TableChanges {
  table: TableName
  added: ListedRecords
  removed: ListedRecords
  changed: { total: number; records: ChangedRecord[] }
}

/** The fields of a record that changed. */
interface ChangedRecord {
  id: Id
  fields: FieldChange[]
  /** The request or action that changed it last. Null if it is no longer known. */
  by: Cause | null
}

/** Changes since the checkpoint, or since the data were loaded, without derived tables. */
export interface Changes {
  /** Sandbox time of the checkpoint, RFC 3339. */
  since: string
  /** The tables that changed. */
  tables: TableChanges[]
}

/** Lists what changed in a world since its checkpoint, or else since its data were loaded. */
export function readChanges(world: World): Changes {
  const { tables, state, lastChange } = world.checkpoint ?? world.origin
  const { changeLog } = world
  return {
    since: state.clock.now,
    tables: tableNames.flatMap((table) => {
      const before = tables.get(table)
      if (before === undefined || derivedTables.includes(table)) return []
      const changes = anyTable(world.db, table).data.differencesFrom(before)
      return changes.length === 0 ? [] : summarise(table, changes, { changeLog, lastChange })
    }),
  }
}

/** Maximum number of records of one kind that a route lists. */
const maxListed = 100

/** Shortens the lists of a table. The totals stay. */
export function shorten({ added, removed, changed, ...table }: TableChanges): TableChanges {
  const first = (list: ListedRecords) => ({
    ...list,
    records: list.records.slice(0, maxListed),
    by: list.by.slice(0, maxListed),
  })
  return {
    ...table,
    added: first(added),
    removed: first(removed),
    changed: { ...changed, records: changed.records.slice(0, maxListed) },
  }
}

function summarise(
  table: TableName,
  changes: readonly Change<Row>[],
  { changeLog, lastChange }: { changeLog: ChangeLog; lastChange: number },
): TableChanges {
  const causeOf = (id: Id, did: RecordChange['did']) =>
    changeLog.causeSince(lastChange, { table, id, did })
  const list = (records: readonly Row[], did: RecordChange['did']): ListedRecords => ({
    total: records.length,
    records: [...records],
    by: records.map(({ id }) => causeOf(id, did)),
  })
  const changed = changes.flatMap(({ before, after }) =>
    before === undefined || after === undefined
      ? []
      : {
          id: after.id,
          fields: changedFields(before, after),
          by: causeOf(after.id, 'changed'),
        },
  )
  return {
    table,
    added: list(
      changes.flatMap(({ before, after }) => (before === undefined ? (after ?? []) : [])),
      'added',
    ),
    removed: list(
      changes.flatMap(({ before, after }) => (after === undefined ? (before ?? []) : [])),
      'removed',
    ),
    changed: { total: changed.length, records: changed },
  }
}

function changedFields(before: object, after: object): FieldChange[] {
  const [old, present] = [before, after] as readonly Readonly<Record<string, unknown>>[]
  return Object.keys({ ...old, ...present }).flatMap((field) =>
    isSameJson(old?.[field], present?.[field])
      ? []
      : { field, before: old?.[field], after: present?.[field] },
  )
}
