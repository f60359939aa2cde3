import type { ChangeLog, Cause, RecordChange, Change } from '../data/change-log.ts'
import { compareIds } from '../data/rows.ts'
import type { Id } from '../data/rows.ts'
import { getTable } from '../data/tables.ts'
import { isSameJson } from '../lib/plain-json.ts'
import { derivedTables, tableNames } from '../resources/all-tables.ts'
import type { TableName } from '../resources/all-tables.ts'
import type { World } from '../resources/world.ts'
import { SandboxError, quoteText } from '../errors.ts'
import { parseIso, parseSandboxTime, toIsoTime } from '../lib/time.ts'
import { getBaseRows } from '../world/snapshot/snapshot.ts'
import type { WorldChangesJson } from '../world/snapshot/snapshot.ts'
import type { WorldSnapshot } from '../world/world-state.ts'
import type { NamedSnapshots } from './named-snapshots.ts'

type Row = { readonly id: Id }
type FieldChange = { field: string; before: unknown; after: unknown }

/**
 * Added or removed records, and their causes: `by[0]` is the request or action that added or
 * removed `records[0]`.
 */
interface ListedRecords {
  total: number
  records: object[]
  /** Null if the cause is no longer stored. */
  by: (Cause | null)[]
}

/** Changes to a table, sorted by id. */
export interface TableChanges {
  table: TableName
  added: ListedRecords
  removed: ListedRecords
  changed: { total: number; records: ChangedRecord[] }
}

/** A changed record with its changed fields. */
interface ChangedRecord {
  id: Id
  fields: FieldChange[]
  /** The request or action that last changed the record, or null if it is no longer stored. */
  by: Cause | null
}

/** Record changes since an earlier state. Excludes derived tables. */
export interface Changes {
  /** Sandbox time of the earlier state, or the given time, RFC 3339. */
  since: string
  /**
   * Present if `since` is a time: `load`, or the name of the snapshot that contains the earlier
   * values. It is the last state before that time.
   */
  compared_with?: string
  /** The tables that changed. */
  tables: TableChanges[]
}

/** The earlier state with which the current records are compared. */
interface ComparisonBase {
  /** Sandbox time of the earlier state, RFC 3339. */
  at: string
  /** Number of the last change before the earlier state, or 0 if unknown. */
  lastChange: number
  /** Set if only the changes at or after a sandbox time are listed. */
  after?: { time: number; comparedWith: string }
  /** Changes to a table since the earlier state, sorted by id. */
  getChanges: (table: TableName) => readonly Change<Row>[]
}

/** Snapshots of a sandbox, and the identifier of its base rows. */
interface ComparisonContext {
  snapshots: NamedSnapshots
  active: { baseName: string }
}

/**
 * Finds the earlier state given by `since`.
 * @default the checkpoint, or else the state after loading
 * @throws {SandboxError} if the state does not exist
 */
export function findComparisonBase(
  world: World,
  since: string | undefined,
  { snapshots, active: { baseName } }: ComparisonContext,
): ComparisonBase {
  if (since === undefined) return createComparisonBase(world, world.checkpoint ?? world.origin)
  if (since === 'load') return createComparisonBase(world, world.origin)
  if (since === 'checkpoint') {
    if (world.checkpoint !== undefined) return createComparisonBase(world, world.checkpoint)
    throw new SandboxError(
      `Failed to list the changes (since: checkpoint): there is no checkpoint. Set one first ` +
        `(POST /_sandbox/checkpoint), or use since: load.`,
      { field: 'since' },
    )
  }
  if (since === 'request') return getBaseAtLastRequest(world)
  // Names of snapshots contain no colon.
  if (since.includes(':')) return getBaseBefore(world, since, snapshots)
  const snapshot = snapshots.get(since)
  if (snapshot.base !== baseName)
    throw new SandboxError(
      `Failed to list the changes (since: ${quoteText(since)}): the snapshot was taken with ` +
        `another scenario (${snapshot.scenario}), seed, start or version. Restore it first, ` +
        'or use another snapshot.',
      { field: 'since' },
    )
  return getBaseAtSnapshot(world, snapshot)
}

/** Lists the changes to a world since an earlier state. */
export function readChanges(world: World, base: ComparisonBase): Changes {
  const { at, lastChange, after, getChanges } = base
  const { changeLog } = world
  return {
    since: at,
    ...(after === undefined ? {} : { compared_with: after.comparedWith }),
    tables: tableNames.flatMap((table) => {
      if (derivedTables.includes(table)) return []
      const changes = getChanges(table)
      const listed =
        after === undefined
          ? changes
          : changes.flatMap((change) => selectLater(change, changeLog, { ...after, table }))
      return listed.length === 0 ? [] : summarise(table, listed, { changeLog, lastChange })
    }),
  }
}

