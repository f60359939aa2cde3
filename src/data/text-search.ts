import { findPartitionPoint } from '../lib/iterables.ts'
import { foldCase } from '../lib/text.ts'
import type { SortedList } from './sorted-list.ts'

/**
 * The joined texts of a chunk's rows. The text of row n is between `starts[n]` and `starts[n + 1]`.
 */
interface JoinedTexts {
  text: string
  starts: readonly number[]
}

/**
 * Finds rows by part of their text, ignoring case. The texts of each immutable chunk are joined and
 * cached, so that a search scans one string instead of hundreds of rows.
 */
export class TextSearch<Row extends object> {
  readonly #textOf: (row: Row) => string
  readonly #joined = new WeakMap<readonly Row[], JoinedTexts>()

  /** The result of `textOf` must depend only on the row. */
  constructor(textOf: (row: Row) => string) {
    this.#textOf = textOf
  }

  /**
   * Yields the rows whose text contains `part`, from a rank to the end, or backwards to the start.
   */
  *walk(
    rows: SortedList<Row>,
    part: string,
    from = 0,
    backwards = false,
  ): Generator<Row, void, void> {
    const needle = foldCase(part)
    if (needle === '') return yield* rows.walk(from, backwards)
    for (const { chunk, offset } of rows.chunks(from, backwards)) {
      const texts = this.#join(chunk)
      const indices = backwards
        ? iterateMatchesBackwards(texts, needle, offset)
        : iterateMatchesForwards(texts, needle, offset)
      for (const index of indices) yield chunk[index] as Row
    }
  }

  #join(chunk: readonly Row[]): JoinedTexts {
    const cached = this.#joined.get(chunk)
    if (cached !== undefined) return cached
    const texts = chunk.map((row) => foldCase(this.#textOf(row)))
    const starts = [0]
    for (const text of texts) starts.push((starts.at(-1) ?? 0) + text.length)
    const joined = { text: texts.join(''), starts }
    this.#joined.set(chunk, joined)
    return joined
  }
}

/** Yields the indexes of the texts that contain the needle, starting with the text `first`. */
function* iterateMatchesForwards(
  { text, starts }: JoinedTexts,
  needle: string,
  first: number,
): Generator<number, void, void> {
  for (let hit = text.indexOf(needle, starts[first]); hit !== -1;) {
    const index = findTextIndex(starts, hit)
    const end = starts[index + 1] ?? 0
    // Skips matches that extend into the next text.
    const isWithin = hit + needle.length <= end
    if (isWithin) yield index
    hit = text.indexOf(needle, isWithin ? end : hit + 1)
  }
}

/**
 * Yields the indexes of the texts that contain the needle, in descending order from `last` to the
 * first text.
 */
function* iterateMatchesBackwards(
  { text, starts }: JoinedTexts,
  needle: string,
  last: number,
): Generator<number, void, void> {
  for (let latest = (starts[last + 1] ?? 0) - needle.length; latest >= 0;) {
    const hit = text.lastIndexOf(needle, latest)
    if (hit === -1) return
    const index = findTextIndex(starts, hit)
    const isWithin = hit + needle.length <= (starts[index + 1] ?? 0)
    if (isWithin) yield index
    latest = isWithin ? (starts[index] ?? 0) - needle.length : hit - 1
  }
}

/** Returns the index of the text that contains the character at `position`. */
function findTextIndex(starts: readonly number[], position: number): number {
  return findPartitionPoint(starts, (start) => start > position) - 1
}
