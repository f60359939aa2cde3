/**
 * Returns the number of runs of a property test: `quick` in `npm test`, `long` in `npm run
 * test:long`.
 */
export function getRunOptions(quick: number, long: number): { numRuns: number } {
  return { numRuns: process.env['LONG_TESTS'] === '1' ? long : quick }
}
