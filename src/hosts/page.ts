import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { createErrorReply } from '../api/envelope.ts'
import type { Reply } from '../api/route.ts'
import { findPackageFolder } from './package-folder.ts'
import type { IncomingMessage } from 'node:http'
import type { RequestRouting } from './server/routing.ts'
import { createCallHead } from './node.ts'

/** Headers of all console and reference files. The host adds further headers. */
const pageHeaders = {
  'referrer-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
}

/** A web page of the server, built from files in the package. */
interface Page {
  /** Page title, for error messages. */
  title: string
  /** Folder in `dist`. */
  folder: 'console' | 'reference'
  /** Path of the page itself. */
  path: string
  /** Path of the assets, with a trailing slash. */
  assets: string
  /** Matches the path and the query string of the page's requests. */
  requests: RegExp
  /** Another path of the page, and the relative path to which it redirects. */
  redirect: { from: string; to: string }
}

/** The console, `/_sandbox/`, and its files. */
export const consolePage: Page = {
  title: 'console',
  folder: 'console',
  path: '/_sandbox/',
  assets: '/_sandbox/assets/',
  requests: /^(\/_sandbox(?:\/|\/assets\/[^?]*)?)(\?.*)?$/s,
  redirect: { from: '/_sandbox', to: '_sandbox/' },
}

/** The reference, `/docs`, and its files. */
export const referencePage: Page = {
  title: 'documentation',
  folder: 'reference',
  path: '/docs',
  assets: '/docs/assets/',
  requests: /^(\/docs(?:\/[^?]*)?)(\?.*)?$/s,
  redirect: { from: '/docs/', to: '../docs' },
}

/** Handles the requests of a page. Returns undefined for other requests. */
type PageHandler = (request: IncomingMessage) => Reply | undefined

/**
 * Creates the handler of a page, which reads the files on first use. `rejectForeignPage` returns an
 * error for requests that must not load the page.
 */
export function createPageHandler(
  page: Page,
  rejectForeignPage: RequestRouting['rejectForeignPage'],
): PageHandler {
  let files: ReadonlyMap<string, Uint8Array> = new Map()
  return (request) => {
    const [, path, query = ''] = page.requests.exec(request.url ?? '') ?? []
    if (path === undefined || (request.method !== 'GET' && request.method !== 'HEAD'))
      return undefined
    if (files.size === 0) files = readPage(page)
    const reply =
      rejectForeignPage(createCallHead(request)) ??
      (path === page.redirect.from
        ? createRedirect(308, page.redirect.to + query)
        : getFileReply(path, page, files))
    return request.method === 'HEAD' ? { ...reply, body: null } : reply
  }
}

/** Creates the handler that redirects browsers from the root of the server to the console. */
export function createRootHandler(
  rejectForeignPage: RequestRouting['rejectForeignPage'],
): PageHandler {
  return (request) =>
    isOpenedInBrowser(request)
      ? (rejectForeignPage(createCallHead(request)) ?? createRedirect(302, '_sandbox/'))
      : undefined
}

function createRedirect(status: number, location: string): Reply {
  return { status, headers: { ...pageHeaders, location }, body: null }
}

/**
 * Content security policy: no content from other sites, no inline scripts or styles, and no
 * framing.
 */
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

function getFileReply(path: string, page: Page, files: ReadonlyMap<string, Uint8Array>): Reply {
  const { title, folder } = page
  if (files.size === 0)
    return createPageRejection(
      503,
      `The ${title} is not built. In a clone, run 'npm run build:${folder}', then load this page again.`,
    )
  const bytes = files.get(path)
  if (bytes === undefined)
    return createPageRejection(
      404,
      `The file ${JSON.stringify(path.slice(0, 200))} does not exist. The ${title} is at ` +
        `${page.path}.`,
    )
  const type = {
    'content-type':
      contentTypes[path === page.path ? '.html' : extname(path)] ?? 'application/octet-stream',
  }
  if (path === page.path)
    return {
      status: 200,
      headers: {
        ...pageHeaders,
        ...type,
        'content-security-policy': contentPolicy,
        'cache-control': 'no-store',
      },
      body: bytes,
    }
  // An asset's name changes with its content, so responses can be cached indefinitely.
  return {
    status: 200,
    headers: { ...pageHeaders, ...type, 'cache-control': 'max-age=31536000, immutable' },
    body: bytes,
  }
}

function createPageRejection(status: number, error: string): Reply {
  const refusal = createErrorReply(status, error)
  return { ...refusal, headers: { ...pageHeaders, ...refusal.headers } }
}

/**
 * Reads the files of a page from the installed package. The keys are request paths, so a requested
 * path is never used to access the file system. The map is empty if the page has not been built.
 */
function readPage({ folder, path, assets }: Page): ReadonlyMap<string, Uint8Array> {
  try {
    const place = join(findPackageFolder(), 'dist', folder)
    const named = readdirSync(join(place, 'assets')).map(
      (name) => [assets + name, readFileSync(join(place, 'assets', name))] as const,
    )
    return new Map([[path, readFileSync(join(place, 'index.html'))], ...named])
  } catch {
    return new Map()
  }
}

/** True if a browser opens the root of the server. */
function isOpenedInBrowser(request: IncomingMessage & { originalUrl?: string }): boolean {
  const { method, url, originalUrl = url, headers } = request
  // The redirect target is relative, so the mount path must end with a slash.
  return (
    method === 'GET' &&
    url === '/' &&
    originalUrl?.endsWith('/') === true &&
    /\btext\/html\b/.test(headers.accept ?? '')
  )
}
