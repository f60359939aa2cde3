import { web } from '../lib/node-globals.ts'

/** Response headers that pages of other origins may read. */
export const exposedHeaders = ['accept-ranges', 'content-length', 'content-range', 'etag'] as const

/**
 * CORS headers of mocked responses. A DOM test environment, such as jsdom and happy-dom, applies
 * CORS to them, and sends no `Origin` header that a response could repeat. `*` in
 * `access-control-allow-headers` does not include `authorization`, so the headers are listed.
 */
const corsHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': exposedHeaders.join(', '),
}

/** Request headers that a page may send if its preflight does not name them. */
const requestHeaders =
  'accept, authorization, cache-control, content-type, if-none-match, pragma, range, ' +
  'traceparent, tracestate, x-api-key, x-requested-with'

/** Creates the response to a preflight. */
export function createPreflightResponse({ headers }: Pick<Request, 'headers'>): Response {
  return new web.Response(null, {
    status: 204,
    headers: {
      ...corsHeaders,
      'access-control-allow-methods': 'DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT',
      'access-control-allow-headers':
        headers.get('access-control-request-headers') ?? requestHeaders,
      'access-control-max-age': '600',
    },
  })
}

/** Adds the CORS headers to a mocked response. */
export function shareWithPages(response: Response): Response {
  for (const [name, value] of Object.entries(corsHeaders)) response.headers.set(name, value)
  return response
}
