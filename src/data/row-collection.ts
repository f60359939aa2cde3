import { Collection, Query } from '@msw/data'
import type { z } from 'zod'
import type { Change } from './change-log.ts'
import { findIndexById } from './rows.ts'
import type { Id } from './rows.ts'

/**
 * The records of a table in an @msw/data collection, sorted by id.
 * @note No other file uses the library. docs/decisions/source-structure.md lists its pitfalls.
 */
export class RowCollection<Row extends { id: Id }> {
  readonly #getSchema: () => z.ZodType<Row>
  readonly #collection: Collection<z.ZodType<Row>>
  /**
   * Internal array of the library. Writes go to this array directly, which avoids the library's
   * scans and its asynchronous methods.
   */
  readonly #rows: Row[]

  /** `rows` must be frozen and sorted by id. The schema is created only if needed. */
  constructor(getSchema: () => z.ZodType<Row>, rows: readonly Row[]) {
    this.#getSchema = getSchema
    this.#collection = new Collection({
      get schema() {
        return getSchema()
      },
    })
    this.#rows = this.#collection.all()
    // Preallocating the array is faster than letting it grow.
    this.#rows.length = rows.length
    for (let index = 0; index < rows.length; index += 1) this.#rows[index] = rows[index] as Row
  }

  /** All records. Each write changes the array. */
  get all(): readonly Row[] {
    return this.#rows
  }

  /** Returns the record with the given id. */
  get(id: Id): Row | undefined {
    const row = this.#rows[findIndexById(this.#rows, id)]
    return row?.id === id ? row : undefined
  }

  /** Returns all records that pass a test. */
  where(test: (row: Row) => boolean): Row[] {
    return this.#collection.findMany(new Query<Row>(test))
  }

  /** Returns the first record that passes a test. */
  find(test: (row: Row) => boolean): Row | undefined {
    return this.#collection.findFirst(new Query<Row>(test))
  }

  /** Inserts, replaces or removes a record. */
  apply({ before, after }: Change<Row>): void {
    const index = findIndexById(this.#rows, (after ?? (before as Row)).id)
    if (before === undefined) this.#rows.splice(index, 0, after as Row)
    else if (after === undefined) this.#rows.splice(index, 1)
    else this.#rows[index] = after
  }

  /** Removes records in one pass. */
  removeMany(removed: ReadonlySet<Row>): void {
    let index = 0
    for (const row of this.#rows) {
      if (removed.has(row)) continue
      this.#rows[index] = row
      index += 1
    }
    this.#rows.length = index
  }

  /** Returns a new collection with the same record objects. */
  copy(): RowCollection<Row> {
    return new RowCollection(this.#getSchema, this.#rows)
  }
}
