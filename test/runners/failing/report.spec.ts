import { createSandbox } from 'creator-api-sandbox'
import { reportFailures } from 'creator-api-sandbox/vitest'
import { expect, it } from 'vitest'

// A test in this file fails on purpose, because report.long.test.ts reads the output.

const sandbox = createSandbox({ scenario: 'solo' })
reportFailures(() => sandbox)

it('passes', async () => {
  const { status } = await sandbox.fetch(`${sandbox.baseUrl}/v1/before`)
  expect(status).toBe(401)
})

it('fails in process', async () => {
  await sandbox.fetch(`${sandbox.baseUrl}/v1/tags?limt=4`, {
    headers: { 'x-api-key': sandbox.keys.owner },
  })
  expect(1).toBe(2)
})
