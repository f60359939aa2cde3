import { createSandbox } from 'creator-api-sandbox'
import { handlers, strict } from 'creator-api-sandbox/msw'
import { setupServer } from 'msw/node'

// As in the README: nothing awaits `ready` before the first test.
const sandbox = createSandbox({ baseUrl: 'https://api.example.test', scenario: 'agency' })
const server = setupServer(...handlers(sandbox))
beforeAll(() => server.listen(strict))
afterAll(() => server.close())

it('lists posts', async () => {
  const url = `https://api.example.test/v1/${sandbox.accounts[0]?.id}/posts`
  const response = await fetch(url, { headers: { authorization: `Bearer ${sandbox.keys.owner}` } })
  expect(response.status).toBe(200)
})

it.each([1, 2, 3])('seeds sandbox %i in a test', async () => {
  const other = createSandbox({ scenario: { extends: 'empty', name: 'own' } })
  await other.ready
  expect(other.check().holds).toBe(true)
})
