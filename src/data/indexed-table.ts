import type { z } from 'zod'
import { trimStackToCaller, describeValue, SandboxError } from '../errors.ts'
import type { Change, ChangeListener, Changes } from './change-log.ts'
import { deepFreeze, isIdTooLarge, maxId, sortById } from './rows.ts'
import { findBrokenReference } from './references.ts'
import type { AnyReferences, LookUp } from './references.ts'
import { requireCount, requireId, requireObject, RowSchema } from './row-schema.ts'
import type { Id } from './rows.ts'
import { SortedList } from './sorted-list.ts'
import { TableData } from './table-data.ts'
import type { LaterRows } from './table-data.ts'
import type { IndexDefinition } from './table-index.ts'
import type { Table } from './table.ts'

/** The parts of a table's definition that the implementation needs. */
interface TableParts<Row, Name extends string> {
  readonly schema: z.ZodType<Row>
  readonly indexes: Readonly<Record<Name, IndexDefinition<Row>>>
  readonly references?: AnyReferences
  readonly derived?: 'rebuilt' | 'stored'
}

/** Connections of a table to the other tables of the world. */
export interface TableContext {
  changes?: Changes
  /** Finds a referenced record. If omitted, references are not checked. */
  lookUp?: LookUp
  /**
   * Fills in missing fields of a record. If omitted, a record must have all fields without a
   * default.
   */
  complete?: (values: Readonly<Record<string, unknown>>) => object
}

/** The implementation of `Table`, with sorted indexes, change listeners and snapshots. */
export class IndexedTable<
  Row extends { id: Id },
  Name extends string = string,
  Input extends { id: Id } = Row,
