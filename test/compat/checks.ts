import assert from 'node:assert/strict'
import { createSandbox } from 'creator-api-sandbox'
import type { Sandbox } from 'creator-api-sandbox'
import { handlers, strict } from 'creator-api-sandbox/msw'
import { http, HttpResponse } from 'msw'
import { setupServer } from 'msw/node'

/**
 * Checks of the MSW handlers, run with the installed MSW version in tests, and with each supported
 * version in scripts/compat/msw.ts.
 */
export const checks: readonly { name: string; run: (bench: Bench) => Promise<void> }[] = [
  {
    name: 'answers requests',
    async run({ sandbox, get }) {
      const response = await get(getFeed(sandbox))
      assert.equal(response.status, 200)
      const { data } = (await response.json()) as Feed
      assert.ok(data.list.length > 0)
      assert.equal(sandbox.requests[0]?.route, 'GET /v1/:account_id/posts')
    },
  },
  {
    name: 'passes bodies in',
    async run({ sandbox, get }) {
      const response = await get(getFeed(sandbox), {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ text: 'Hello' }),
      })
      assert.equal(response.status, 200)
      assert.equal(sandbox.db.posts.where({ rawText: 'Hello' }).length, 1)
    },
  },
  {
    name: 'makes an unhandled request an error',
    async run({ get }) {
      await assert.rejects(
        async () => get('http://127.0.0.1:9/elsewhere'),
        (error: Error) => !/ECONNREFUSED/.test(String(error.cause)),
      )
    },
  },
  {
    name: 'lets a handler of server.use win',
    async run({ sandbox, server, get }) {
      server.use(
        http.get(`${sandbox.baseUrl}/v1/*/posts`, () =>
          HttpResponse.json({ mine: true }, { status: 418 }),
        ),
      )
      assert.equal((await get(getFeed(sandbox))).status, 418)
      assert.equal((await get('/health')).status, 200)
    },
  },
  {
    name: 'cuts the connection for a fault',
    async run({ sandbox, get }) {
      sandbox.faults.add({ drop: true, times: 1 })
      await assert.rejects(get(getFeed(sandbox)), TypeError)
      assert.equal((await get(getFeed(sandbox))).status, 200)
    },
  },
  {
    name: 'hands media on byte by byte',
    async run({ sandbox, get }) {
      const { data } = (await (await get(`${getFeed(sandbox)}?media_type=photos`)).json()) as Feed
      const response = await get(data.list[0]?.media[0]?.files.full.url ?? '')
      const bytes = new Uint8Array(await response.arrayBuffer())
      assert.equal(response.headers.get('content-type'), 'image/jpeg')
      assert.equal(response.headers.get('content-length'), String(bytes.length))
      assert.deepEqual([...bytes.subarray(0, 2), ...bytes.subarray(-2)], [0xff, 0xd8, 0xff, 0xd9])
    },
  },
  {
    name: 'answers ranges of media',
    async run({ sandbox, get }) {
      const { data } = (await (await get(`${getFeed(sandbox)}?media_type=photos`)).json()) as Feed
      const response = await get(data.list[0]?.media[0]?.files.full.url ?? '', {
        headers: { range: 'bytes=0-1' },
      })
      assert.equal(response.status, 206)
      assert.deepEqual([...new Uint8Array(await response.arrayBuffer())], [0xff, 0xd8])
    },
  },
]

interface Bench {
  sandbox: Sandbox
  server: ReturnType<typeof setupServer>
  /** Sends a request with the owner's key. Paths are relative to the base URL. */
  get: (address: string, init?: RequestInit) => Promise<Response>
}

interface Feed {
  data: { list: { media: { files: { full: { url: string } } }[] }[] }
}

const seeded = createSandbox({ baseUrl: 'https://api.example.test', scenario: 'solo' })

/** Runs one check with its own sandbox and MSW server. */
export async function runCheck({ run }: (typeof checks)[number]): Promise<void> {
  await seeded.ready
  const sandbox = seeded.fork()
  const server = setupServer(...handlers(sandbox))
  server.listen(strict)
  const get: Bench['get'] = (address, init = {}) =>
    fetch(address.startsWith('/') ? `${sandbox.baseUrl}${address}` : address, {
      ...init,
      headers: { ...init.headers, authorization: `Bearer ${sandbox.keys['owner']}` },
    })
  try {
    await run({ sandbox, server, get })
  } finally {
    await server.close()
  }
}

function getFeed(sandbox: Sandbox): string {
  return `/v1/${sandbox.db.accounts.all()[0]?.id}/posts`
}
