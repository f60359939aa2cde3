import { http } from 'msw'
import type { HttpHandler } from 'msw'
import { toCall, toResponse } from './fetch.ts'
import type { Answering } from './fetch.ts'
import { publicHost } from '../world/public-files.ts'
import { answerPicture } from '../pictures/answer.ts'
import { web } from './visible.ts'

/**
 * Creates the MSW handlers of a sandbox: a catch-all under its base URL, and one for the public
 * host of the platform with the pictures of users. Your own handler in `server.use` can override a
 * route. They work with MSW 2 and 3, in Node and in the browser.
 * @example const server = setupServer(...handlers(createSandbox({ baseUrl:
 *   'https://api.example.test' })))
 */
export function handlers(sandbox: Answering): HttpHandler[] {
  return [
    // A regular expression, because MSW decodes path parameters and fails on malformed ones. The
    // API must answer those.
    http.all(under(sandbox.baseUrl), async ({ request }) => {
      const reply = await sandbox.handle(await toCall(request, sandbox.baseUrl))
      return reply.cut === 'before' ? cutConnection(request) : toResponse(reply, request.method)
    }),
    http.all(under(publicHost), async ({ request }) =>
      toResponse(await answerPicture(await toCall(request, publicHost)), request.method),
    ),
  ]
}

/**
 * A response that fails before a byte of it arrives. MSW turns `Response.error()` into an error
 * without a code, but clients of `node:http` retry on ECONNRESET. They get it from a body that fails
 * at once. Only they send a `host` header through MSW.
 */
function cutConnection(request: Request): Response {
  if (!request.headers.has('host')) return web.Response.error()
  return new web.Response(
    new web.ReadableStream({ start: (controller) => controller.error(new Error('cut')) }),
  )
}

/** Matches the addresses under a base URL. */
function under(address: string): RegExp {
  return new RegExp(`^${address.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')}/`)
}

/**
 * Options for `server.listen` that make a request without a handler an error. MSW 2 and MSW 3 each
 * read one of the names.
 */
export const strict = { onUnhandledRequest: 'error', onUnhandledFrame: 'error' } as const
