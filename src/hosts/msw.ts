import * as msw from 'msw'
import type { HttpHandler } from 'msw'
import { createErrorReply } from '../api/envelope.ts'
import type { Call, Reply } from '../api/route.ts'
import { describeValue, SandboxError } from '../errors.ts'
import { createConnectionReset, toCall, toResponse } from '../sandbox/fetch.ts'
import type { CallHandler } from '../sandbox/fetch.ts'
import { createPreflightResponse, shareWithPages } from '../sandbox/cors.ts'
import { publicHost } from '../world/public-files.ts'
import { serveUserPicture } from '../pictures/serve-pictures.ts'
import { isNode, web } from '../lib/node-globals.ts'

/** Options of `handlers`. */
export interface HandlerOptions {
  /**
   * Status, 500 to 599, of the response where a fault or a scenario closes the connection. Set it
   * for hosts that write the mocked response to a client of their own, such as
   * `@mswjs/http-middleware`: they cannot close its connection, and would fail with an uncaught
   * error.
   *
   * @default the client gets a network error
   */
  cut?: number
}

/**
 * Creates the MSW handlers of a sandbox: a catch-all under its base URL, and one for user pictures
 * on the platform's public host. The handlers work with MSW 2 and 3, in Node.js and in the browser.
 * To override a route, pass your own handler to `server.use`. The responses carry CORS headers, and
 * preflights get 204, because a DOM test environment applies CORS to mocked responses.
 *
 * @example const server = setupServer(...handlers(createSandbox({ baseUrl:
 *   'https://api.example.test' })))
 * @throws {SandboxError} if `cut` is not a status from 500 to 599, or if MSW 3 runs on a Node.js that
 *   it does not support
 */
export function handlers(sandbox: CallHandler, { cut }: HandlerOptions = {}): HttpHandler[] {
  if (cut !== undefined && !(Number.isInteger(cut) && cut >= 500 && cut <= 599))
    throw new SandboxError(
      `handlers: the option cut is ${describeValue(cut)}. Use a status from 500 to 599, or omit it.`,
    )
  // MSW 2 exports `SetupApi`.
  if (!('withResolvers' in Promise) && !('SetupApi' in msw))
    throw new SandboxError('MSW 3 needs Node.js 22.12 or later. Use a later Node.js, or MSW 2.')
  const respond = async (
    request: Request,
    baseUrl: string,
    handle: (call: Promise<Call>) => Promise<Reply>,
  ) => {
    if (request.method === 'OPTIONS') return createPreflightResponse(request)
    const reply = await handle(toCall(request, baseUrl))
    if (reply.cut !== undefined && cut !== undefined) {
      const error = createErrorReply(cut, createConnectionReset().message)
      return shareWithPages(toResponse(error, request.method))
    }
    if (reply.cut === 'before') return createFailingResponse(request)
    if (reply.cut === 'midway' && readsBodyFirst(request)) return createNetworkError()
    return shareWithPages(toResponse(reply, request.method))
  }
  return [
    // MSW decodes path parameters and throws if they are malformed, but the API must respond to
    // such requests. A regular expression has no path parameters.
    msw.http.all(createBaseUrlPattern(sandbox.baseUrl), ({ request }) =>
      respond(request, sandbox.baseUrl, (call) => sandbox.handle(call)),
    ),
    msw.http.all(createBaseUrlPattern(publicHost), ({ request }) =>
      respond(request, publicHost, async (call) => serveUserPicture(await call)),
    ),
  ]
}

/**
 * Returns a response that fails before its first byte. Clients based on `node:http` retry on
 * ECONNRESET, but MSW gives them no error code for `Response.error()`. These clients, recognised by
 * the `host` header that MSW sets only for them, therefore get a body that fails immediately.
 */
function createFailingResponse(request: Request): Response {
  if (!request.headers.has('host')) return createNetworkError()
  return new web.Response(
    new web.ReadableStream({ start: (controller) => controller.error(new Error('cut')) }),
  )
}

/**
 * Returns a network error. In Node.js, MSW throws an error whose `cause` is this response, so the
 * reason is stored in the response.
 */
function createNetworkError(): Response {
  const { message, code } = createConnectionReset()
  return Object.assign(web.Response.error(), { message, code })
}

/**
 * True if the client gets the response only after its whole body was read, so that a body that
 * fails midway would leave the client waiting or end the process. This is how MSW 2 answers
 * XMLHttpRequest in Node.js, and @msw/playwright the pages of a browser.
 */
function readsBodyFirst(request: Request): boolean {
  if (!isNode) return false
  const isPage = request.headers.get('user-agent')?.startsWith('Mozilla/') === true
  if (isPage && !request.headers.has('host')) return true
  // MSW stores the client's own request under this symbol.
  const symbol = Object.getOwnPropertySymbols(request).find(
    ({ description }) => description === 'kRawRequest',
  )
  const raw: unknown = symbol && Reflect.get(request, symbol)
  return typeof raw === 'object' && raw !== null && 'responseType' in raw
}

/** Returns a pattern for the URLs under a base URL. */
function createBaseUrlPattern(address: string): RegExp {
  return new RegExp(`^${address.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')}/`)
}

/**
 * Options for `server.listen` that report requests without a handler as errors. MSW 2 and MSW 3 use
 * different names for the option.
 */
export const strict = { onUnhandledRequest: 'error', onUnhandledFrame: 'error' } as const
