import type { Id } from './rows.ts'

/** A table of records. Records are frozen. A write replaces the whole record object. */
export interface Table<Row extends { id: Id }, Input extends { id: Id } = Row> {
  readonly name: string

  /** Number of records. */
  readonly size: number

  /** Returns the record with the given id. */
  get(id: Id): Row | undefined

  /** Returns all records, sorted by id. */
  all(): readonly Row[]

  /** Returns up to `limit` records, sorted by id, after skipping `offset` records. */
  slice(offset: number, limit: number): readonly Row[]

  /**
   * Returns all records that pass a test or match a pattern of field values. Reads the whole table.
   */
  where(match: Partial<Row> | ((row: Row) => boolean)): Row[]

  /** Like `where`, but returns the matching record with the smallest id. Reads the whole table. */
  find(match: Partial<Row> | ((row: Row) => boolean)): Row | undefined

  /**
   * Adds a record and returns the stored record. Fields with a default are optional.
   * @throws {SandboxError} if a field is invalid, the id is taken or too large, or a referenced
   * record does not exist
   */
  insert(values: Input): Row

  /**
   * Updates some fields of a record and returns the stored record.
   * @throws {SandboxError} if the record does not exist, a changed field is invalid, or a newly
   * referenced record does not exist
   */
  update(id: Id, changes: Partial<Row>): Row

  /**
   * Adds a record, or updates the record with the same id.
   * @throws {SandboxError} if a field is invalid
   */
  put(values: Input): Row

  /**
   * Removes a record and returns it. Returns undefined if it does not exist.
   * @note Records that refer to it are not removed. `sandbox.check()` reports them.
   */
  remove(id: Id): Row | undefined

  /**
   * True if a record to insert must be completed: a field without a default is missing, or the
   * shorthand `at` is set.
   */
  lacks(values: object): boolean
}
