/** Returns the number of rows of an answer of the API. Undefined if it has no list. */
export function countResponseRows(answer: unknown): number | undefined {
  const { data } = (answer ?? {}) as { data?: unknown }
  const values = typeof data === 'object' && data !== null ? [data, ...Object.values(data)] : []
  return values.find((value): value is unknown[] => Array.isArray(value))?.length
}
