import { createSandbox } from 'creator-api-sandbox'
import type { Sandbox } from 'creator-api-sandbox'

let sandbox: Sandbox

beforeAll(async () => {
  sandbox = createSandbox({ baseUrl: 'https://api.example.test', scenario: 'solo' })
  await sandbox.ready
})

it('has the matchers of a sandbox', async () => {
  const [account] = sandbox.accounts
  const list = `https://api.example.test/v1/${account?.id}/posts`
  await sandbox.fetch(list, { headers: { authorization: `Bearer ${sandbox.keys.owner}` } })

  expect(sandbox).toHaveReceived({ method: 'GET', query: {} })
  expect(sandbox).toCostAtMost(1)
  await expect(sandbox).toHaveNoFindings()

  await sandbox.fetch(`${list}?limt=3`, {
    headers: { authorization: `Bearer ${sandbox.keys.owner}` },
  })
  await expect(sandbox).not.toHaveNoFindings()
  await expect(expect(sandbox).toHaveNoFindings()).rejects.toThrow('limit')
})
