import { findPartitionPoint } from '../lib/iterables.ts'

/** Compares two rows. Negative if `a` comes first. */
export type Comparator<Row> = (a: Row, b: Row) => number

type Chunk<Row> = readonly Row[]

/**
 * Returns the maximum number of rows in a chunk. A change copies one chunk and the array of chunks,
 * so a long list needs longer chunks.
 */
function getMaxChunkLength(size: number): number {
  return size > longList ? 512 : 128
}

const longList = 16_384
/**
 * The chunk offsets of all lists with one chunk. There are hundreds of thousands of these lists, so
 * sharing one array saves memory.
 */
const oneStart: readonly number[] = [0]

/**
 * An immutable list of sorted rows. A change returns a new list that shares all chunks except one,
 * so a list is also its own snapshot. Reading a row by index and finding the rank of a row take
 * logarithmic time.
 */
export class SortedList<Row> {
  readonly size: number
  readonly #chunks: readonly Chunk<Row>[]
  readonly #compare: Comparator<Row>
  /** Computed on first use, because most writes do not need the chunk offsets. */
  #cachedStarts: readonly number[] | undefined

  private constructor(
    chunks: readonly Chunk<Row>[],
    compare: Comparator<Row>,
    size = chunks.reduce((sum, { length }) => sum + length, 0),
  ) {
    this.#chunks = chunks
    this.#compare = compare
    this.size = size
  }

  /** Creates a list from unsorted rows. Does not change the array. */
  static from<Row>(rows: readonly Row[], compare: Comparator<Row>): SortedList<Row> {
    return SortedList.fromSorted(rows.toSorted(compare), compare)
  }

  /** Creates a list from sorted rows. */
  static fromSorted<Row>(sorted: readonly Row[], compare: Comparator<Row>): SortedList<Row> {
    return new SortedList(sorted.length === 0 ? [] : toChunks(sorted), compare, sorted.length)
  }

  /** Returns the row at a rank, counted from 0. */
  at(rank: number): Row | undefined {
    if (rank < 0 || rank >= this.size) return undefined
    const first = this.#chunks[0] as Chunk<Row>
    if (rank < first.length) return first[rank]
    const { index, offset } = this.#locate(rank)
    return this.#chunks[index]?.[offset]
  }

