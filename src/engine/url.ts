/** Splits a URL such as `/v1/101/posts?limit=5` into its path and its query string, without the question mark. */
export function splitUrl(url: string): { path: string; rawQuery: string } {
  const mark = url.indexOf('?')
  if (mark === -1) return { path: url, rawQuery: '' }
  return { path: url.slice(0, mark), rawQuery: url.slice(mark + 1) }
}

/**
 * Reads the parameters of a query string by name. One leading question mark is skipped. A parameter that was sent more than once
 * becomes an array, which no schema accepts by accident.
 */
export function readQuery(queryString: string): Record<string, string | string[]> {
  const query: Record<string, string | string[]> = Object.create(null)
  if (queryString === '') return query
  for (const [name, value] of new URLSearchParams(queryString)) {
    const earlier = query[name]
    // The array grows in place: a URL can repeat a parameter thousands of times.
    if (Array.isArray(earlier)) earlier.push(value)
    else query[name] = earlier === undefined ? value : [earlier, value]
  }
  return query
}

/** Decodes a path segment: `%41` becomes `A`. A segment with malformed percent-encoding stays as it is. */
export function decodeSegment(segment: string): string {
  if (!segment.includes('%')) return segment
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment // it names nothing, so the schema or the lookup behind it refuses it
  }
}
