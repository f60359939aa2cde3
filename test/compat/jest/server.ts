import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from '@jest/globals'
import { createSandbox } from 'creator-api-sandbox'
import { createApp } from 'creator-api-sandbox/express'

it('serves the API, the console, the OpenAPI document and its page', async () => {
  const sandbox = createSandbox({ scenario: 'solo' })
  const server = createServer(createApp(sandbox))
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  for (const path of ['health', '_sandbox/', '_sandbox/state', 'openapi.json', 'docs'])
    expect([path, (await fetch(`http://127.0.0.1:${port}/${path}`)).status]).toEqual([path, 200])
  server.closeAllConnections()
  server.close()
  sandbox.close()
})