  /**
   * Returns the number of rows before the first one for which `isReached` is true. `isReached` must
   * also be true for all later rows.
   */
  findPartitionPoint(isReached: (row: Row) => boolean): number {
    const index = this.#chunkReached(isReached)
    const chunk = this.#chunks[index]
    if (chunk === undefined) return this.size
    const offset = findPartitionPoint(chunk, isReached)
    return index === 0 ? offset : (this.#starts[index] ?? 0) + offset
  }

  /**
   * Returns the first row for which `isReached` is true. `isReached` must also be true for all
   * later rows.
   */
  first(isReached: (row: Row) => boolean): Row | undefined {
    const chunk = this.#chunks[this.#chunkReached(isReached)]
    return chunk?.[findPartitionPoint(chunk, isReached)]
  }

  /** Returns the rank of a row, or the rank where it would be inserted. */
  findRank(row: Row): number {
    return this.findPartitionPoint((other) => this.#compare(other, row) >= 0)
  }

  /** Yields the rows from a rank to the end, or backwards to the start. */
  *walk(from = 0, backwards = false): Generator<Row, void, void> {
    const step = backwards ? -1 : 1
    for (const { chunk, offset } of this.chunks(from, backwards)) {
      for (let place = offset; place >= 0 && place < chunk.length; place += step)
        yield chunk[place] as Row
    }
  }

  /**
   * Like `walk`, but yields immutable chunks. `offset` is the index of the first row to read in
   * each chunk.
   */
  *chunks(
    from = 0,
    backwards = false,
  ): Generator<{ chunk: Chunk<Row>; offset: number }, void, void> {
    if (from < 0 || from >= this.size) return
    let { index, offset } = this.#locate(from)
    for (let chunk = this.#chunks[index]; chunk !== undefined; chunk = this.#chunks[index]) {
      yield { chunk, offset }
      index += backwards ? -1 : 1
      offset = backwards ? (this.#chunks[index]?.length ?? 0) - 1 : 0
    }
  }

  /** Returns the rows from one rank up to, but not including, another. */
  slice(from = 0, to = this.size): Row[] {
    const rows: Row[] = []
    let missing = Math.min(to, this.size) - Math.max(from, 0)
    if (missing <= 0) return rows
    let { index, offset } = this.#locate(Math.max(from, 0))
    for (; missing > 0; index += 1, offset = 0) {
      const chunk = this.#chunks[index] as Chunk<Row>
      const end = Math.min(chunk.length, offset + missing)
      missing -= end - offset
      for (; offset < end; offset += 1) rows.push(chunk[offset] as Row)
    }
    return rows
  }

  /** Returns the list with a row added. The row is inserted after rows that compare as equal. */
  with(row: Row): SortedList<Row> {
    if (this.size === 0) return new SortedList([[row]], this.#compare, 1)
    const [index, offset] = this.#placeFor(row)
    const chunk = insertItem(this.#chunks[index] as Chunk<Row>, offset, row)
    if (chunk.length <= getMaxChunkLength(this.size)) return this.#withChunk(index, chunk, 1)
    const half = chunk.length >> 1
    const secondHalf = replaceItem(this.#chunks, index, chunk.slice(half))
    const chunks = insertItem(secondHalf, index, chunk.slice(0, half))
    return new SortedList(chunks, this.#compare, this.size + 1)
  }

  /** Returns the list with `row` replaced by `other`. The two rows must compare as equal. */
  replacing(row: Row, other: Row): SortedList<Row> {
    const found = this.#find(row)
    if (found === undefined) return this
    const [index, offset] = found
    return this.#withChunk(index, replaceItem(this.#chunks[index] as Chunk<Row>, offset, other), 0)
  }

  /** Returns the list without a row. */
  without(row: Row): SortedList<Row> {
    const found = this.#find(row)
    if (found === undefined) return this
    const [index, offset] = found
    const chunk = omitItem(this.#chunks[index] as Chunk<Row>, offset)
    if (chunk.length > 0) return this.#withChunk(index, chunk, -1)
    return new SortedList(omitItem(this.#chunks, index), this.#compare, this.size - 1)
  }

  /**
   * Returns the list with rows replaced, removed and added. A replacement must compare as equal to
   * the replaced row. Removed rows may have one too, which is not added. Makes all changes in one
   * pass.
   */
  changing(
    replacements: ReadonlyMap<Row, Row>,
    removed: ReadonlySet<Row>,
    added: readonly Row[],
  ): SortedList<Row> {
    const chunks = this.#chunks
      .map((chunk) => {
        if (!chunk.some((row) => replacements.has(row) || removed.has(row))) return chunk
        const rows: Row[] = []
        for (const row of chunk) if (!removed.has(row)) rows.push(replacements.get(row) ?? row)
        return rows
      })
      .filter(({ length }) => length > 0)
    if (added.length > 0) return SortedList.from([...chunks.flat(), ...added], this.#compare)
    return new SortedList(chunks, this.#compare)
  }

  /** The rank of the first row of each chunk. */
  get #starts(): readonly number[] {
    this.#cachedStarts ??= this.#chunks.length <= 1 ? oneStart : computeStarts(this.#chunks)
    return this.#cachedStarts
  }

  /** Returns the index of the chunk that contains a rank, and the offset in that chunk. */
  #locate(rank: number): { index: number; offset: number } {
    if (rank === 0) return { index: 0, offset: 0 }
    const index = findPartitionPoint(this.#starts, (start) => start > rank) - 1
    return { index, offset: rank - (this.#starts[index] ?? 0) }
  }

  /** Returns the first chunk that has a row for which `isReached` is true. */
  #chunkReached(isReached: (row: Row) => boolean): number {
    return findPartitionPoint(this.#chunks, (chunk) => isReached(chunk[chunk.length - 1] as Row))
  }

  /**
   * Returns the list with one chunk replaced. `more` is the number of added rows, negative if rows
   * were removed.
   */
  #withChunk(index: number, chunk: Chunk<Row>, more: number): SortedList<Row> {
    const chunks = replaceItem(this.#chunks, index, chunk)
    return new SortedList(chunks, this.#compare, this.size + more)
  }

  /** Returns the index of the chunk where a new row belongs, and the offset in that chunk. */
  #placeFor(row: Row): readonly [index: number, offset: number] {
    const chunks = this.#chunks
    const isAfter = (other: Row) => this.#compare(other, row) > 0
    // Tries the start and the end of the list before searching, because most new rows are the
    // newest and belong there.
    if (isAfter(chunks[0]?.[0] as Row)) return [0, 0]
    const end = chunks.length - 1
    const last = chunks[end] as Chunk<Row>
    let behind = 1
    while (behind <= last.length && isAfter(last[last.length - behind] as Row)) behind *= 2
    if (behind <= last.length)
      return [end, findPartitionPoint(last, isAfter, last.length - behind + 1)]
    const index = this.#chunkReached(isAfter)
    return [index, findPartitionPoint(chunks[index] as Chunk<Row>, isAfter)]
  }

  /** Returns the index of the chunk that contains this row object, and the offset in that chunk. */
  #find(row: Row): readonly [index: number, offset: number] | undefined {
    const isReached = (other: Row) => this.#compare(other, row) >= 0
    let index = this.#chunkReached(isReached)
    let offset = findPartitionPoint(this.#chunks[index] ?? [], isReached)
    // Checks several chunks, because rows that compare as equal can extend over chunk boundaries.
    for (let chunk = this.#chunks[index]; chunk !== undefined; chunk = this.#chunks[(index += 1)]) {
      for (; offset < chunk.length; offset += 1) {
        const other = chunk[offset] as Row
        if (other === row) return [index, offset]
        if (this.#compare(other, row) !== 0) return undefined
      }
      offset = 0
    }
    return undefined
  }
}

/**
 * Copies an array and adds an item.
 * @note `toSpliced` and `with` can be 50 times slower if V8 cannot prove that an array has no
 * holes. Reading their results can be just as slow.
 */
function insertItem<Item>(items: readonly Item[], place: number, item: Item): Item[] {
  const copy = items.concat([item])
  for (let index = items.length; index > place; index -= 1) copy[index] = items[index - 1] as Item
  copy[place] = item
  return copy
}

/** Copies an array without one item. */
function omitItem<Item>(items: readonly Item[], place: number): Item[] {
  const copy = items.slice(1)
  for (let index = 0; index < place; index += 1) copy[index] = items[index] as Item
  return copy
}

/** Copies an array and replaces the item at one index. */
function replaceItem<Item>(items: readonly Item[], place: number, item: Item): Item[] {
  const copy = items.slice()
  copy[place] = item
  return copy
}

/** Splits rows into half-full chunks if they do not fit into one chunk. */
function toChunks<Row>(rows: readonly Row[]): Chunk<Row>[] {
  const maxLength = getMaxChunkLength(rows.length)
  if (rows.length <= maxLength) return [rows]
  const chunks: Chunk<Row>[] = []
  for (let start = 0; start < rows.length; start += maxLength / 2)
    chunks.push(rows.slice(start, start + maxLength / 2))
  return chunks
}

function computeStarts(chunks: readonly Chunk<unknown>[]): number[] {
  const starts: number[] = []
  let size = 0
  for (const chunk of chunks) {
    starts.push(size)
    size += chunk.length
  }
  return starts
}

/** The time of a row, and its number among rows with the same time. */
export interface TiedRow<Row> {
  timeOf: (row: Row) => string | null
  numberOf: (row: Row) => number | undefined
}

/**
 * Returns the number of a new row among rows with the same time, such as rows that were written
 * while the clock was frozen: 0 for the first of them. The list must be sorted by time and then by
 * number, both latest first.
 */
export function getNextTieNumber<Row>(
  rows: SortedList<Row>,
  time: string,
  { timeOf, numberOf }: TiedRow<Row>,
): number {
  const latest = rows.at(rows.findPartitionPoint((row) => (timeOf(row) ?? '') <= time))
  return latest === undefined || timeOf(latest) !== time ? 0 : (numberOf(latest) ?? 0) + 1
}
