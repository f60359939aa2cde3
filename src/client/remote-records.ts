import type { TableName } from '../resources/all-tables.ts'
import type { DeclaredFactory } from '../resources/factories.ts'
import type { MadeFields, OpenTables, RecordMaker } from '../resources/make.ts'
import { madeTables } from '../generated/table-names.ts'
import { SandboxError } from '../errors.ts'

type Asynchronous<Method> = Method extends (...input: infer Input) => infer Answer
  ? (...input: Input) => Promise<Answer>
  : Promise<Method>

/** Makes records of one kind over HTTP. */
export interface RemoteRecordMaker<Name extends TableName> {
  (fields?: MadeFields<Name>): Promise<ReturnType<RecordMaker<Name>>>
  /** Makes up to 1,000 records. If one of them is invalid, makes none. */
  many: Asynchronous<RecordMaker<Name>['many']>
}

/** The functions of `sandbox.make`, which return promises. */
export type RemoteMake = {
  readonly [Factory in DeclaredFactory as Factory['name']]: RemoteRecordMaker<Factory['table']>
}

/** A table of `sandbox.db`, whose methods and `size` are promises. */
type RemoteTable<Table> = {
  readonly [Name in Exclude<keyof Table, 'name' | 'lacks'>]: Asynchronous<Table[Name]>
}

/** The tables of `sandbox.db`, read by `await`. */
export type RemoteTables = {
  readonly [Name in TableName]: RemoteTable<OpenTables[Name]>
}

/** The methods of a remote control that read and change records. */
interface RecordAccess {
  tables: () => Promise<Readonly<Record<string, number>>>
  data: (
    table: string,
    query: { limit: number; offset: number; filters?: Record<string, string> },
  ) => Promise<{ total: number; items: readonly object[] }>
  insertRecord: (table: string, fields: object) => Promise<object>
  insertRecords: (table: string, records: readonly object[]) => Promise<readonly object[]>
  updateRecord: (table: string, id: string | number, fields: object) => Promise<object>
  removeRecord: (table: string, id: string | number) => Promise<void>
}

/** Maximum number of records in a response. */
const pageSize = 10_000

/** Creates `make` of a remote sandbox. */
export function createRemoteMake(access: RecordAccess): RemoteMake {
  const makers = Object.entries(madeTables).map(([name, table]) => {
    const many = (count: number, fields: object | ((index: number) => object) = {}) =>
      access.insertRecords(
        table,
        Array.from({ length: count }, (_, index) =>
          typeof fields === 'function' ? (fields as (place: number) => object)(index) : fields,
        ),
      )
    return [
      name,
      Object.assign((fields: object = {}) => access.insertRecord(table, fields), { many }),
    ]
  })
  return Object.fromEntries(makers) as RemoteMake
}

/** Creates `db` of a remote sandbox. The server checks the names of tables. */
export function createRemoteTables(access: RecordAccess): RemoteTables {
  return new Proxy({} as RemoteTables, {
    // A promise must not take `db` for another promise.
    get: (_, name) =>
      typeof name === 'string' && name !== 'then' ? createRemoteTable(access, name) : undefined,
  })
}

type Row = Readonly<Record<string, unknown>>
type Match = Row | ((row: Row) => boolean)

function createRemoteTable(access: RecordAccess, name: string) {
  async function read(filters?: Record<string, string>): Promise<Row[]> {
    const rows: Row[] = []
    for (;;) {
      const query = { limit: pageSize, offset: rows.length, ...(filters && { filters }) }
      const { items, total } = await access.data(name, query)
      rows.push(...(items as Row[]))
      if (rows.length >= total || items.length === 0) return rows
    }
  }
  const where = async (match: Match) =>
    typeof match === 'function'
      ? (await read()).filter(match)
      : (await read(toFilters(match))).filter((row) => hasFields(row, match))
  const get = async (id: string | number) => (await where({ id }))[0]
  return {
    get size() {
      return access.data(name, { limit: 0, offset: 0 }).then(({ total }) => total)
    },
    get,
    all: () => read(),
    slice: async (offset: number, limit: number) =>
      (await access.data(name, { offset, limit })).items,
    where,
    find: async (match: Match) => (await where(match))[0],
    insert: (fields: object) => access.insertRecord(name, fields),
    update: (id: string | number, changes: object) => access.updateRecord(name, id, changes),
    async put(row: { id: string | number }) {
      return (await get(row.id)) === undefined
        ? access.insertRecord(name, row)
        : access.updateRecord(name, row.id, row)
    },
    async remove(id: string | number) {
      const row = await get(id)
      if (row !== undefined) await access.removeRecord(name, id)
      return row
    },
  }
}

/** Converts the fields to filters of the server, which compares them as text. */
function toFilters(match: Row): Record<string, string> {
  if (typeof match !== 'object' || match === null)
    throw new SandboxError('Failed to find records: pass fields and their values, or a function.')
  return Object.fromEntries(Object.entries(match).map(([name, value]) => [name, toText(value)]))
}

function hasFields(row: Row, match: Row): boolean {
  return Object.entries(match).every(
    ([name, value]) => typeof row[name] === typeof value && toText(row[name]) === toText(value),
  )
}

function toText(value: unknown): string {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value)
}
