import { listReferences, hasReference } from '../data/references.ts'
import type { Reference } from '../data/references.ts'
import type { Id } from '../data/rows.ts'
import { getTable } from '../data/tables.ts'
import { toIsoTime } from '../lib/time.ts'
import type { RecordChange } from '../data/change-log.ts'
import { describeValue, SandboxError } from '../errors.ts'
import { getTableReferences } from '../resources/references.ts'
import { derivedTables, tableNames } from '../resources/all-tables.ts'
import type { TableName } from '../resources/all-tables.ts'
import type { World } from '../resources/world.ts'
import { forEachInSlices } from '../world/work.ts'
import type { Work } from '../world/work.ts'
import { NotFoundError } from '../api/check-input.ts'
import { findPictures, requireTable } from './table-page.ts'

/** A record, the records that it references, and the records that reference it. */
export interface RecordView {
  record: object
  /** URL of the record's picture, relative to the control plane, or null without a picture. */
  picture: string | null
  names: Reference[]
  named_by: ReferencingRecords[]
  /**
   * The record's last 20 changes, newest first. Does not include changes that the change log has
   * dropped.
   */
  changed_by: DatedChange[]
}

/** A change to a record, with its time and cause. */
interface DatedChange extends Omit<RecordChange, 'at'> {
  /** Sandbox time, RFC 3339. */
  at: string
}

/** The records in one table that reference a record through the same field. */
interface ReferencingRecords {
  table: TableName
  field: string
  total: number
  /** Ids of the first ten records. */
  ids: Id[]
}

/** Maximum number of ids listed per referencing field. */
const maxIds = 10

/**
 * Returns a record, the records that it references, and the records that reference it.
 *
 * @throws {NotFoundError} if the table or record is unknown
 */
export function* readRecordView(world: World, table: string, id: string): Work<RecordView> {
  const { name, record } = requireRecord(world, table, id, 'read')
  return {
    record,
    picture: findPictures(world, name, [record])[String(record.id)] ?? null,
    names: listReferences(record, getTableReferences(name)),
    named_by: yield* listReferencingRecords(world, name, record.id),
    changed_by: listRecordChanges(world, name, record.id),
  }
}

/**
 * Adds records, all or none. Missing fields get plausible values.
 *
 * @throws {SandboxError} if a field is invalid
 */
export function insertRecords(
  world: World,
  table: string,
  records: readonly object[],
): { readonly id: Id }[] {
  const name = requireStored(requireTable(table, 'add to'))
  return runManualEdit(world, () => records.map((fields) => world.make(name, fields)))
}

/**
 * Changes some fields of a record.
 *
 * @throws {SandboxError} if a field is invalid
 */
export function updateRecord(
  world: World,
  table: string,
  { id, fields }: { id: string; fields: object },
): object {
  const { name, record } = requireRecord(world, table, id, 'change')
  requireStored(name)
  return runManualEdit(world, () => getTable(world.db, name).update(record.id, fields))
}

/**
 * Removes a record.
 *
 * @throws {SandboxError} if another record references it
 */
export function* removeRecord(world: World, table: string, id: string): Work {
  const { name, record } = requireRecord(world, table, id, 'remove')
  requireStored(name)
  const [naming] = yield* listReferencingRecords(world, name, record.id)
  if (naming !== undefined) {
    const { total, table: other, field, ids } = naming
    const who =
      total === 1
        ? `a record of ${other} refers to it in ${field}`
        : `${total} records of ${other} refer to it in ${field}`
    throw new SandboxError(
      `Failed to remove the record ${describeValue(id)} of ${name}: ${who}, such as ${String(ids[0])}. ` +
        `Remove those first.`,
    )
  }
  runManualEdit(world, () => getTable(world.db, name).remove(record.id))
}

function runManualEdit<Result>(world: World, edit: () => Result): Result {
  return world.changeLog.runWithCause({ by: 'hand', id: null, text: 'a manual edit' }, () =>
    world.attempt(edit),
  )
}

function requireRecord(
  world: World,
  table: string,
  id: string,
  verb: string,
): { name: TableName; record: { readonly id: Id } } {
  const name = requireTable(table, `${verb} a record of`)
  const records = getTable(world.db, name)
  const isNumeric = typeof id === 'string' && /^\d{1,15}$/.test(id)
  const record = records.get(id) ?? (isNumeric ? records.get(Number(id)) : undefined)
  if (record === undefined)
    throw new NotFoundError(
      `Failed to ${verb} the record ${describeValue(id)} of ${name}: it does not exist.`,
    )
  return { name, record }
}

function requireStored(name: TableName): TableName {
  if (!derivedTables.includes(name)) return name
  throw new SandboxError(
    `Failed to change ${name}: its records are derived from other tables. Change those tables ` +
      'instead.',
  )
}

function listRecordChanges({ changeLog }: World, name: TableName, id: Id): DatedChange[] {
  return changeLog.listChanges(name, id).map((change) => ({ ...change, at: toIsoTime(change.at) }))
}

function* listReferencingRecords(
  world: World,
  name: TableName,
  id: Id,
): Work<ReferencingRecords[]> {
  const found: ReferencingRecords[] = []
  for (const table of tableNames) {
    const references = getTableReferences(table)
    for (const field of Object.keys(references)) {
      const ids: Id[] = []
      let total = 0
      yield* forEachInSlices(getTable(world.db, table).all(), (row) => {
        if (!hasReference(row, references, { field, table: name, id })) return
        total += 1
        if (ids.length < maxIds) ids.push(row.id)
      })
      if (total > 0) found.push({ table, field, total, ids })
    }
  }
  return found
}
