import { createServer } from 'node:http'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createMiddleware } from '@mswjs/http-middleware'
import type { Sandbox } from 'creator-api-sandbox'
import { handlers } from 'creator-api-sandbox/msw'
import express from 'express'

/** Serves the MSW handlers of a sandbox behind your own Express route. */
export async function serve(sandbox: Sandbox, port = 0): Promise<Server> {
  const app = express()
  const server = createServer(app)
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  // The handlers match the base URL, so set the base URL before you create them.
  sandbox.baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  app.get('/mine', (_request, response) => {
    response.send('mine')
  })
  // @note With `moduleResolution: nodenext`, the middleware uses msw's CommonJS types and this
  // package its ESM types. TypeScript treats them as different classes.
  // The middleware cannot close a connection, so `drop` faults become responses.
  const mocked = handlers(sandbox, { cut: 502 })
  app.use(createMiddleware(...(mocked as unknown as Parameters<typeof createMiddleware>)))
  return server
}