> implements Table<Row, Input> {
  readonly name: string
  /** True if the table's records are derived from other tables. */
  readonly isDerived: boolean
  readonly #definition: TableParts<Row, Name>
  readonly #schema: RowSchema<Row>
  readonly #changes: Changes
  readonly #context: TableContext
  readonly #listeners: ChangeListener<Row>[] = []
  #data: TableData<Row>
  #build: (() => readonly Row[]) | undefined

  constructor(name: string, definition: TableParts<Row, Name>, context: TableContext = {}) {
    this.name = name
    this.isDerived = definition.derived !== undefined
    this.#definition = definition
    this.#schema = new RowSchema(name, definition)
    this.#changes = context.changes ?? { count: 0 }
    this.#context = context
    this.#data = TableData.fromRows(definition, [])
  }

  get size(): number {
    return this.#readAll().length
  }

  get(id: Id): Row | undefined {
    requireId(id, 'read', this.name)
    const row = this.#data.rows.get(id)
    this.#changes.tracker?.current?.add(this, undefined, id, row)
    return row
  }

  all(): readonly Row[] {
    return this.#readAll().slice()
  }

  slice(offset: number, limit: number): readonly Row[] {
    requireCount(offset, 'offset', this.name)
    requireCount(limit, 'limit', this.name)
    return this.#readAll().slice(offset, offset + limit)
  }

  where(match: Partial<Row> | ((row: Row) => boolean)): Row[] {
    this.#readAll()
    try {
      return this.#data.rows.where(this.#schema.toPredicate(match))
    } catch (error) {
      throw trimStackToCaller(error, this.where)
    }
  }

  find(match: Partial<Row> | ((row: Row) => boolean)): Row | undefined {
    this.#readAll()
    try {
      return this.#data.rows.find(this.#schema.toPredicate(match))
    } catch (error) {
      throw trimStackToCaller(error, this.find)
    }
  }

  /** The rows of one group in an index, in the index's order. */
  in(index: Name, group: Id): SortedList<Row> {
    const rows = this.#data.index(index).get(group)
    this.#changes.tracker?.current?.add(this, index, group, rows)
    return rows ?? (emptyList as SortedList<Row>)
  }

  /** The same rows as an array. */
  list(index: Name, group: Id): Row[] {
    return this.in(index, group).slice()
  }

  /**
   * An object that is replaced on each write. As long as the version is the same, the records are
   * the same.
   */
  get version(): object {
    return this.#data.version
  }

  /** Reads a record or an index group again, without recording a dependency. */
  look(index: string | undefined, key: Id): unknown {
    const { rows } = this.#data
    return index === undefined ? rows.get(key) : this.#data.index(index).get(key)
  }

  insert(values: Input): Row {
    try {
      const row = this.#schema.parse(this.#complete(values), 'insert into')
      this.#requireFreeId(row)
      this.#requireReferences(row, 'insert into')
      return this.#enter(row)
    } catch (error) {
      throw trimStackToCaller(error, this.insert)
    }
  }

  /**
   * Adds a record that the sandbox created, without validating the fields and references. The
   * fields must be complete and in the order of the schema. Without validation, a write is 20 %
   * faster.
   * @throws {SandboxError} if the id is taken or too large
   */
  add(row: Row): Row {
    this.#requireFreeId(row)
    return this.#enter(deepFreeze(row))
  }

  /** Like `add`, for many records. Calls the listeners after all of them are added. */
  addMany(rows: readonly Row[]): void {
    for (const row of rows) this.#requireFreeId(deepFreeze(row))
    this.#write(rows.map((after) => ({ before: undefined, after })))
  }

  update(id: Id, changes: Partial<Row>): Row {
    try {
      const before = this.#requireRow(id, changes)
      const after = this.#update(before, changes)
      if (after !== before) this.#write([{ before, after, fields: changes }])
      return after
    } catch (error) {
      throw trimStackToCaller(error, this.update)
    }
  }

  /**
   * Updates many records of the sandbox in one pass, without validating the changed fields and
   * references. Only existing fields may change. Calls the listeners after all records have
   * changed.
   * @throws {SandboxError} if a record does not exist. In that case, no record is changed.
   */
  updateMany(updates: readonly (readonly [id: Id, changes: Partial<Row>])[]): void {
    const changes = new Map<Id, Change<Row>>()
    for (const [id, values] of updates) {
      const row = this.#requireRow(id, values)
      const { before, after } = changes.get(id) ?? { before: row, after: row }
      changes.set(id, { before, after: this.#schema.replaceFields(after as Row, values) })
    }
    this.#write([...changes.values()])
  }

  put(values: Input): Row {
    try {
      requireObject(values, `insert into ${this.name}`)
      return this.get(values.id) === undefined
        ? this.insert(values)
        : this.update(values.id, values as unknown as Partial<Row>)
    } catch (error) {
      throw trimStackToCaller(error, this.put)
    }
  }

  remove(id: Id): Row | undefined {
    requireId(id, 'remove from', this.name)
    const before = this.#data.rows.get(id)
    if (before !== undefined) this.#write([{ before, after: undefined }])
    return before
  }

  /** Removes many records in one pass. Calls the listeners after all of them are removed. */
  removeMany(ids: readonly Id[]): void {
    const removed = new Set<Row>()
    for (const id of ids) {
      const row = this.#data.rows.get(id)
      if (row !== undefined) removed.add(row)
    }
    this.#write([...removed].map((before) => ({ before, after: undefined })))
  }

  lacks(values: object): boolean {
    const fields = values as Readonly<Record<string, unknown>>
    return fields['at'] !== undefined || this.#schema.lacksFields(fields)
  }

  /**
   * Registers a listener for later changes to records. The listener is not called for `load` and
   * `restore`.
   */
  onChange(listener: ChangeListener<Row>): void {
    this.#listeners.push(listener)
  }

  /** Sets the function that derives the records of this table from other tables. */
  derive(build: () => readonly Row[]): void {
    this.#build = build
  }

  /** Rebuilds the records of a derived table. Called after the source tables are loaded. */
  rebuild(): void {
    if (this.#build !== undefined) this.load(this.#build())
  }

  /**
   * Replaces all records. The new records are frozen but not validated. Tables derived from this
   * one must be rebuilt afterwards.
   */
  load(rows: readonly Row[]): void {
    for (const row of rows) deepFreeze(row)
    const before = this.snapshot()
    this.#countChanges(1)
    this.#changes.undo?.push(() => this.restore(before))
    this.#data = TableData.fromRows(this.#definition, sortById(rows), this.#data)
  }

  /** Like `load`, but creates the records when they are first read. */
  loadLater(rows: LaterRows<Row>): void {
    this.#countChanges(1)
    this.#data = TableData.fromLaterRows(this.#definition, rows)
  }

  /** Like `rebuild`, but when the records are first read, and before any table changes. */
  rebuildLater(): void {
    if (this.#build === undefined) return
    const data = TableData.fromLaterRows(this.#definition, { count: 0, create: this.#build })
    this.#data = data
    this.#changes.uncreated = [...(this.#changes.uncreated ?? []), data]
  }

  /** Prebuilds all indexes. */
  buildIndexes(): void {
    this.#data.buildIndexes()
  }

  /** Updates all existing indexes, which releases earlier versions of the records. */
  updateIndexes(): void {
    this.#data.updateIndexes()
  }

  /** Returns the current data without copying. The next write makes a copy first. */
  snapshot(): TableData<Row> {
    this.#data.isShared = true
    return this.#data
  }

  /**
   * Makes the current rows the base snapshot for later diffs. Tables that are always rebuilt need
   * none.
   */
  setAsBase(): void {
    if (this.#definition.derived !== 'rebuilt') this.#data.setAsBase()
  }

  /** The current data. Do not modify it. Later writes may change it. */
  get data(): TableData<Row> {
    return this.#data
  }

  /**
   * Restores a snapshot of this table, or of the same table in another world. Does not call
   * listeners, because the tables to which they write are restored too.
   */
  restore(snapshot: TableData<Row>): void {
    if (snapshot === this.#data) return
    this.#countChanges(1)
    this.#data = snapshot
  }

  /** Replaces the data and applies changes to it. Does not call listeners. */
  restoreChanged(data: TableData<Row>, changes: readonly Change<Row>[]): void {
    this.restore(data)
    if (changes.length > 0) this.#apply(changes)
  }

  /** Returns all records, and tracks this as a read of the whole table. */
  #readAll(): readonly Row[] {
    this.#changes.tracker?.current?.add(this, undefined, undefined, undefined)
    return this.#data.rows.all
  }

  #complete(values: Input): object {
    requireObject(values, `insert into ${this.name}`)
    const { complete } = this.#context
    if (complete === undefined || !this.lacks(values)) return values
    return complete(values as unknown as Readonly<Record<string, unknown>>)
  }

  #enter(row: Row): Row {
    this.#write([{ before: undefined, after: row }])
    return row
  }

  /**
   * Returns the record to update.
   * @throws {SandboxError}
   */
  #requireRow(id: Id, changes: Partial<Row>): Row {
    requireId(id, 'update', this.name)
    requireObject(changes, `update ${this.name}`)
    const row = this.#data.rows.get(id)
    if (row === undefined)
      throw new SandboxError(
        `Failed to update ${this.name}: there is no record with the id ${describeValue(id)}.`,
      )
    return row
  }

  #update(before: Row, changes: Partial<Row>): Row {
    const after = this.#schema.update(before, changes)
    if (after !== before) this.#requireReferences(after, 'update', changes)
    return after
  }

  /** Applies changes, at most one for each record, and calls the listeners. */
  #write(changes: readonly Change<Row>[]): void {
    if (changes.length === 0) return
    const { version } = this.#data
    this.#apply(changes)
    this.#changes.undo?.push(() => this.#undo(changes, version))
    if (!this.isDerived) this.#changes.changeLog?.add(this.name, changes)
    for (const { before, after } of changes)
      for (const listener of this.#listeners) listener(before, after)
  }

  /**
   * Undoes changes. Does not call listeners, because the writes that they made to other tables are
   * undone separately.
   */
  #undo(changes: readonly Change<Row>[], version: object): void {
    this.#apply(changes.map(({ before, after }) => ({ before: after, after: before })))
    this.#data.version = version
  }

  #apply(changes: readonly Change<Row>[]): void {
    this.#countChanges(changes.length)
    if (this.#data.isShared) this.#data = this.#data.copy()
    this.#data.apply(changes)
  }

  /** Counts changes, and creates derived records that were not read yet. Called before the changes. */
  #countChanges(count: number): void {
    this.#changes.count += count
    const { uncreated } = this.#changes
    if (uncreated === undefined) return
    this.#changes.uncreated = undefined
    // Reading the records creates them.
    for (const { rows } of uncreated) void rows
  }

  #requireFreeId({ id }: Row): void {
    if (this.#data.rows.get(id) !== undefined) {
      throw new SandboxError(
        `Failed to insert into ${this.name}: the id ${describeValue(id)} is taken. Use another id, ` +
          'or update that record.',
      )
    }
    if (isIdTooLarge(id))
      throw new SandboxError(
        `Failed to insert into ${this.name} (id: ${id}): it must be at most ${maxId}, because ` +
          'later records get larger ids.',
      )
  }

  #requireReferences(row: Row, verb: string, fields?: Partial<Row>): void {
    const { lookUp } = this.#context
    if (lookUp === undefined) return
    const wrong = findBrokenReference(row, this.#definition.references ?? {}, { lookUp, fields })
    if (wrong !== undefined)
      throw new SandboxError(
        `Failed to ${verb} ${this.name} (${wrong.what}): ${wrong.why}. Insert that record ` +
          'first, or refer to another one.',
      )
  }
}

const emptyList = SortedList.fromSorted<unknown>([], () => 0)
