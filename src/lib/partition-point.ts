/**
 * Finds the first index at which the test is true, by binary search. Returns the length if the test
 * is false for all items. If the test is true for an item, it must be true for all later items. The
 * search starts at `from`.
 */
export function findPartitionPoint<Item>(
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
