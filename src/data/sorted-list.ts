/** How two rows of a list compare: negative when `a` comes first. */
export type Comparator<Row> = (a: Row, b: Row) => number

/**
 * How many rows a chunk has at most. A change copies one chunk and the list of all of them, which
 * shall not be too many of a long list.
 */
function maxChunkLength(size: number): number {
  return size > longList ? 512 : 128
}

const longList = 16_384
/** Most lists have one chunk, and there are hundreds of thousands of them. */
const startOfOne: readonly number[] = [0]

/**
 * An immutable list of sorted rows. A change makes a new list that shares all chunks but one, so
 * that a snapshot of a list is the list itself. To read the n-th row, or to find the rank of a row,
 * costs the logarithm of the size.
 */
export class SortedList<Row> {
  readonly size: number
  readonly #chunks: readonly (readonly Row[])[]
  /**
   * The rank of the first row of each chunk. They are counted when somebody first asks for a rank:
   * a write seldom does.
   */
  #starts: readonly number[] | undefined
  readonly #compare: Comparator<Row>

  private constructor(
    chunks: readonly (readonly Row[])[],
    compare: Comparator<Row>,
    {
      size = sizeOf(chunks),
      starts,
    }: { size?: number; starts?: readonly number[] | undefined } = {},
  ) {
    this.#chunks = chunks
    this.#compare = compare
    this.#starts = starts
    this.size = size
  }

  /** Sorts rows into a list. The array stays as it is. */
  static from<Row>(rows: readonly Row[], compare: Comparator<Row>): SortedList<Row> {
    return SortedList.ofSorted(rows.toSorted(compare), compare)
  }

  /** A list of rows that are in order already. */
  static ofSorted<Row>(sorted: readonly Row[], compare: Comparator<Row>): SortedList<Row> {
    return new SortedList(
      sorted.length === 0 ? [] : inChunks(sorted, maxChunkLength(sorted.length)),
      compare,
    )
  }

