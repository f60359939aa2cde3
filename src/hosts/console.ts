import type { IncomingMessage } from 'node:http'
import type { Reply } from '../api/route.ts'
import type { RequestRouting } from './server/routing.ts'
import { createCallHead } from './node.ts'
import { createPageHandler, pageHeaders } from './page.ts'

/**
 * Creates the handler for the console, `/_sandbox/`, and its files. The handler returns undefined
 * for other requests. `rejectForeignPage` returns an error for requests that must not load the
 * console.
 */
export function createConsoleHandler(
  rejectForeignPage: RequestRouting['rejectForeignPage'],
): (request: IncomingMessage) => Reply | undefined {
  const answerPage = createPageHandler({
    title: 'console',
    folder: 'console',
    path: '/_sandbox/',
    assets: '/_sandbox/assets/',
  })
  return (request) => {
    const [, page, query = ''] =
      /^(\/_sandbox(?:\/|\/assets\/[^?]*)?)(\?.*)?$/s.exec(request.url ?? '') ?? []
    const { method = 'GET' } = request
    const path = isRedirectedToConsole(request) ? '/' : page
    if (path === undefined || (method !== 'GET' && method !== 'HEAD')) return undefined
    const refused = rejectForeignPage(createCallHead(request))
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

/** True if a browser opens the root of the server, which redirects to the console. */
function isRedirectedToConsole(request: IncomingMessage & { originalUrl?: string }): boolean {
  const { method, url, originalUrl = url, headers } = request
  // The redirect target is relative, so the mount path must end with a slash.
  return (
    method === 'GET' &&
    url === '/' &&
    originalUrl?.endsWith('/') === true &&
    /\btext\/html\b/.test(headers.accept ?? '')
  )
}
