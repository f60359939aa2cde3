import { existsSync, readFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Reply } from '../engine/route.ts'
import type { Site } from '../site/site.ts'
import { toHead } from './node.ts'
import { pageHeaders, refusePage } from './page.ts'
import { contentPolicy, renderPage, startScript } from './reference-page.ts'

/**
 * Makes the function that answers requests for the reference page, `/docs`, and its files; undefined for all other requests. The page
 * contains `key` for clients on this machine only. `turnAway` refuses clients that may not load it.
 */
export function createReference(key: () => string, turnAway: Site['turnAway']): (request: IncomingMessage) => Reply | undefined {
  const files = new Map<string, Uint8Array>()
  return (request) => {
    const path = /^\/docs(?:\/[^?]*)?(?=\?|$)/.exec(request.url ?? '')?.[0]
    if (path === undefined || (request.method !== 'GET' && request.method !== 'HEAD')) return undefined
    const reply = turnAway(toHead(request)) ?? answerPath(path, request, { key, files })
    return request.method === 'HEAD' ? { ...reply, body: null } : reply
  }
}

/** The files of the viewer by the path of their request. So no path of a request reaches the file system. */
const viewerFiles: ReadonlyMap<string, { file: string; type: string }> = new Map([
  ['/docs/swagger-ui.css', { file: 'swagger-ui.css', type: 'text/css; charset=utf-8' }],
  ['/docs/swagger-ui-bundle.js', { file: 'swagger-ui-bundle.js', type: 'text/javascript; charset=utf-8' }],
])

function answerPath(path: string, request: IncomingMessage, { key, files }: { key: () => string; files: Map<string, Uint8Array> }): Reply {
  if (path === '/docs') {
    const headers = {
      ...pageHeaders,
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': contentPolicy,
      'cache-control': 'no-store',
    }
    return { status: 200, headers, body: renderPage(isLocal(request) ? key() : '') }
  }
  if (path === '/docs/') return { status: 308, headers: { ...pageHeaders, location: '../docs' }, body: null }
  if (path === '/docs/start.js')
    return {
      status: 200,
      headers: { ...pageHeaders, 'content-type': 'text/javascript; charset=utf-8', 'cache-control': 'no-store' },
      body: startScript,
    }
  const asset = viewerFiles.get(path)
  if (asset === undefined) return refusePage(404, `There is no ${JSON.stringify(path.slice(0, 200))}: the reference is at /docs.`)
  const bytes = files.get(asset.file) ?? readViewer(asset.file)
  if (bytes === undefined)
    return refusePage(
      404,
      `The reference lacks ${asset.file}: it is served from the installed package, and the package is not to be found from here.`,
    )
  files.set(asset.file, bytes)
  return { status: 200, headers: { ...pageHeaders, 'content-type': asset.type, 'cache-control': 'max-age=600' }, body: bytes }
}

/** Reads a file of the viewer from the built package, or from `swagger-ui-dist`; undefined when neither is installed. */
function readViewer(file: string): Uint8Array | undefined {
  const { resolve } = createRequire(import.meta.url)
  for (const [manifest, folder] of [
    ['creator-api-sandbox/package.json', 'dist/reference'],
    ['swagger-ui-dist/package.json', '.'],
  ] as const) {
    try {
      const path = join(dirname(resolve(manifest)), folder, file)
      if (existsSync(path)) return readFileSync(path)
    } catch {
      // That package is not installed: look for the next.
    }
  }
  return undefined
}

/** Whether the client is on this machine and used a loopback name. The name of another site may point to this machine too. */
function isLocal({ socket, headers }: IncomingMessage): boolean {
  const isOwnAddress = /^(?:::ffff:)?127\.|^::1$/.test(socket.remoteAddress ?? '')
  return isOwnAddress && /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i.test(headers.host ?? '')
}
