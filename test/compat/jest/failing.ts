import assert from 'node:assert'
import { createSandbox } from 'creator-api-sandbox'
import { reportFailures } from 'creator-api-sandbox/jest'

// These tests fail on purpose, because scripts/compat/jest.ts reads their output.

const sandbox = createSandbox({ baseUrl: 'https://api.example.test', scenario: 'solo' })
reportFailures(() => sandbox)

const read = (parameter: string) =>
  sandbox.fetch(`https://api.example.test/v1/tags?${parameter}=4`, {
    headers: { authorization: `Bearer ${sandbox.keys.owner}` },
  })

it('fails', async () => {
  await read('limt')
  expect(1).toBe(2)
})

it('times out', async () => {
  await read('timeout')
  await new Promise(() => {})
}, 100)

it('gets an error of Node.js, which comes from another realm', async () => {
  await read('realm')
  await new Response('<p>').json()
})

it('fails an assertion of Node.js', async () => {
  await read('assert')
  assert.strictEqual(1, 2)
})

describe('a hook', () => {
  beforeEach(async () => {
    await read('hook')
    throw new Error('a hook')
  })

  it('fails', () => {})
})