function createComparisonBase(
  world: World,
  { tables, state, lastChange }: WorldSnapshot,
): ComparisonBase {
  return {
    at: state.clock.now,
    lastChange,
    getChanges(table) {
      const before = tables.get(table)
      return before === undefined ? [] : getTable(world.db, table).data.listDifferencesFrom(before)
    },
  }
}

/**
 * Finds the last state before a sandbox time. Only the changes at or after that time are listed.
 */
function getBaseBefore(world: World, since: string, snapshots: NamedSnapshots): ComparisonBase {
  const time = parseSandboxTime(since)
  if (time === undefined)
    throw new SandboxError(
      `Failed to list the changes (since: ${quoteText(since)}): it is not a time from 2004 to ` +
        '2286. Write it like 2026-10-01T09:30:00Z.',
      { field: 'since' },
    )
  const last = snapshots
    .listOfHistory(world.changeLog.history)
    .findLast(({ at }) => parseIso(at) < time)
  const base =
    last === undefined
      ? createComparisonBase(world, world.origin)
      : getBaseAtSnapshot(world, snapshots.get(last.name))
  return { ...base, at: toIsoTime(time), after: { time, comparedWith: last?.name ?? 'load' } }
}

/**
 * Returns the part of a change that happened at or after a sandbox time. Earlier changes to other
 * fields of the record are left out.
 */
function selectLater(
  change: Change<Row>,
  changeLog: ChangeLog,
  { time, table }: { time: number; table: TableName },
): readonly Change<Row>[] {
  const { before, after } = change
  const fields = changeLog.listFieldsSince(time, table, ((after ?? before) as Row).id)
  if (fields === undefined) return []
  if (fields === null || before === undefined || after === undefined) return [change]
  const later = Object.fromEntries(
    Object.entries(after).map(([name, value]) => [
      name,
      fields.has(name) ? value : (before as unknown as Record<string, unknown>)[name],
    ]),
  ) as unknown as Row
  return isSameJson(before, later) ? [] : [{ before, after: later }]
}

function getBaseAtLastRequest(world: World): ComparisonBase {
  const start = world.changeLog.lastRequest
  if (start === undefined)
    throw new SandboxError(
      `Failed to list the changes (since: request): no client has sent a request since the data ` +
        `was loaded, reset or restored, or the request changed too many records. Use since: load.`,
      { field: 'since' },
    )
  return {
    at: toIsoTime(start.at),
    lastChange: start.lastChange,
    getChanges: (table) => compare(world, table, start.before.get(table) ?? new Map()),
  }
}

function getBaseAtSnapshot(
  world: World,
  { changes, worldState }: WorldChangesJson,
): ComparisonBase {
  return {
    at: worldState.clock.now,
    lastChange: 0,
    getChanges(table) {
      const base = getBaseRows(world, table)
      const before = new Map<Id, Row | undefined>()
      for (const row of getTable(world.db, table).data.listDifferencesFrom(base))
        before.set((row.after ?? (row.before as Row)).id, row.before)
      const { rows, removed } = changes[table] ?? { rows: [], removed: [] }
      for (const row of rows) before.set(row.id, row)
      for (const id of removed) before.set(id, undefined)
      return compare(world, table, before)
    },
  }
}

/** Compares the earlier rows of a table with its current rows. */
function compare(
  world: World,
  table: TableName,
  earlier: ReadonlyMap<Id, Row | undefined>,
): readonly Change<Row>[] {
  const { rows } = getTable(world.db, table).data
  return [...earlier]
    .toSorted(([a], [b]) => compareIds(a, b))
    .flatMap(([id, before]) => {
      const after = rows.get(id)
      return before === after || isSameJson(before, after) ? [] : [{ before, after }]
    })
}

/** Maximum length of each list in a route's response. */
const maxListed = 100

/** Truncates the lists of changes to a table. The totals still count all changes. */
export function truncateChanges({ added, removed, changed, ...table }: TableChanges): TableChanges {
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
          fields: listChangedFields(before, after),
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

function listChangedFields(before: object, after: object): FieldChange[] {
  const [old, present] = [before, after] as readonly Readonly<Record<string, unknown>>[]
  return Object.keys({ ...old, ...present }).flatMap((field) =>
    isSameJson(old?.[field], present?.[field])
      ? []
      : { field, before: old?.[field], after: present?.[field] },
  )
}
