/**
 * True if a value contains a pattern: every object field, and every array item at the same index.
 */
export function matchesPattern(value: unknown, pattern: unknown): boolean {
  if (typeof pattern !== 'object' || pattern === null) return value === pattern
  if (
    typeof value !== 'object' ||
    value === null ||
    Array.isArray(value) !== Array.isArray(pattern)
  )
    return false
  return Object.entries(pattern).every(
    ([field, inner]) =>
      Object.hasOwn(value, field) &&
      matchesPattern((value as Record<string, unknown>)[field], inner),
  )
}
