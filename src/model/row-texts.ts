import { JsonText } from '../json-text.ts'

const keptTexts = 5_000

/**
 * The JSON text of records as busy lists answer them. Making the text of a page anew is two thirds of the cost of a request; a
 * record is frozen, so its text stays right until the stamp of what else went into it changes.
 */
export class RowTexts {
  readonly #texts = new Map<object, { stamp: object; text: JsonText }>()

  /**
   * The record's row as JSON text, made by `make` unless it is known under this stamp. Typed as the row that it stands for:
   * only the envelope, which writes it out, sees the difference.
   */
  of<Row>(record: object, stamp: object, make: () => Row): Row {
    let known = this.#texts.get(record)
    if (known?.stamp !== stamp) {
      known = { stamp, text: new JsonText(JSON.stringify(make())) }
      if (this.#texts.size >= keptTexts) this.#texts.clear()
      this.#texts.set(record, known)
    }
    return known.text as Row
  }
}
