import type { z } from 'zod'
import type { Change } from '../../data/change-log.ts'
import { findBrokenReference } from '../../data/references.ts'
import { compareIds, isIdTooLarge, maxId } from '../../data/rows.ts'
import type { Id } from '../../data/rows.ts'
import type { TableData } from '../../data/table-data.ts'
import { getTable } from '../../data/tables.ts'
import type { AnyTableDefinition, TableDefinitions } from '../../data/tables.ts'
import { truncateForMessage, describeValue, SandboxError } from '../../errors.ts'
import { estimateJsonSize, copyJson, isSameJson, getAtPath } from '../../lib/plain-json.ts'
import { stopEarly } from '../../lib/schema-parts.ts'
import type { Work } from '../work.ts'
import type { World } from '../world.ts'
import { getBaseRows, maxRecordCharacters, snapshotFormat, listStoredTables } from './snapshot.ts'
import type { WorldChangesJson, WorldJson } from './snapshot.ts'
import { getSnapshotSchemas } from './snapshot-schema.ts'
import type { SnapshotRules } from './snapshot-schema.ts'

type Row = { readonly id: Id }

/**
 * Validates a snapshot of either form. Records that are equal to records in the world are not
 * validated again. All other records are validated and copied.
 * @throws {SandboxError} with the table, the id and the field
 */
export function readSnapshot(json: unknown, world: World): WorldJson | WorldChangesJson {
  const rules: SnapshotRules = world.rules
  if (typeof json === 'string')
    throw new SandboxError(
      `Failed to restore the snapshot (a string of ${json.length} characters): it must be ` +
        'parsed JSON. Use restore(JSON.parse(text)).',
    )
  const { version, form } = (json ?? {}) as { version?: unknown; form?: unknown }
  if (version !== snapshotFormat && Number.isInteger(version))
    throw new SandboxError(
      `Failed to restore the snapshot (version is ${String(version)}): this version of the ` +
        `sandbox reads format ${snapshotFormat}. Restore it with the version that wrote it, or ` +
        'make a new one.',
    )
  const { whole, changes } = getSnapshotSchemas(rules)
  if (form === undefined) {
    const result = whole.safeParse(json, stopEarly)
    if (!result.success) throw createInvalidRecordError('', result.error, json)
    const tables: Record<string, readonly Row[]> = {}
    for (const [name, { schema }] of listStoredTables(rules.definitions)) {
      const records = result.data.tables[name]
      if (records !== undefined) tables[name] = readRecords(records, { name, schema, world })
    }
    return { ...result.data, tables }
  }
  const result = changes.safeParse(json, stopEarly)
  if (!result.success) throw createInvalidRecordError('', result.error, json)
  const found: Record<string, WorldChangesJson['changes'][string]> = {}
  for (const [name, changed] of Object.entries(result.data.changes)) {
    if (changed === undefined) continue
    const { rows, removed } = changed
    const { schema } = rules.definitions[name] as AnyTableDefinition
    found[name] = { rows: readRecords(rows, { name, schema, world }), removed }
  }
  return { ...result.data, changes: found }
}

/** The differences between a world's base rows and a validated snapshot, by stored table. */
export type TableChangesToLoad = ReadonlyMap<string, readonly Change<Row>[]>

/**
 * Compares a validated snapshot with the base rows of a world. Omits tables that the snapshot does
 * not contain.
 */
export function compareWithBase(
  world: World,
  snapshot: WorldJson | WorldChangesJson,
): TableChangesToLoad {
  const found = new Map<string, readonly Change<Row>[]>()
  for (const [name] of listStoredTables(world.rules.definitions)) {
    const base = getBaseRows(world, name)
    if ('changes' in snapshot) {
      const { rows, removed } = snapshot.changes[name] ?? { rows: [], removed: [] }
      const removals = removed.flatMap((id) => {
        const before = base.rows.get(id)
        return before === undefined ? [] : [{ before, after: undefined }]
      })
      found.set(name, [...rows.map((after) => toChange(base, after)), ...removals])
    } else if (snapshot.tables[name] !== undefined) {
      const rows = snapshot.tables[name]
      const ids = new Set(rows.map(({ id }) => id))
      const removals = base.rows.all.flatMap((before) =>
        ids.has(before.id) ? [] : [{ before, after: undefined }],
      )
      const changed = rows.map((after) => toChange(base, after))
      found.set(name, [...changed.filter(({ before, after }) => before !== after), ...removals])
    }
  }
  return found
}

/**
 * Checks the references of changed records. If records were removed, checks all records.
 * @throws {SandboxError} with the table, the id, the field and the missing id
 */
export function checkReferences(world: World, changes: TableChangesToLoad): void {
  const changed = new Map(
    [...changes].map(([name, list]) => [
      name,
      new Map(list.map(({ before, after }) => [(after ?? (before as Row)).id, after])),
    ]),
  )
  const lookUp = (table: string, id: Id) => {
    const ofTable = changed.get(table)
    return ofTable?.has(id) === true ? ofTable.get(id) : getBaseRows(world, table).rows.get(id)
  }
  const isAnyRemoved = [...changes.values()].some((list) =>
    list.some(({ after }) => after === undefined),
  )
  for (const [table, list] of changes) {
    const { references } = (world.rules.definitions as TableDefinitions)[
      table
    ] as AnyTableDefinition
    if (references === undefined) continue
    const check = (record: Row | undefined) => {
      const wrong = record && findBrokenReference(record, references, { lookUp })
      if (wrong !== undefined)
        throw new SandboxError(
          `Failed to restore the snapshot (${table} ${wrong.what}): ${wrong.why}. Add that ` +
            'record, or refer to another one.',
        )
    }
    for (const { after } of list) check(after)
    if (isAnyRemoved)
      for (const { id } of getBaseRows(world, table).rows.all) check(lookUp(table, id))
  }
}

