import { createSandbox } from 'creator-api-sandbox'
import { reportFailures } from 'creator-api-sandbox/jest'

// This test fails on purpose, because scripts/compat/jest.ts reads its output.

const sandbox = createSandbox({ baseUrl: 'https://api.example.test', scenario: 'solo' })
reportFailures(() => sandbox)

it('fails', async () => {
  await sandbox.fetch('https://api.example.test/v1/tags?limt=4', {
    headers: { authorization: `Bearer ${sandbox.keys.owner}` },
  })
  expect(1).toBe(2)
})
