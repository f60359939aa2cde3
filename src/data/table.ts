import type { Id } from './rows.ts'

/** The records of one kind. They are frozen; each write replaces a record by another object. */
export interface Table<Row extends { id: Id }, Input extends { id: Id } = Row> {
  readonly name: string

  /** Number of records. */
  readonly size: number

  /** The record with that id. */
  get(id: Id): Row | undefined

  /** All records in the order of their ids. */
  all(): readonly Row[]

  /** Up to `limit` records from the place `offset` on, in the order of their ids. */
  slice(offset: number, limit: number): readonly Row[]

  /**
   * All records that match. A pattern matches records whose fields equal its fields. Reads the
   * whole table.
   */
  where(match: Partial<Row> | ((row: Row) => boolean)): Row[]

  /** The first record, by id, that matches. Reads the whole table. */
  find(match: Partial<Row> | ((row: Row) => boolean)): Row | undefined

  /**
   * Adds a record and returns it as stored. A field that has a default may be left out.
   * @throws {SandboxError} if it does not fit the schema, the id is taken or too large, or it
   * refers to a record that does not exist.
   */
  insert(values: Input): Row

  /**
   * Changes some fields of a record and returns it as stored.
   * @throws {SandboxError} if there is no such record, it no longer fits the schema, or a changed
   * field refers to a record that does not exist.
   */
  update(id: Id, changes: Partial<Row>): Row

  /**
   * Adds a record, or replaces the one with its id.
   * @throws {SandboxError} if it does not fit the schema.
   */
  put(values: Input): Row

  /**
   * Removes a record and returns it; undefined if there was none.
   * @note Records that refer to it stay. `sandbox.check()` reports them.
   */
  remove(id: Id): Row | undefined

  /**
   * True if a record to insert is incomplete: it lacks a field that has no default, or gives its
   * time by `at`.
   */
  lacks(values: object): boolean
}