/**
 * Restores the base rows of a world and applies changes to them. Rebuilds derived tables that have
 * no changes in the snapshot. Each of these tables is one unit of work.
 */
export function* applySnapshotChanges(
  world: World,
  changes: TableChangesToLoad,
  { worldState }: Pick<WorldJson, 'worldState'>,
): Work {
  for (const [name, list] of changes)
    getTable(world.db, name).restoreChanged(getBaseRows(world, name), list.toSorted(compareById))
  for (const [name, { derived }] of Object.entries(world.rules.definitions)) {
    if (derived === undefined || changes.has(name)) continue
    getTable(world.db, name).rebuild()
    yield
  }
  world.restoreState(worldState)
  world.sequences.raiseLargestIds()
  // The logs refer to the state before this restore.
  world.actionLog.dropAfter(0)
  world.changeLog.dropAfter(0)
  world.changeLog.markIncomplete()
  world.changeLog.startHistory()
  world.journal.tally.dropAfter(world.clock.now())
}

function toChange(base: TableData<Row>, after: Row): Change<Row> {
  return { before: base.rows.get(after.id), after }
}

function compareById(a: Change<Row>, b: Change<Row>): number {
  return compareIds((a.after ?? (a.before as Row)).id, (b.after ?? (b.before as Row)).id)
}

/** Validates the records of a table. Missing fields with a default get their default. */
export function readRecords(
  records: readonly unknown[],
  { name, schema, world }: { name: string; schema: AnyTableDefinition['schema']; world: World },
): Row[] {
  const ids = new Set<Id>()
  return records.map((record, index) => {
    const id = (record as { id?: unknown } | null)?.id
    const isId = typeof id === 'number' || typeof id === 'string'
    const place = `${name} ${isId ? id : `[${index}]`}`
    const known = isId ? findKnownRow(world, name, record as Row) : undefined
    const read = known ?? readRecord(record, schema, place)
    if (ids.has(read.id))
      throw createInvalidSnapshotError(
        `${truncateForMessage(place)}: id`,
        'two records have this id. Remove one',
      )
    ids.add(read.id)
    return read
  })
}

/**
 * Returns the row of a world that is equal to a record. The returned row is a base row, or the same
 * object in the current table.
 */
function findKnownRow(world: World, table: string, record: Row): Row | undefined {
  const row = getBaseRows(world, table).rows.get(record.id)
  if (row !== undefined && isSameJson(record, row)) return row
  return getTable(world.db, table).data.rows.get(record.id) === record ? record : undefined
}

function readRecord(record: unknown, schema: AnyTableDefinition['schema'], place: string): Row {
  if (estimateJsonSize(record, maxRecordCharacters) > maxRecordCharacters)
    throw createInvalidSnapshotError(
      truncateForMessage(place),
      `a record may have at most ${maxRecordCharacters} characters as JSON. Remove it`,
    )
  const result = schema.safeParse(record, stopEarly)
  if (!result.success) throw createInvalidRecordError(place, result.error, record)
  const extra = findExtraKey(record, result.data)
  if (extra !== undefined)
    throw createInvalidSnapshotError(
      `${truncateForMessage(place)}: ${truncateForMessage(extra)}`,
      'the table has no such field. Remove the field, or make a new snapshot with this version',
    )
  if (isIdTooLarge(result.data.id))
    throw createInvalidSnapshotError(
      `${truncateForMessage(place)}: id`,
      `it must be at most ${maxId}, because later records get larger ids. Use another id`,
    )
  // A record with all keys keeps the order of its keys.
  const hasAllKeys = findExtraKey(result.data, record) === undefined
  return copyJson(hasAllKeys ? { ...(record as Row), ...result.data } : result.data)
}

function createInvalidSnapshotError(place: string, why: string): SandboxError {
  return new SandboxError(`Failed to restore the snapshot (${place}): ${why}.`)
}

/** Returns the path of the first key in `given` that is not in `known`, such as `spans.0.price`. */
function findExtraKey(given: unknown, known: unknown, path = ''): string | undefined {
  if (typeof given !== 'object' || given === null) return undefined
  for (const [key, value] of Object.entries(given)) {
    const inner = path === '' ? key : `${path}.${key}`
    if (!Object.hasOwn(known as object, key)) return inner
    const extra = findExtraKey(value, (known as Record<string, unknown>)[key], inner)
    if (extra !== undefined) return extra
  }
  return undefined
}

function createInvalidRecordError(
  place: string,
  { issues: [issue] }: z.ZodError,
  value: unknown,
): SandboxError {
  const path = issue?.path ?? []
  const received = getAtPath(value, path)
  const shown =
    typeof received === 'object' && received !== null ? '' : ` is ${describeValue(received)}`
  const where = [truncateForMessage(place), truncateForMessage(path.join('.'))]
    .filter((part) => part !== '')
    .join(': ')
  const advice =
    received === undefined && place !== ''
      ? ' Add the field, or make a new snapshot with this version.'
      : ''
  return new SandboxError(
    `Failed to restore the snapshot${where === '' ? '' : ` (${where}${shown})`}: ` +
      `${issue?.message ?? 'it is invalid'}.${advice}`,
  )
}
