/**
 * Splits a URL such as `/v1/101/posts?limit=5` into its path and its query string without the
 * question mark.
 */
export function splitUrl(url: string): { path: string; rawQuery: string } {
  const mark = url.indexOf('?')
  if (mark === -1) return { path: url, rawQuery: '' }
  return { path: url.slice(0, mark), rawQuery: url.slice(mark + 1) }
}

/**
 * Parses a query string, with or without a leading question mark. A repeated parameter becomes an
 * array, which schemas for single values reject.
 */
export function parseQuery(queryString: string): Record<string, string | string[]> {
  const query: Record<string, string | string[]> = Object.create(null)
  if (queryString === '') return query
  if (!plainQuery.test(queryString)) {
    for (const [name, value] of new URLSearchParams(queryString)) addQueryValue(query, name, value)
    return query
  }
  for (const pair of queryString.split('&')) {
    const mark = pair.indexOf('=')
    addQueryValue(query, pair.slice(0, mark), pair.slice(mark + 1))
  }
  return query
}

function addQueryValue(
  query: Record<string, string | string[]>,
  name: string,
  value: string,
): void {
  const earlier = query[name]
  // Appends in place, because a URL can repeat a parameter thousands of times.
  if (Array.isArray(earlier)) earlier.push(value)
  else query[name] = earlier === undefined ? value : [earlier, value]
}

/**
 * Matches a query string that needs no decoding. Most query strings need none, and splitting them
 * directly is three times faster.
 */
const plainQuery = /^[\w.,:~-]+=[\w.,:~-]*(?:&[\w.,:~-]+=[\w.,:~-]*)*$/

/**
 * Decodes percent-encoded letters, digits, `-`, `.`, `_` and `~` in a URL, because RFC 3986 treats
 * both forms as equivalent. Other encoded characters stay encoded.
 */
export function normaliseUrl(url: string): string {
  if (!url.includes('%')) return url
  return url.replace(/%(?:2[DE]|3\d|4[1-9A-F]|5[\dAF]|6[1-9A-F]|7[\dAE])/gi, (code) =>
    String.fromCharCode(Number.parseInt(code.slice(1), 16)),
  )
}

/**
 * Decodes a part of a URL, such as a path segment. For example, `%41` becomes `A`. Malformed
 * percent-encoding is returned unchanged.
 */
export function decodeUrlPart(part: string): string {
  if (!part.includes('%')) return part
  try {
    return decodeURIComponent(part)
  } catch {
    return part // The schema or the lookup rejects it. Of a credential, only the length is shown.
  }
}

/** True if a host name or IP address is loopback. An IPv6 address may have brackets. */
export function isLoopbackHost(host: string): boolean {
  return host === 'localhost' || /^(?:::1|\[::1\]|127(?:\.\d{1,3}){3})$/.test(host)
}
