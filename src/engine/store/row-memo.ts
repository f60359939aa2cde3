import { JsonBytes } from '../json-bytes.ts'

const keptRows = 5_000

/**
 * The rows of busy lists, already written as JSON. Making the text of a page anew is two thirds of the cost of a request; a record
 * is frozen, so its row stays right until the stamp of what else went into it changes.
 */
export class RowMemo {
  readonly #rows = new Map<object, { stamp: object; row: JsonBytes }>()

  /**
   * The record's row, made by `make` unless it is known under this stamp. Typed as the row that it stands for: only the
   * envelope, which writes it out, sees the difference.
   */
  of<Row>(record: object, stamp: object, make: () => Row): Row {
    let known = this.#rows.get(record)
    if (known?.stamp !== stamp) {
      known = { stamp, row: new JsonBytes(make()) }
      if (this.#rows.size >= keptRows) this.#rows.clear()
      this.#rows.set(record, known)
    }
    return known.row as Row
  }
}
