/** Text for the docs. Explains the result of `computePercentChange`. */
export const deltaRule =
  'delta is the percentage change from the previous window of the same length: 0 if both ' +
  'values are 0, and 100 if only the previous value is 0.'

/** Returns the change between two values in percent, with two decimals. See `deltaRule`. */
export function computePercentChange(current: number, before: number): number {
  if (before === 0) return current === 0 ? 0 : 100
  return Math.round(((current - before) / Math.abs(before)) * 10_000) / 100
}
