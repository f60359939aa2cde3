import type { IncomingMessage } from 'node:http'
import type { Reply } from '../api/route.ts'
import type { Site } from './server/routing.ts'
import { toHead } from './node.ts'
import { createPage, pageHeaders } from './page.ts'

/**
 * Makes the function that answers requests for the console, `/_sandbox/`, and its files; undefined
 * for all other requests. `turnAway` refuses clients that may not load it.
 */
export function createConsole(
  turnAway: Site['turnAway'],
): (request: IncomingMessage) => Reply | undefined {
  const answerPage = createPage({
    title: 'console',
    folder: 'console',
    path: '/_sandbox/',
    assets: '/_sandbox/assets/',
  })
  return (request) => {
    const [, page, query = ''] =
      /^(\/_sandbox(?:\/|\/assets\/[^?]*)?)(\?.*)?$/s.exec(request.url ?? '') ?? []
    const { method = 'GET' } = request
    const path = leadsToConsole(request) ? '/' : page
    if (path === undefined || (method !== 'GET' && method !== 'HEAD')) return undefined
    const refused = turnAway(toHead(request))
    if (refused !== undefined) return refused
    if (path === '/')
      return { status: 302, headers: { ...pageHeaders, location: '_sandbox/' }, body: null }
    const reply =
      path === '/_sandbox'
        ? { status: 308, headers: { ...pageHeaders, location: `_sandbox/${query}` }, body: null }
        : answerPage(path)
    return method === 'HEAD' ? { ...reply, body: null } : reply
  }
}

/** Whether a browser asks for the address of the server itself, where the API has nothing. */
function leadsToConsole(request: IncomingMessage & { originalUrl?: string }): boolean {
  const { method, url, originalUrl = url, headers } = request
  // Under a path of another app, which may be written without its last slash, the way there would
  // lead elsewhere.
  return (
    method === 'GET' &&
    url === '/' &&
    originalUrl?.endsWith('/') === true &&
    /\btext\/html\b/.test(headers.accept ?? '')
  )
}
