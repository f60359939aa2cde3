import cors from 'cors'
import express from 'express'
import type { SiteOptions } from './server/routing-options.ts'
import { exposedHeaders } from '../sandbox/cors.ts'
import { createRouting } from './server/routing.ts'
import { createScenarioParser } from './scenario-parser.ts'
import type { Call, Reply } from '../api/route.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import { ServedSandbox } from '../sandbox/served-sandbox.ts'
import { consolePage, createPageHandler, createRootHandler, referencePage } from './page.ts'
import {
  handleNodeRequest,
  runInConnectionOrder,
  normaliseRequestTarget,
  rejectInvalidHost,
  safeHeaders,
  sendReply,
  createCallHead,
} from './node.ts'
import { nodePace } from './pace.ts'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { isBytes } from '../lib/realms.ts'

/**
 * The app of a sandbox, for Express and `http.createServer`. Does not use Express's types, so it
 * works with every version of them, or without them.
 */
export interface SandboxApp {
  (request: AppRequest, response: AppResponse, next?: (error?: unknown) => void): void
  listen: (port: number, host?: string | (() => void), callback?: () => void) => AppServer
}

/** The parts of a request that the app reads. */
export interface AppRequest {
  readonly method?: string | undefined
  readonly url?: string | undefined
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
}

/** The parts of a response that the app uses. */
export interface AppResponse {
  statusCode: number
  setHeader: (name: string, value: string) => unknown
  end: () => unknown
}

/** A listening server: a subset of `http.Server`. */
export interface AppServer {
  address: () => { port: number } | string | null
  close: (callback?: (error?: Error) => void) => unknown
  closeAllConnections: () => void
  once: (event: 'error' | 'listening' | 'close', listener: (error: Error) => void) => unknown
}

/**
 * Creates an Express app of a sandbox: the API, the control plane and the console under
 * `/_sandbox/`, and the documentation at `/docs`. The app supports CORS for browser clients. If you
 * mount the app under a path of your own app, `sandbox.baseUrl` must contain that path.
 *
 * @example
 * createApp(createSandbox()).listen(4010, '127.0.0.1')
 */
export function createApp(sandbox: Sandbox, options: SiteOptions = {}): SandboxApp {
  const served = new ServedSandbox(sandbox)
  served.parseWith(createScenarioParser())
  return createServedApp(served, options)
}

/** Paths that are not part of the API. Only their responses are compressed. */
const compressedPath = /^\/(?:_sandbox|openapi\.json)(?=[/?]|$)/

/** Creates the app for a sandbox that has already been prepared for a server. */
export function createServedApp(served: ServedSandbox, options: SiteOptions): SandboxApp {
  const site = createRouting(served, options, nodePace)
  const shareWithPages = cors({
    origin: true,
    methods: [...new Set(served.routes.map(({ method }) => method)), 'HEAD'],
    exposedHeaders: [...exposedHeaders],
    maxAge: 600,
  })
  const app = express()
  app.disable('x-powered-by')
  app.set('etag', false)
  const openDocuments = createPageHandler(referencePage, site.rejectForeignPage)
  const openConsole = createPageHandler(consolePage, site.rejectForeignPage)
  const openRoot = createRootHandler(site.rejectForeignPage)
  app.use((_request, response, next) => runInConnectionOrder(response, next))
  app.use((request, response, next) => {
    response.set(safeHeaders)
    const refused = rejectInvalidHost(request)
    normaliseRequestTarget(request)
    const reply = refused ?? openDocuments(request) ?? openConsole(request) ?? openRoot(request)
    if (reply === undefined) return next()
    compressIfAccepted(request, reply).then((sent) => sendReply(response, sent), next)
  })
  app.use((request, response, next) => {
    if (request.headers.origin !== undefined && site.isShared(createCallHead(request)))
      shareWithPages(request, response, next)
    else next()
  })
  app.use((request, response) => {
    const handle = compressedPath.test(request.url)
      ? async (call: Call) => compressIfAccepted(request, await site.handle(call))
      : site.handle
    return handleNodeRequest(request, response, { ...site, handle, parsed: request.body })
  })
  // The cast is safe, because Node.js and Express pass complete requests and responses.
  return app as unknown as SandboxApp
}

/** Compresses a response if the client accepts gzip. */
async function compressIfAccepted(request: express.Request, reply: Reply): Promise<Reply> {
  request.res?.vary('Accept-Encoding')
  return request.acceptsEncodings('gzip') === false ? reply : compressReply(reply)
}

/** Minimum size of compressed bodies, bytes. */
const minLength = 1_024
/**
 * Maximum size of compressed bodies, bytes. Larger bodies, such as snapshots, would need memory for
 * compression that the memory limit does not count.
 */
const maxLength = 1_048_576
/**
 * gzip level. Level 3 compresses `/openapi.json` to a seventh of its size in 10 ms, in a worker
 * thread.
 */
const level = 3
const compressible = /^(?:text\/(?!event-stream)|application\/json|image\/svg)/

/** Compresses a text response with gzip. */
export async function compressReply(reply: Reply): Promise<Reply> {
  const { body, headers } = reply
  const isWhole = typeof body === 'string' || isBytes(body)
  if (!isWhole || body.length < minLength || body.length > maxLength) return reply
  // Files are not compressed, because they have a fixed length and byte ranges.
  const isFile = headers['content-length'] !== undefined
  if (isFile || !compressible.test(headers['content-type'] ?? '')) return reply
  return {
    ...reply,
    headers: { ...headers, 'content-encoding': 'gzip' },
    body: await toGzip(body, { level }),
  }
}

const toGzip = promisify<string | Uint8Array, { level: number }, Buffer>(gzip)