  get #ranks(): readonly number[] {
    this.#starts ??= this.#chunks.length <= 1 ? startOfOne : startsOf(this.#chunks)
    return this.#starts
  }

  /** The row at a rank, counted from 0. */
  at(rank: number): Row | undefined {
    if (rank < 0 || rank >= this.size) return undefined
    const first = this.#chunks[0] as readonly Row[]
    if (rank < first.length) return first[rank]
    const index = lastAtMost(this.#ranks, rank)
    return this.#chunks[index]?.[rank - (this.#ranks[index] ?? 0)]
  }

  /**
   * The number of rows before the first one for which `isReached` is true. It must be true for
   * every row after that one.
   */
  rank(isReached: (row: Row) => boolean): number {
    const chunkIndex = partition(this.#chunks, (chunk) => isReached(chunk[chunk.length - 1] as Row))
    const chunk = this.#chunks[chunkIndex]
    if (chunk === undefined) return this.size
    const place = partition(chunk, isReached)
    return chunkIndex === 0 ? place : (this.#ranks[chunkIndex] ?? 0) + place
  }

  /** The first row for which `isReached` is true, as it must be for every row after that one. */
  first(isReached: (row: Row) => boolean): Row | undefined {
    const chunk =
      this.#chunks[partition(this.#chunks, (rows) => isReached(rows[rows.length - 1] as Row))]
    return chunk?.[partition(chunk, isReached)]
  }

  /**
   * The rank of the first row that does not sort before `row`: its own rank, or the rank at which
   * it would be inserted.
   */
  rankOf(row: Row): number {
    return this.rank((other) => this.#compare(other, row) >= 0)
  }

  /**
   * Walks the rows from a rank on, towards the end or, when `backwards` is set, towards the start.
   */
  *walk(from = 0, backwards = false): Generator<Row, void, void> {
    const step = backwards ? -1 : 1
    for (const { chunk, offset } of this.chunks(from, backwards)) {
      for (let place = offset; place >= 0 && place < chunk.length; place += step)
        yield chunk[place] as Row
    }
  }

  /**
   * The same walk by chunks, which never change. `offset` is the index at which the walk enters the
   * chunk.
   */
  *chunks(
    from = 0,
    backwards = false,
  ): Generator<{ chunk: readonly Row[]; offset: number }, void, void> {
    if (from < 0 || from >= this.size) return
    let index = from === 0 ? 0 : lastAtMost(this.#ranks, from)
    let offset = from === 0 ? 0 : from - (this.#ranks[index] ?? 0)
    for (let chunk = this.#chunks[index]; chunk !== undefined; chunk = this.#chunks[index]) {
      yield { chunk, offset }
      index += backwards ? -1 : 1
      offset = backwards ? (this.#chunks[index]?.length ?? 0) - 1 : 0
    }
  }

  /** The rows from one rank up to, but not including, another. */
  slice(from = 0, to = this.size): Row[] {
    const rows: Row[] = []
    const end = Math.min(to, this.size)
    let rank = Math.max(from, 0)
    let index = rank === 0 ? 0 : lastAtMost(this.#ranks, rank)
    let start = rank === 0 ? 0 : (this.#ranks[index] ?? 0)
    for (; rank < end; index += 1) {
      const chunk = this.#chunks[index] ?? []
      const stop = Math.min(chunk.length, end - start)
      for (let offset = rank - start; offset < stop; offset += 1) rows.push(chunk[offset] as Row)
      start += chunk.length
      rank = start
    }
    return rows
  }

  /** The list with one more row. */
  with(row: Row): SortedList<Row> {
    if (this.size === 0) return new SortedList([[row]], this.#compare, { size: 1 })
    const [index, place] = this.#placeFor(row)
    const grown = withItem(this.#chunks[index] as readonly Row[], place, row)
    if (grown.length <= maxChunkLength(this.size)) return this.#resized(index, grown, 1)
    const half = grown.length >> 1
    const chunks = withItem(
      withOther(this.#chunks, index, grown.slice(half)),
      index,
      grown.slice(0, half),
    )
    return new SortedList(chunks, this.#compare, { size: this.size + 1 })
  }

  /**
   * The list with `other` in place of `row`, which must compare as equal. The list itself when it
   * does not hold that very object.
   */
  replacing(row: Row, other: Row): SortedList<Row> {
    const found = this.#find(row)
    if (found === undefined) return this
    const [index, place] = found
    const chunk = withOther(this.#chunks[index] as readonly Row[], place, other)
    return this.#resized(index, chunk, 0)
  }

  /** The list without `row`. The list itself when it does not hold that very object. */
  without(row: Row): SortedList<Row> {
    const found = this.#find(row)
    if (found === undefined) return this
    const [index, place] = found
    const shrunk = withoutItem(this.#chunks[index] as readonly Row[], place)
    if (shrunk.length > 0) return this.#resized(index, shrunk, -1)
    return new SortedList(withoutItem(this.#chunks, index), this.#compare, { size: this.size - 1 })
  }

  /** The list with a chunk in place of one, which has so many rows more. */
  #resized(index: number, chunk: readonly Row[], more: number): SortedList<Row> {
    const starts =
      more === 0 || this.#starts === undefined ? this.#starts : moved(this.#starts, index + 1, more)
    return new SortedList(withOther(this.#chunks, index, chunk), this.#compare, {
      size: this.size + more,
      starts,
    })
  }

  /**
   * The list without the rows in `removed`, and with other rows in place of those in
   * `replacements`, which must compare as equal. It is one pass over the list for many changes.
   */
  replacingMany(replacements: ReadonlyMap<Row, Row>, removed: ReadonlySet<Row>): SortedList<Row> {
    const chunks = this.#chunks.map((chunk) => {
      const rows: Row[] = []
      let isChanged = false
      for (const row of chunk) {
        const isRemoved = removed.has(row)
        const replacement = isRemoved ? undefined : replacements.get(row)
        isChanged ||= isRemoved || replacement !== undefined
        if (!isRemoved) rows.push(replacement ?? row)
      }
      return isChanged ? rows : chunk
    })
    return new SortedList(
      chunks.filter(({ length }) => length > 0),
      this.#compare,
    )
  }

  /**
   * The chunk, and the place in it, where one more row comes to stand: behind those that compare as
   * equal.
   */
  #placeFor(row: Row): readonly [index: number, place: number] {
    const chunks = this.#chunks
    const isAfter = (other: Row) => this.#compare(other, row) > 0
    // What is new is mostly the newest: it comes first or last, or few rows come behind it.
    if (isAfter(chunks[0]?.[0] as Row)) return [0, 0]
    const end = chunks.length - 1
    const last = chunks[end] as readonly Row[]
    let behind = 1
    while (behind <= last.length && isAfter(last[last.length - behind] as Row)) behind *= 2
    if (behind <= last.length) return [end, partition(last, isAfter, last.length - behind + 1)]
    const index = partition(chunks, (chunk) => isAfter(chunk[chunk.length - 1] as Row))
    return [index, partition(chunks[index] as readonly Row[], isAfter)]
  }

  /** The chunk, and the place in it, of that very row. */
  #find(row: Row): readonly [index: number, place: number] | undefined {
    const isReached = (other: Row) => this.#compare(other, row) >= 0
    let index = partition(this.#chunks, (chunk) => isReached(chunk[chunk.length - 1] as Row))
    let place = partition(this.#chunks[index] ?? [], isReached)
    // Rows that compare as equal may fill several chunks.
    for (let chunk = this.#chunks[index]; chunk !== undefined; chunk = this.#chunks[(index += 1)]) {
      for (; place < chunk.length; place += 1) {
        const other = chunk[place] as Row
        if (other === row) return [index, place]
        if (this.#compare(other, row) !== 0) return undefined
      }
      place = 0
    }
    return undefined
  }
}

/**
 * A copy of a list with one more item at a place.
 * @note `toSpliced` and `with` take fifty times as long where V8 does not know that an array has no
 * holes, and what they make then is of that kind too.
 */
function withItem<Item>(items: readonly Item[], place: number, item: Item): Item[] {
  const copy = items.concat([item])
  for (let index = items.length; index > place; index -= 1) copy[index] = items[index - 1] as Item
  copy[place] = item
  return copy
}

/** A copy of a list without the item at a place. */
function withoutItem<Item>(items: readonly Item[], place: number): Item[] {
  const copy = items.slice(1)
  for (let index = 0; index < place; index += 1) copy[index] = items[index] as Item
  return copy
}

/** A copy of a list with another item at a place. */
function withOther<Item>(items: readonly Item[], place: number, item: Item): Item[] {
  const copy = items.slice()
  copy[place] = item
  return copy
}

/** Cuts rows into chunks, where they are more than one may have. */
function inChunks<Row>(rows: readonly Row[], longest: number): (readonly Row[])[] {
  if (rows.length <= longest) return [rows]
  const chunks: (readonly Row[])[] = []
  for (let start = 0; start < rows.length; start += longest / 2)
    chunks.push(rows.slice(start, start + longest / 2))
  return chunks
}

/** Walks several sorted sequences as one sorted sequence. One alone is that sequence. */
export function mergeSorted<Row>(
  walks: readonly Iterable<Row>[],
  compare: Comparator<Row>,
): Iterable<Row> {
  const [only] = walks
  return only !== undefined && walks.length === 1
    ? only
    : merge(
        walks.map((walk) => walk[Symbol.iterator]()),
        compare,
      )
}

function* merge<Row>(
  walks: readonly Iterator<Row>[],
  compare: Comparator<Row>,
): Generator<Row, void, void> {
  const heads = walks.map((walk) => ({ walk, next: walk.next() }))
  for (;;) {
    let first: (typeof heads)[number] | undefined
    for (const head of heads) {
      if (
        head.next.done !== true &&
        (first === undefined ||
          first.next.done === true ||
          compare(head.next.value, first.next.value) < 0)
      )
        first = head
    }
    if (first === undefined || first.next.done === true) return
    yield first.next.value
    first.next = first.walk.next()
  }
}

/** Walks the rows that pass a test. */
export function* filterRows<Row>(
  rows: Iterable<Row>,
  passes: (row: Row) => boolean,
): Generator<Row, void, void> {
  for (const row of rows) if (passes(row)) yield row
}

/** Walks the rows up to the first one that fails a test. */
export function* takeWhile<Row>(
  rows: Iterable<Row>,
  passes: (row: Row) => boolean,
): Generator<Row, void, void> {
  for (const row of rows) {
    if (!passes(row)) return
    yield row
  }
}

/**
 * Reads one page of a sequence: it skips `offset` rows and takes at most `limit`. The walk stops at
 * the end of the page.
 */
export function takePage<Row>(
  rows: Iterable<Row>,
  { offset, limit }: { offset: number; limit: number },
): Row[] {
  const taken: Row[] = []
  let skipped = 0
  for (const row of rows) {
    if (skipped < offset) skipped += 1
    else if (taken.push(row) === limit) break
  }
  return taken
}

/**
 * Finds the first index for which the test is true, or the length. The test must be true for every
 * item after that one. `from`: no earlier index need be looked at.
 */
export function partition<Item>(
  items: readonly Item[],
  test: (item: Item) => boolean,
  from = 0,
): number {
  let low = from
  let high = items.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (test(items[middle] as Item)) high = middle
    else low = middle + 1
  }
  return low
}

function lastAtMost(starts: readonly number[], rank: number): number {
  return Math.max(0, partition(starts, (start) => start > rank) - 1)
}

function startsOf(chunks: readonly (readonly unknown[])[]): number[] {
  const starts: number[] = []
  let size = 0
  for (const chunk of chunks) {
    starts.push(size)
    size += chunk.length
  }
  return starts
}

/** The same ranks, where there are so many rows more before those from a place on. */
function moved(starts: readonly number[], from: number, more: number): readonly number[] {
  if (from >= starts.length) return starts
  const copy = starts.slice()
  for (let place = from; place < copy.length; place += 1) copy[place] = (copy[place] ?? 0) + more
  return copy
}

function sizeOf(chunks: readonly (readonly unknown[])[]): number {
  let size = 0
  for (const chunk of chunks) size += chunk.length
  return size
}
