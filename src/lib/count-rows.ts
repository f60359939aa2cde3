/** Returns the number of rows in an API response. Returns undefined if the response has no list. */
export function countResponseRows(answer: unknown): number | undefined {
  const { data } = (answer ?? {}) as { data?: unknown }
  const values = typeof data === 'object' && data !== null ? [data, ...Object.values(data)] : []
  return values.find((value): value is unknown[] => Array.isArray(value))?.length
}
