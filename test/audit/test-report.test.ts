import { describeRequests } from 'creator-api-sandbox'
import { expect, it } from 'vitest'
import { createFreshSandbox } from '../support/client.ts'

it('lists the requests with their notes, errors and explanations, and the findings', async () => {
  const sandbox = await createFreshSandbox()
  const [account] = sandbox.accounts
  const get = (path: string, key: string = sandbox.keys['owner'] ?? '') =>
    sandbox.fetch(sandbox.baseUrl + path, { headers: { 'x-api-key': key } })
  await get('/v1/tags', 'unknown')
  await get(`/v1/${account?.id}/posts?limit=-1`)
  await get(`/v1/${account?.id}/posts?query=zzzz`)
  const lines = (await describeRequests(sandbox)).split('\n')
  expect(lines.slice(0, 5)).toEqual([
    'Requests of the test:',
    expect.stringMatching(/^ {2}#1 GET \/v1\/tags 401 \(The key does not belong to this sandbox\./),
    expect.stringMatching(/^ {2}#2 GET \S+ 400 \(.*limit.*-1.*\)$/),
    expect.stringMatching(/^ {2}#3 GET \S+ 200 \(query=zzzz leaves no rows\. .*\)$/),
    'Findings of the audit:',
  ])
  expect(lines[5]).toMatch(/^ {2}error wrong-key: .* \(#1\)$/)
})
