import { partition } from './sorted-list.ts'
import type { SortedList } from './sorted-list.ts'

/** The texts of a chunk's rows in one string; the text at place n goes from `starts[n]` to `starts[n + 1]`. */
interface JoinedTexts {
  text: string
  starts: readonly number[]
}

/**
 * Finds rows by a part of their text; case does not count. The chunks of a sorted list never change, so the texts of a chunk are joined
 * when they are first searched and kept as long as the chunk is: a search reads one string in place of hundreds of rows.
 */
export class TextSearch<Row extends object> {
  readonly #textOf: (row: Row) => string
  readonly #joined = new WeakMap<readonly Row[], JoinedTexts>()

  /** `textOf` must depend on the row alone. */
  constructor(textOf: (row: Row) => string) {
    this.#textOf = textOf
  }

  /** Walks the rows whose text contains `part`, from that place on, towards the end or, when `backwards`, towards the start. */
  *walk(rows: SortedList<Row>, part: string, from = 0, backwards = false): Generator<Row, void, void> {
    const needle = part.toLowerCase()
    if (needle === '') return yield* rows.walk(from, backwards)
    for (const { chunk, offset } of rows.chunks(from, backwards)) {
      const texts = this.#join(chunk)
      for (const place of backwards ? placesBefore(texts, needle, offset) : placesFrom(texts, needle, offset)) yield chunk[place] as Row
    }
  }

  #join(chunk: readonly Row[]): JoinedTexts {
    const known = this.#joined.get(chunk)
    if (known !== undefined) return known
    const texts = chunk.map((row) => this.#textOf(row).toLowerCase())
    const starts = [0]
    for (const text of texts) starts.push((starts.at(-1) ?? 0) + text.length)
    const joined = { text: texts.join(''), starts }
    this.#joined.set(chunk, joined)
    return joined
  }
}

function* placesFrom({ text, starts }: JoinedTexts, needle: string, first: number): Generator<number, void, void> {
  for (let hit = text.indexOf(needle, starts[first]); hit !== -1;) {
    const place = placeOf(starts, hit)
    const end = starts[place + 1] ?? 0
    const isWithin = hit + needle.length <= end
    if (isWithin) yield place
    hit = text.indexOf(needle, isWithin ? end : hit + 1)
  }
}

function* placesBefore({ text, starts }: JoinedTexts, needle: string, last: number): Generator<number, void, void> {
  for (let latest = (starts[last + 1] ?? 0) - needle.length; latest >= 0;) {
    const hit = text.lastIndexOf(needle, latest)
    if (hit === -1) return
    const place = placeOf(starts, hit)
    const isWithin = hit + needle.length <= (starts[place + 1] ?? 0)
    if (isWithin) yield place
    latest = isWithin ? (starts[place] ?? 0) - needle.length : hit - 1
  }
}

/** The place of the text that has the character at `index`. */
function placeOf(starts: readonly number[], index: number): number {
  return partition(starts, (start) => start > index) - 1
}
