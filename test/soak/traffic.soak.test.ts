import { readdirSync } from 'node:fs'
import { Agent, request as sendRequest } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { createSandbox } from 'creator-api-sandbox'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { generateApiRequests } from '../hostile/requests.ts'
import type { HostileRequest } from '../hostile/requests.ts'
import { startServer } from '../hostile/server.ts'

/** `SOAK_MINUTES=5 npm run test:soak` shortens the run. */
const minutes = Number(process.env['SOAK_MINUTES'] ?? 30)
const worldCount = 60
const requestsASecond = 200
/** Number of requests after which a client resets its world, as a test suite does between tests. */
const requestsUntilReset = 150
/**
 * Maximum heap size, MB. The worlds need about 100 MB. A larger maximum would let V8 accumulate
 * garbage during the run, which would hide a leak.
 */
const heapMb = 192
const hostileShare = 0.01

/** A measurement of the server process. */
interface Sample {
  minute: number
  memoryMb: number
  openFiles: number
}

const twin = createSandbox({ scenario: 'agency' })
await twin.ready
const server = await startServer(['--scenario', 'agency'], {
  nodeFlags: [`--max-old-space-size=${heapMb}`],
})
const agent = new Agent({ keepAlive: true, maxSockets: 8 })
const statuses = new Map<number, number>()
const serverErrors: string[] = []

afterAll(async () => {
  agent.destroy()
  await server.stop()
})

test(`${worldCount} worlds of agency, mixed traffic with 1 % hostile requests`, async () => {
  const samples: Sample[] = []
  const client = clientRequests()
  const hostile = fc.sample(generateApiRequests(twin), { seed: 1, numRuns: 5_000 })
  const start = performance.now()
  const elapsed = () => (performance.now() - start) / 60_000
  for (let count = 0; elapsed() < minutes && server.isAlive(); count += 1) {
    const world = `soak-${count % worldCount}`
    const turn = Math.floor(count / worldCount)
    const isHostile = count % (1 / hostileShare) === 0
    if (turn % requestsUntilReset === 0) await startOver(world)
    await send(
      (isHostile
        ? hostile[count % hostile.length]
        : client[turn % client.length]) as HostileRequest,
      world,
    )
    if (count % requestsASecond === 0) samples.push(look(elapsed()))
    await pause(start + (count * 1_000) / requestsASecond - performance.now())
  }

  const early = median(
    samples.filter(({ minute }) => minute >= minutes / 6 && minute < minutes / 5),
  )
  const late = median(samples.filter(({ minute }) => minute >= minutes - minutes / 30))
  const byMinute = samples.filter(
    ({ minute }, place) => Math.floor(minute) !== Math.floor(samples[place - 1]?.minute ?? -1),
  )
  console.log(
    `Memory by minute, MB: ${byMinute.map(({ memoryMb }) => memoryMb.toFixed(0)).join(' ')}`,
  )
  console.log(
    `${minutes} minutes, ${[...statuses.values()].reduce((sum, count) => sum + count, 0)} requests. ` +
      `Memory ${early.memoryMb.toFixed(0)} MB after a sixth, ${late.memoryMb.toFixed(0)} MB at the end. ` +
      `Open files ${early.openFiles}, ${late.openFiles}. Statuses ${JSON.stringify(Object.fromEntries(statuses))}.`,
  )
  expect(server.isAlive(), server.errors()).toBe(true)
  expect(serverErrors).toEqual([])
  expect(late.memoryMb).toBeLessThan(early.memoryMb * 1.1)
  expect(late.openFiles).toBe(early.openFiles)
})

/** Resets a world and sets rate limits that the traffic does not reach. */
async function startOver(world: string): Promise<void> {
  await send({ method: 'POST', url: '/_sandbox/reset', headers: {}, body: null }, world)
  const limits = { type: 'limits.set', minute: 1_000_000_000, day: 1_000_000_000 }
  await send(post('/_sandbox/actions', limits), world)
}

/**
 * Returns the requests of a dashboard and a chat tool, and the control plane requests of testers.
 */
function clientRequests(): HostileRequest[] {
  const account = twin.accounts[0]?.id
  const chat = twin.db.chats.all().find(({ accountId }) => accountId === account)
  const get = (url: string) => ({ method: 'GET', url, headers: {}, body: null })
  const v1 = `/v1/${account}`
  return [
    get('/v1/accounts'),
    get(`${v1}/posts`),
    get(`${v1}/posts?limit=50&offset=50`),
    post(`${v1}/posts`, { text: 'A post of the soak' }),
    get(`${v1}/chats?limit=20`),
    get(`${v1}/chats/${chat?.fanId}/messages`),
    post(`${v1}/chats/${chat?.fanId}/messages`, { text: 'A message of the soak' }),
    get(`${v1}/subscribers?limit=50`),
    get(`/v1/fans/${chat?.fanId}/transactions`),
    get(`${v1}/notifications`),
    get(`${v1}/vault/media?limit=40`),
    get(`${v1}/tracking-links`),
    post('/_sandbox/actions', { type: 'tip' }),
    post('/_sandbox/clock', { advance: '1m' }),
    get('/_sandbox/requests?limit=50'),
    get('/_sandbox/state'),
    get('/health'),
  ]
}

function post(url: string, body: unknown): HostileRequest {
  return {
    method: 'POST',
    url,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }
}

/**
 * Sends a request to one of the worlds, which is named in the key, or in `?world=` for the control
 * plane.
 */
function send(request: HostileRequest, world: string): Promise<void> {
  const { method, body } = request
  const isControl = request.url.startsWith('/_sandbox')
  const join = request.url.includes('?') ? '&' : '?'
  const url = isControl ? `${request.url}${join}world=${world}` : request.url
  const headers = { 'x-api-key': `${twin.keys['owner']}~${world}`, ...request.headers }
  return new Promise((resolve) => {
    try {
      const outgoing = sendRequest(
        server.url,
        { method, path: url, headers, agent },
        (response) => {
          const status = response.statusCode ?? 0
          statuses.set(status, (statuses.get(status) ?? 0) + 1)
          if (status >= 500) serverErrors.push(`${status} ${method} ${url.slice(0, 200)}`)
          response.resume()
          response.on('close', resolve)
        },
      )
      outgoing.on('error', () => resolve())
      outgoing.end(body ?? undefined)
    } catch {
      // Node.js refuses to send these headers and URLs.
      resolve()
    }
  })
}

function look(minute: number): Sample {
  return {
    minute,
    memoryMb: server.memoryMb(),
    openFiles: readdirSync(`/proc/${server.pid}/fd`).length,
  }
}

function median(samples: readonly Sample[]): Sample {
  const middle = (values: readonly number[]) =>
    values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
  return {
    minute: 0,
    memoryMb: middle(samples.map(({ memoryMb }) => memoryMb)),
    openFiles: middle(samples.map(({ openFiles }) => openFiles)),
  }
}
