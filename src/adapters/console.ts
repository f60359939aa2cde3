import { readdirSync, readFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { createRequire } from 'node:module'
import { dirname, extname, join } from 'node:path'
import type { Reply } from '../engine/route.ts'
import type { Site } from '../site/site.ts'
import { toHead } from './node.ts'
import { pageHeaders, refusePage } from './page.ts'

/**
 * Makes the function that answers requests for the console, `/_sandbox/`, and its files; undefined for all other requests. `turnAway`
 * refuses clients that may not load it.
 */
export function createConsole(turnAway: Site['turnAway']): (request: IncomingMessage) => Reply | undefined {
  let files: ReadonlyMap<string, Uint8Array> = new Map()
  return (request) => {
    const [, page, query = ''] = /^(\/_sandbox(?:\/|\/assets\/[^?]*)?)(\?.*)?$/s.exec(request.url ?? '') ?? []
    const { method = 'GET' } = request
    const path = leadsToConsole(request) ? '/' : page
    if (path === undefined || (method !== 'GET' && method !== 'HEAD')) return undefined
    const refused = turnAway(toHead(request))
    if (refused !== undefined) return refused
    if (path === '/') return { status: 302, headers: { ...pageHeaders, location: '_sandbox/' }, body: null }
    if (files.size === 0) files = readConsole()
    const reply =
      path === '/_sandbox'
        ? { status: 308, headers: { ...pageHeaders, location: `_sandbox/${query}` }, body: null }
        : answerPath(path, files)
    return method === 'HEAD' ? { ...reply, body: null } : reply
  }
}

/** Whether a browser asks for the address of the server itself, where the API has nothing. */
function leadsToConsole(request: IncomingMessage & { originalUrl?: string }): boolean {
  const { method, url, originalUrl = url, headers } = request
  // Under a path of another app, which may be written without its last slash, the way there would lead elsewhere.
  return method === 'GET' && url === '/' && originalUrl?.endsWith('/') === true && /\btext\/html\b/.test(headers.accept ?? '')
}

/** The policy of the page: nothing from other sites, nothing inline, and no frame around it. */
const contentPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
}

function answerPath(path: string, files: ReadonlyMap<string, Uint8Array>): Reply {
  if (files.size === 0) return refusePage(503, "The console is not built. Run 'npm run build:console', then load this page again.")
  const bytes = files.get(path)
  if (bytes === undefined) return refusePage(404, `There is no ${JSON.stringify(path.slice(0, 200))}: the console is at /_sandbox/.`)
  const type = { 'content-type': contentTypes[extname(path) || '.html'] ?? 'application/octet-stream' }
  if (path === '/_sandbox/')
    return {
      status: 200,
      headers: { ...pageHeaders, ...type, 'content-security-policy': contentPolicy, 'cache-control': 'no-store' },
      body: bytes,
    }
  // The name of an asset changes with its content.
  return { status: 200, headers: { ...pageHeaders, ...type, 'cache-control': 'max-age=31536000, immutable' }, body: bytes }
}

/**
 * Reads the files of the console from the installed package, by the path of their request. So no path of a request reaches the file
 * system. Empty when the console is not built.
 */
function readConsole(): ReadonlyMap<string, Uint8Array> {
  try {
    const folder = join(dirname(createRequire(import.meta.url).resolve('creator-api-sandbox/package.json')), 'dist/console')
    const assets = readdirSync(join(folder, 'assets')).map(
      (name) => [`/_sandbox/assets/${name}`, readFileSync(join(folder, 'assets', name))] as const,
    )
    return new Map([['/_sandbox/', readFileSync(join(folder, 'index.html'))], ...assets])
  } catch {
    return new Map()
  }
}
