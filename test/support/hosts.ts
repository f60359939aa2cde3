import type { Sandbox } from 'creator-api-sandbox'
import { createApp } from 'creator-api-sandbox/express'
import { handlers, strict } from 'creator-api-sandbox/msw'
import { setupServer } from 'msw/node'
import { listenOnFreePort } from './server.ts'

/** A sandbox behind a host. */
export interface HostedSandbox {
  /** Sends a request as clients of the host do. */
  fetch: typeof fetch
  close: () => void
}

/** Functions that open a sandbox behind each host. A server sets its own base URL. */
export const faces = {
  msw: async (sandbox: Sandbox): Promise<HostedSandbox> => {
    const server = setupServer(...handlers(sandbox))
    server.listen(strict)
    return { fetch, close: () => server.close() }
  },
  express: async (sandbox: Sandbox): Promise<HostedSandbox> => {
    const { origin, stop } = await listenOnFreePort(createApp(sandbox))
    sandbox.baseUrl = origin
    return { fetch, close: stop }
  },
  fetch: async (sandbox: Sandbox): Promise<HostedSandbox> => ({
    fetch: sandbox.fetch,
    close: () => {},
  }),
}
