import type { IncomingMessage } from 'node:http'
import type { Reply } from '../api/route.ts'
import type { RequestRouting } from './server/routing.ts'
import { createCallHead } from './node.ts'
import { createPageHandler, pageHeaders } from './page.ts'

/**
 * Creates the handler for the reference, `/docs`, and its files. The handler returns undefined for
 * other requests. `rejectForeignPage` returns an error for requests that must not load the
 * reference.
 */
export function createReferenceHandler(
  rejectForeignPage: RequestRouting['rejectForeignPage'],
): (request: IncomingMessage) => Reply | undefined {
  const answerPage = createPageHandler({
    title: 'documentation',
    folder: 'reference',
    path: '/docs',
    assets: '/docs/assets/',
  })
  return (request) => {
    const [, path, query = ''] = /^(\/docs(?:\/[^?]*)?)(\?.*)?$/s.exec(request.url ?? '') ?? []
    if (path === undefined || (request.method !== 'GET' && request.method !== 'HEAD'))
      return undefined
    const reply =
      rejectForeignPage(createCallHead(request)) ??
      (path === '/docs/'
        ? { status: 308, headers: { ...pageHeaders, location: `../docs${query}` }, body: null }
        : answerPage(path))
    return request.method === 'HEAD' ? { ...reply, body: null } : reply
  }
}
