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
