import { http } from 'msw'
import type { HttpHandler } from 'msw'
import { toCall, toResponse } from './fetch.ts'
import type { Answering } from './fetch.ts'

/**
 * The MSW handlers of a sandbox: one catch-all under its base address, so that a handler of your own given to `server.use`
 * still overrides a route. Works with MSW 2 and 3, in Node and in the browser.
 *
 * @example
 * const server = setupServer(...handlers(createSandbox({ baseUrl: 'https://api.example.test' })))
 */
export function handlers(sandbox: Answering): HttpHandler[] {
  return [
    // A pattern, not a path: MSW decodes the parameters of a path and fails on malformed ones, which the API has to answer.
    http.all(new RegExp(`^${sandbox.baseUrl.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')}/`), async ({ request }) => {
      const reply = await sandbox.handle(await toCall(request, sandbox.baseUrl))
      return reply.isDropped === true ? Response.error() : toResponse(reply, request.method)
    }),
  ]
}

/** Options for `server.listen` that make a request outside the handlers an error, under MSW 2 and MSW 3 (each ignores the other's name). */
export const strict = { onUnhandledRequest: 'error', onUnhandledFrame: 'error' } as const
