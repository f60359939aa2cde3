import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { createSandbox } from 'creator-api-sandbox'
import { handlers, strict } from 'creator-api-sandbox/msw'
import { setupServer } from 'msw/node'

const sandbox = createSandbox({ baseUrl: 'https://api.example.test', scenario: 'solo' })
const server = setupServer(...handlers(sandbox))

beforeAll(async () => {
  server.listen(strict)
  await sandbox.ready
})

afterAll(() => server.close())

it('handles requests of the client', async () => {
  const [account] = sandbox.db.accounts.all()
  const response = await fetch(`https://api.example.test/v1/${account?.id}/posts`, {
    headers: { authorization: `Bearer ${sandbox.keys.owner}` },
  })

  expect(response.status).toBe(200)
  expect(sandbox.requests[0]).toMatchObject({ status: 200, route: 'GET /v1/:account_id/posts' })
})
