/**
 * How often a property test runs: `quick` times in `npm test`, `long` times in `npm run test:long`.
 */
export function runs(quick: number, long: number): { numRuns: number } {
  return { numRuns: process.env['LONG_TESTS'] === '1' ? long : quick }
}
