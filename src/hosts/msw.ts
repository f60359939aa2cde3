import { http } from 'msw'
import type { HttpHandler } from 'msw'
import { createConnectionReset, toCall, toResponse } from '../sandbox/fetch.ts'
import type { Answering } from '../sandbox/fetch.ts'
import { publicHost } from '../world/public-files.ts'
import { serveUserPicture } from '../pictures/serve-pictures.ts'
import { web } from '../sandbox/node-globals.ts'

/**
 * Creates the MSW handlers of a sandbox: a catch-all under its base URL, and one for user pictures
 * on the platform's public host. The handlers work with MSW 2 and 3, in Node.js and in the browser.
 * To override a route, pass your own handler to `server.use`.
 * @example const server = setupServer(...handlers(createSandbox({ baseUrl:
 *   'https://api.example.test' })))
 */
export function handlers(sandbox: Answering): HttpHandler[] {
  return [
    // MSW decodes path parameters and throws if they are malformed, but the API must respond to
    // such requests. A regular expression has no path parameters.
    http.all(createBaseUrlPattern(sandbox.baseUrl), async ({ request }) => {
      const reply = await sandbox.handle(await toCall(request, sandbox.baseUrl))
      return reply.cut === 'before'
        ? createFailingResponse(request)
        : toResponse(reply, request.method)
    }),
    http.all(createBaseUrlPattern(publicHost), async ({ request }) =>
      toResponse(await serveUserPicture(await toCall(request, publicHost)), request.method),
    ),
  ]
}

/**
 * Returns a response that fails before its first byte. In Node.js, MSW throws an error whose
 * `cause` is this response, so the reason is stored in the response. Clients based on `node:http`
 * retry on ECONNRESET, but MSW gives them no error code for `Response.error()`. These clients,
 * recognised by the `host` header that MSW sets only for them, therefore get a body that fails
 * immediately.
 */
function createFailingResponse(request: Request): Response {
  if (!request.headers.has('host')) {
    const { message, code } = createConnectionReset()
    return Object.assign(web.Response.error(), { message, code })
  }
  return new web.Response(
    new web.ReadableStream({ start: (controller) => controller.error(new Error('cut')) }),
  )
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
