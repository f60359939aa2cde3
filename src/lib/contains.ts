/** True if a value has everything in a pattern: fields of objects, and items of arrays by index. */
export function contains(value: unknown, pattern: unknown): boolean {
  if (typeof pattern !== 'object' || pattern === null) return value === pattern
  if (
    typeof value !== 'object' ||
    value === null ||
    Array.isArray(value) !== Array.isArray(pattern)
  )
    return false
  return Object.entries(pattern).every(
    ([field, inner]) =>
      Object.hasOwn(value, field) && contains((value as Record<string, unknown>)[field], inner),
  )
}
