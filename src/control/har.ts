import type { JournalEntry } from '../world/journal/journal-entry.ts'
import { version } from '../generated/version.ts'

/**
 * Converts requests to an HTTP archive (HAR 1.2), oldest first. Browsers can open it in their
 * network panels.
 */
export function toHttpArchive(entries: readonly JournalEntry[]): object {
  const creator = { name: 'creator-api-sandbox', version }
  return { log: { version: '1.2', creator, entries: entries.toReversed().map(toHarEntry) } }
}

function toHarEntry(entry: JournalEntry): object {
  const { method, path, status, error, request, response, duration_ms: duration } = entry
  const url = toUrl(request.headers['host'], path)
  const time = duration ?? 0
  return {
    startedDateTime: entry.real_at ?? entry.at,
    time,
    request: {
      method,
      url: url.href,
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: toPairs(Object.entries(request.headers)),
      queryString: toPairs([...url.searchParams]),
      ...(request.body === null
        ? {}
        : { postData: { mimeType: request.content_type ?? '', text: request.body } }),
      headersSize: -1,
      bodySize: request.bytes,
    },
    response: {
      status,
      statusText: '',
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: toPairs(Object.entries(response.headers)),
      content: {
        size: response.bytes,
        mimeType: response.content_type ?? '',
        ...(response.body === null ? {} : { text: response.body }),
      },
      redirectURL: '',
      headersSize: -1,
      bodySize: response.bytes,
    },
    cache: {},
    timings: { send: 0, wait: time, receive: 0 },
    comment: error === null ? `sandbox time ${entry.at}` : `sandbox time ${entry.at}: ${error}`,
  }
}

/**
 * Builds the URL of a request. Paths such as `//other.example/` stay on the host of the request,
 * and a `Host` header that is not a host is ignored.
 */
function toUrl(host: string | undefined, path: string): URL {
  const address = `http://${host ?? ''}`
  const { origin } = new URL(URL.canParse(address) ? address : 'http://sandbox.invalid')
  return new URL(`${origin}${path.startsWith('/') ? '' : '/'}${path}`)
}

function toPairs(entries: readonly (readonly [string, string])[]): object[] {
  return entries.map(([name, value]) => ({ name, value }))
}
