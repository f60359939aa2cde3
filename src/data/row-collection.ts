import { Collection, Query } from '@msw/data'
import type { z } from 'zod'
import type { Change } from './changes.ts'
import { findIndexById } from './rows.ts'
import type { Id } from './rows.ts'

/**
 * The records of a table, sorted by id, in an @msw/data collection.
 * @note This is the only file that uses the library. docs/decisions/tables.md lists its pitfalls.
 */
export class RowCollection<Row extends { id: Id }> {
  readonly #getSchema: () => z.ZodType<Row>
  readonly #collection: Collection<z.ZodType<Row>>
  /** The internal array of the library. Writing to it directly avoids slow scans and awaits. */
  readonly #rows: Row[]

  /** `rows` must be frozen and sorted by id. The schema is only created if needed. */
  constructor(getSchema: () => z.ZodType<Row>, rows: readonly Row[]) {
    this.#getSchema = getSchema
    this.#collection = new Collection({
      get schema() {
        return getSchema()
      },
    })
    this.#rows = this.#collection.all()
    // Setting the length first is faster than growing the array.
    this.#rows.length = rows.length
    for (let place = 0; place < rows.length; place += 1) this.#rows[place] = rows[place] as Row
  }

  /** All records. The array changes with each write. */
  get all(): readonly Row[] {
    return this.#rows
  }

  /** The record with an id. */
  get(id: Id): Row | undefined {
    const row = this.#rows[findIndexById(this.#rows, id)]
    return row?.id === id ? row : undefined
  }

  /** All records that pass a test. */
  where(test: (row: Row) => boolean): Row[] {
    return this.#collection.findMany(new Query<Row>(test))
  }

  /** The first record that passes a test. */
  find(test: (row: Row) => boolean): Row | undefined {
    return this.#collection.findFirst(new Query<Row>(test))
  }

  /** Inserts, replaces or removes a record. */
  apply({ before, after }: Change<Row>): void {
    const place = findIndexById(this.#rows, (after ?? (before as Row)).id)
    if (before === undefined) this.#rows.splice(place, 0, after as Row)
    else if (after === undefined) this.#rows.splice(place, 1)
    else this.#rows[place] = after
  }

  /** A new collection with the same record objects. */
  copy(): RowCollection<Row> {
    return new RowCollection(this.#getSchema, this.#rows)
  }
}
