import { createSandbox } from 'creator-api-sandbox'
import type { Sandbox } from 'creator-api-sandbox'
import { createApp } from 'creator-api-sandbox/express'
import 'creator-api-sandbox/vitest' // adds the matchers
import { handlers, strict } from 'creator-api-sandbox/msw'
import { setupServer } from 'msw/node'
import { expect, it, onTestFinished } from 'vitest'
import * as mended from './mended.ts'
import type { Access } from './report.ts'
import * as wrong from './wrong.ts'

const mistakes = ['ignored-parameter', 'edited-link', 'key-in-url', 'near-miss', 'retry-hopeless']

/** A sandbox behind MSW handlers. */
async function inProcess(): Promise<Sandbox> {
  const sandbox = createSandbox({ scenario: 'solo', baseUrl: 'https://api.example.test' })
  const server = setupServer(...handlers(sandbox))
  server.listen(strict)
  onTestFinished(() => server.close())
  await sandbox.ready
  return sandbox
}

/** A sandbox behind a server. */
async function served(): Promise<Sandbox> {
  const sandbox = createSandbox({ scenario: 'solo', clock: 'running', realTime: () => Date.now() })
  await sandbox.ready
  const server = createApp(sandbox).listen(0, '127.0.0.1')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  await new Promise<unknown>((resolve) => server.once('listening', resolve as () => void))
  const address = server.address()
  sandbox.baseUrl = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  return sandbox
}

function accessTo({ baseUrl, keys, db }: Sandbox): Access {
  return { baseUrl, apiKey: keys['owner'] ?? '', accountId: db.accounts.all()[0]?.id ?? 0 }
}

it.each([
  ['in process', inProcess],
  ['against a server', served],
])('tells what the client does wrong, and nothing once it is mended, %s', async (_, start) => {
  const sandbox = await start()
  expect(await wrong.report(accessTo(sandbox))).toHaveLength(2)
  const { findings } = await sandbox.audit()
  expect(new Set(findings.map(({ rule }) => rule))).toEqual(new Set(mistakes))

  sandbox.checkpoint()
  expect((await mended.report(accessTo(sandbox))).length).toBeGreaterThan(2)
  await expect(sandbox).toHaveNoFindings()
  sandbox.assertSettled()
})
