import { readFileSync } from 'node:fs'
import http from 'node:http'
import type { Sandbox } from 'creator-api-sandbox'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createFreshSandbox } from '../support/client.ts'
import { faces } from '../support/hosts.ts'

type Ask = (path: string, init?: RequestInit) => Promise<Response>

const page = readFileSync(new URL('../../docs/runners.md', import.meta.url), 'utf8')

/** Opens a new sandbox behind a host. Returns the sandbox and its fetch. */
async function open(name: keyof typeof faces) {
  const sandbox = await createFreshSandbox()
  const { fetch, close } = await faces[name](sandbox)
  onTestFinished(close)
  const ask: Ask = (path, init) =>
    fetch(`${sandbox.baseUrl}${path}`, {
      ...init,
      headers: { authorization: `Bearer ${sandbox.keys['owner']}`, ...init?.headers },
    })
  return { sandbox, ask, close }
}

/** Describes one aspect of a host's behaviour in a word. */
type Fact = (face: { sandbox: Sandbox; ask: Ask }) => Promise<string>

const hasHeader =
  (name: string, init?: RequestInit): Fact =>
  async ({ ask }) => {
    const response = await ask('/v1/accounts', init)
    await response.text()
    return response.headers.has(name) ? 'yes' : 'no'
  }

const errorOf = async (answer: Promise<unknown>) =>
  (await answer.then(String, (error: Error) => error)) as Error

/** Requests a URL with `node:http` and returns the error code. */
function errorOfHttp(url: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const end = ({ code }: NodeJS.ErrnoException) => resolve(code)
    const sent = http.get(url, (response) =>
      response.on('error', end).on('end', () => resolve('none')),
    )
    sent.on('error', end)
    sent.on('response', (response) => response.resume())
  })
}

/** Rows of the documentation page, with the results for MSW, a server and `sandbox.fetch`. */
const facts: Record<string, Fact> = {
  'the header `date`': hasHeader('date'),
  'the header `content-length`': hasHeader('content-length'),
  'the header `x-content-type-options`': hasHeader('x-content-type-options'),
  'CORS headers for loopback origins': hasHeader('access-control-allow-origin', {
    headers: { origin: 'http://localhost:5173' },
  }),
  'CORS headers without an `Origin`': hasHeader('access-control-allow-origin'),
  '`response.statusText`': async ({ ask }) => {
    const response = await ask('/v1/nowhere')
    await response.text()
    return response.statusText
  },
  'the control plane under `/_sandbox/`': async ({ ask }) => {
    const response = await ask('/_sandbox/state')
    await response.text()
    return response.status === 200 ? 'yes' : 'no'
  },
  '`drop: true` rejects with': async ({ ask, sandbox }) => {
    sandbox.faults.add({ drop: true })
    const { name, message, cause } = await errorOf(ask('/v1/accounts'))
    return `\`${name}: ${message}\`${(cause as Error | undefined)?.name === 'SocketError' ? ', whose `cause` is a `SocketError`' : ''}`
  },
  "`drop: 'midway'`: the headers arrive, then reading the body rejects with": async ({
    ask,
    sandbox,
  }) => {
    sandbox.faults.add({ drop: 'midway' })
    const response = await ask('/v1/accounts')
    expect(response.status).toBe(200)
    const { name, message } = await errorOf(response.text())
    return `\`${name}: ${message}\``
  },
}

describe('the differences between MSW, a server and sandbox.fetch', () => {
  it.each(Object.entries(facts))('are in the docs: %s', async (name, fact) => {
    const cells: string[] = []
    for (const face of ['msw', 'express', 'fetch'] as const) {
      const host = await open(face)
      cells.push(await fact(host))
      host.close()
    }
    expect(page).toContain(`| ${name} | ${cells.join(' | ')} |`)
  })

  it.each(['msw', 'express'] as const)(
    'give clients of node:http ECONNRESET for a cut connection: %s',
    async (face) => {
      const sandbox = await createFreshSandbox()
      sandbox.baseUrl = sandbox.baseUrl.replace('https:', 'http:')
      onTestFinished((await faces[face](sandbox)).close)
      for (const drop of [true, 'midway'] as const) {
        sandbox.faults.add({ drop, times: 1 })
        expect(await errorOfHttp(`${sandbox.baseUrl}/health`)).toBe('ECONNRESET')
      }
    },
  )

  it.each(['msw', 'fetch'] as const)(
    'give the reason for a cut connection in `cause`: %s',
    async (face) => {
      const { ask, sandbox } = await open(face)
      const cause = { message: expect.stringContaining('fault of the sandbox'), code: 'ECONNRESET' }
      sandbox.faults.add({ drop: true, times: 1 })
      expect(await errorOf(ask('/v1/accounts'))).toMatchObject({ cause })
      sandbox.faults.add({ drop: 'midway', times: 1 })
      expect(await errorOf((await ask('/v1/accounts')).text())).toMatchObject({ cause })
    },
  )

  it.each(Object.keys(faces) as (keyof typeof faces)[])(
    'end the delay of each fault when the client disconnects: %s',
    async (face) => {
      const { sandbox, ask } = await open(face)
      const delayed = { delay_ms: 600_000, times: 1 }
      for (const effect of [{}, { status: 503 }, { status: 429 }, { drop: true }] as const)
        for (const applied of [false, true]) {
          sandbox.faults.add({ ...delayed, ...effect, applied })
          const client = new AbortController()
          const recorded = new Promise((resolve) => sandbox.on('request', resolve))
          const answered = errorOf(ask('/v1/accounts', { signal: client.signal }))
          await expect.poll(() => sandbox.faults.list()).toEqual([])
          client.abort()
          await answered
          expect(await recorded).toMatchObject({
            error: 'The client disconnected before the response was sent.',
          })
        }
    },
  )

  it.each(['msw', 'fetch'] as const)(
    'end a delay by the fake timers of the process: %s',
    async (face) => {
      const { sandbox, ask } = await open(face)
      sandbox.faults.add({ delay_ms: 60_000, status: 503 })
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
      let status = 0
      const answered = ask('/v1/accounts').then((response) => (status = response.status))
      await vi.advanceTimersByTimeAsync(59_999)
      expect(status).toBe(0)
      await vi.advanceTimersByTimeAsync(1)
      await answered
      expect(status).toBe(503)
    },
  )
})
