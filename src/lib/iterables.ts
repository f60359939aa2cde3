/** Merges sorted sequences into one sorted sequence. */
export function mergeSorted<Item>(
  sequences: readonly Iterable<Item>[],
  compare: (a: Item, b: Item) => number,
): Iterable<Item> {
  const [only] = sequences
  return only !== undefined && sequences.length === 1 ? only : merge(sequences, compare)
}

function* merge<Item>(
  sequences: readonly Iterable<Item>[],
  compare: (a: Item, b: Item) => number,
): Generator<Item, void, void> {
  const heads = sequences.map((sequence) => {
    const iterator = sequence[Symbol.iterator]()
    return { iterator, next: iterator.next() }
  })
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
    first.next = first.iterator.next()
  }
}

/** Yields the items that pass a test. */
export function* filterItems<Item>(
  items: Iterable<Item>,
  passes: (item: Item) => boolean,
): Generator<Item, void, void> {
  for (const item of items) if (passes(item)) yield item
}

/** Yields the items before the first one that fails a test. */
export function* takeWhile<Item>(
  items: Iterable<Item>,
  passes: (item: Item) => boolean,
): Generator<Item, void, void> {
  for (const item of items) {
    if (!passes(item)) return
    yield item
  }
}

/** Reads one page of a sequence. Consumes no items after that page. */
export function takePage<Item>(
  items: Iterable<Item>,
  { offset, limit }: { offset: number; limit: number },
): Item[] {
  const taken: Item[] = []
  let skipped = 0
  for (const item of items) {
    if (skipped < offset) skipped += 1
    else if (taken.push(item) === limit) break
  }
  return taken
}

/** Groups items by a key, and preserves their order. Skips items without a key. */
export function groupBy<Item, Key extends string | number>(
  items: Iterable<Item>,
  keyOf: (item: Item) => Key | undefined,
): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>()
  for (const item of items) {
    const key = keyOf(item)
    if (key === undefined) continue
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [item])
    else group.push(item)
  }
  return groups
}

/**
 * Finds the first index at which the test is true, by binary search. Returns the length if the test
 * is false for all items. If the test is true for an item, it must be true for all later items. The
 * search starts at `from`.
 */
export function findPartitionPoint<Item>(
  items: ArrayLike<Item>,
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

/** Returns the number of rows in an API response. Returns undefined if the response has no list. */
export function countResponseRows(answer: unknown): number | undefined {
  const { data } = (answer ?? {}) as { data?: unknown }
  const values = typeof data === 'object' && data !== null ? [data, ...Object.values(data)] : []
  return values.find((value): value is unknown[] => Array.isArray(value))?.length
}
