import { expect, it, onTestFinished, vi } from 'vitest'
import { createFreshSandbox } from '../support/client.ts'

async function open(baseUrl = 'https://api.example.test') {
  const sandbox = await createFreshSandbox('solo', { baseUrl })
  const posts = `${baseUrl}/v1/${sandbox.db.accounts.all()[0]!.id}/posts`
  return { sandbox, posts, headers: { authorization: `Bearer ${sandbox.keys['owner']}` } }
}

it('sets the URL and the status text of the response', async () => {
  const { sandbox, posts, headers } = await open()
  const answer = await sandbox.fetch(`${posts}?limit=1#top`, { headers })
  expect([answer.url, answer.statusText]).toEqual([`${posts}?limit=1`, 'OK'])
  expect((await sandbox.fetch(posts)).statusText).toBe('Unauthorized')
})

it('rejects with the reason of an aborted signal, and sends nothing if it was aborted before', async () => {
  const { sandbox, posts, headers } = await open()
  sandbox.faults.add({ delay_ms: 600_000 })
  const controller = new AbortController()
  const answer = sandbox.fetch(posts, { headers, signal: controller.signal })
  controller.abort(new Error('Too slow.'))
  await expect(answer).rejects.toThrow('Too slow.')
  await expect(sandbox.fetch(posts, { signal: AbortSignal.abort() })).rejects.toThrow('aborted')
  await expect.poll(() => sandbox.requests).toHaveLength(1)
})

it.each([
  'https://other.example/health',
  'https://api.example.test.evil.example/health',
  'https://api.example.test:8443/health',
])('rejects %s, which is not under its base URL, and names it', async (address) => {
  const { sandbox } = await open()
  await expect(sandbox.fetch(address)).rejects.toThrow(
    `Failed to fetch (${address}): the sandbox only handles URLs that start with`,
  )
  expect(sandbox.requests).toEqual([])
})

it('handles requests under a base URL with a path', async () => {
  const { sandbox, posts, headers } = await open('https://app.example.test/creator/api')
  expect((await sandbox.fetch(posts, { headers })).status).toBe(200)
  await expect(sandbox.fetch('https://app.example.test/health')).rejects.toThrow('Failed to fetch')
})

it('ignores the server that Bun passes together with a request', async () => {
  // Bun's Request class reads the URL from this object.
  class BunRequest extends Request {
    constructor(input: RequestInfo | URL, init?: RequestInit & { url?: string }) {
      super(init?.url ?? input, init)
    }
  }
  vi.stubGlobal('Request', BunRequest)
  onTestFinished(() => void vi.unstubAllGlobals())
  const {
    fetch,
    baseUrl,
    control: { requests },
  } = await createFreshSandbox()
  const server = { url: `${baseUrl}/`, port: 4010, stop: () => {} }
  expect((await fetch(`${baseUrl}/health`, server as RequestInit)).status).toBe(200)
  const sent = new Request(`${baseUrl}/v1/accounts`, {
    method: 'POST',
    body: '{}',
    headers: { 'content-type': 'application/json' },
  })
  expect((await fetch(sent, server as RequestInit)).status).toBe(401)
  await fetch(new URL(`${baseUrl}/health`), { method: 'HEAD' })
  expect(requests()[0]?.method).toBe('HEAD')
})
