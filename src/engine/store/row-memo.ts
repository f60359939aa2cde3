import { WrittenRow } from '../json-bytes.ts'

const mostRows = 5_000

/**
 * A cache of rows of busy lists, already written as JSON: writing the JSON of a page anew is two thirds of the cost of a request. A
 * record is frozen, so its row stays right until the stamp changes, which stands for everything else that the row shows.
 */
export class RowMemo {
  readonly #rows = new Map<object, { stamp: object; row: WrittenRow }>()

  /** The written row of a record. `make` builds the row when the cache does not hold it under this stamp. */
  of<Row>(record: object, stamp: object, make: () => Row): WrittenRow<Row> {
    const cached = this.#rows.get(record)
    if (cached?.stamp === stamp) return cached.row as WrittenRow<Row>
    const row = new WrittenRow(make())
    if (this.#rows.size >= mostRows) this.#rows.clear()
    this.#rows.set(record, { stamp, row })
    return row
  }
}
