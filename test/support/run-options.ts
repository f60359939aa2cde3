const isLong = process.env['LONG_TESTS'] === '1'

/**
 * Returns the number of runs of a property test: `quick` in `npm test`, `long` in `npm run
 * test:long`.
 */
export function getRunOptions(quick: number, long: number): { numRuns: number } {
  return { numRuns: isLong ? long : quick }
}

/** Returns one of `every` items in `npm test`, and all of them in `npm run test:long`. */
export function selectForRun<Item>(items: readonly Item[], every: number): Item[] {
  return items.filter((_, index) => isLong || index % every === 0)
}
