import { Agent, request as sendRequest } from 'node:http'
import { connect } from 'node:net'
import { createSandbox } from 'creator-api-sandbox'
import fc from 'fast-check'
import { runAttacks } from './attacks.ts'
import { sendLargeBodies } from './large-bodies.ts'
import { measureSlowness } from './machine.ts'
import { generateApiRequests, generateControlRequests, planted } from './requests.ts'
import type { HostileRequest } from './requests.ts'
import { startServer } from './server.ts'

// Starts a server and sends generated requests to it. Runs for ten minutes, for one minute with
// --quick, or until the number of requests in --requests. With the same --seed, the requests are
// the same. Fails on an unexpected 5xx, if memory grows, if the server exits, or if a response
// repeatedly takes too long while no scenario is being loaded. Then runs attacks that once broke a
// server (attacks.ts).
const isQuick = process.argv.includes('--quick')
const firstSeed = numberAfter('--seed') ?? 1
const maxRequests = numberAfter('--requests')
const runMs = isQuick ? 60_000 : 600_000
/**
 * Maximum response time, ms. A slower or busy machine has proportionally higher bounds. GET
 * /_sandbox/scenario writes the whole world, which is 15 MB of YAML, in slices.
 */
const maxMs = { requests: 250, control: 600 } as const
const atOnce = 4
const batchSize = 400
/** Maximum memory growth after the first fifth of the run, MB. */
const maxGrowthMb = 200

interface Outcome {
  status: number
  ms: number
  text: string
}

const figures = {
  requests: 0,
  control: 0,
  raw: 0,
  serverErrors: 0,
  refused: 0,
  maxMs: 0,
  maxControlMs: 0,
  maxStallMs: 0,
  maxLoadStallMs: 0,
  highestMb: 0,
}
/** Numbers of requests that started and that finished to load a scenario. */
const loads = { underWay: 0, ended: 0 }
const failures: string[] = []
let slowest = { ms: 0, what: 'none' }
const fail = (what: string) => {
  if (failures.length < 50) failures.push(what)
}

const scenario = 'agency'
const twin = createSandbox({ scenario })
await twin.ready
const server = await startServer(['--scenario', scenario, '--journal-size', '200'])
const agent = new Agent({ keepAlive: true, maxSockets: atOnce })
const api = generateApiRequests(twin)
const control = generateControlRequests()
const start = performance.now()
const watch = watchHealth()
let warmMb = 0
for (let batch = 0; runShare() < 1 && server.isAlive(); batch += 1) {
  await prepare()
  await sendAll(fc.sample(api, { seed: firstSeed + batch, numRuns: batchSize }), 'requests')
  await sendAll(fc.sample(control, { seed: firstSeed + batch, numRuns: batchSize / 8 }), 'control')
  await sendRaw(batch)
  await lookForSecrets()
  if (warmMb === 0 && runShare() > 0.2) warmMb = server.memoryMb()
}
await prepare()
clearInterval(watch)
const endMb = server.memoryMb()
if (!server.isAlive()) fail(`The server ended: ${server.errors()}`)
if ((await send({ method: 'GET', url: '/health', headers: {}, body: null })).status !== 200)
  fail('/health does not answer any more.')
if (endMb > warmMb + maxGrowthMb)
  fail(`Memory grew from ${Math.round(warmMb)} to ${Math.round(endMb)} MB.`)
agent.destroy()
await server.stop()
const attacks = await runAttacks()
failures.push(...attacks.failures)
const healthP99Ms = await sendLargeBodies(failures)

console.log(
  [
    ['requests to the API', figures.requests],
    ['requests to the control plane', figures.control],
    ['half-sent, slow and malformed requests', figures.raw],
    ['unexpected 5xx', figures.serverErrors],
    ['rejected for the memory limit', figures.refused],
    ['longest answer of the API, ms', Math.round(figures.maxMs)],
    ['longest answer of the control plane, ms', Math.round(figures.maxControlMs)],
    [
      `longest load of a scenario, ms: ${slowest.what.replace(/\s+/g, ' ')}`,
      Math.round(slowest.ms),
    ],
    ['longest stall of /health, ms', Math.round(figures.maxStallMs)],
    ['the same while a scenario is loaded, ms', Math.round(figures.maxLoadStallMs)],
    ['highest memory, MB', Math.round(figures.highestMb)],
    ['memory at the end, MB', Math.round(endMb)],
    ['highest memory of the attacks, MB', Math.round(attacks.highestMb)],
    ['longest stall by a part of 64 MiB, ms', Math.round(attacks.maxStallMs)],
    ['p99 of /health after large bodies, ms', Math.round(healthP99Ms)],
    // Also kills servers with --state in a separate run, and reports lost writes.
  ]
    .map(([what, figure]) => `${String(figure).padStart(10)}  ${what}`)
    .join('\n'),
)
for (const failure of failures) console.log(`FAILED  ${failure}`)
// Only the server's log contains the cause of a 500.
if (failures.length > 0) console.log(server.errors())
process.exitCode = failures.length === 0 ? 0 : 1

/** Checks that neither the journal nor the log contains secrets from requests. */
async function lookForSecrets(): Promise<void> {
  const { text } = await send({
    method: 'GET',
    url: '/_sandbox/requests?limit=200',
    headers: {},
    body: null,
  })
  const place = text.indexOf(planted)
  if (place !== -1)
    fail(`The journal keeps a secret: ${text.slice(Math.max(0, place - 500), place)}`)
  if (server.errors().includes(planted)) fail('The log has a secret.')
}

/** Returns the completed fraction of the run, from 0 to 1. */
function runShare(): number {
  return maxRequests === undefined
    ? (performance.now() - start) / runMs
    : (figures.requests + figures.control + figures.raw) / maxRequests
}

function numberAfter(flag: string): number | undefined {
  const place = process.argv.indexOf(flag)
  if (place === -1) return undefined
  const number = Number(process.argv[place + 1])
  if (!Number.isSafeInteger(number) || number < 0)
    throw new Error(
      `Failed to read ${flag} ${process.argv[place + 1] ?? ''}: it must be a whole number.`,
    )
  return number
}

/**
 * Resets the server to the seeded scenario, removes all worlds and faults, and sets very high rate
 * limits.
 */
async function prepare(): Promise<void> {
  const ask = (method: string, url: string, body: unknown = null) =>
    send({
      method,
      url,
      headers: body === null ? {} : { 'content-type': 'application/json' },
      body: body === null ? null : JSON.stringify(body),
    })
  const { text } = await ask('GET', '/_sandbox/worlds')
  for (const { id } of JSON.parse(text || '[]') as { id: string }[])
    await ask('DELETE', `/_sandbox/worlds/${id}`)
  const state = JSON.parse((await ask('GET', '/_sandbox/state')).text || '{}') as {
    scenario?: string
    seed?: number
  }
  if (state.scenario !== scenario || state.seed !== 1)
    await ask('PUT', '/_sandbox/scenario', { name: scenario })
  await ask('POST', '/_sandbox/reset')
  await ask('POST', '/_sandbox/actions', {
    type: 'limits.set',
    minute: 1_000_000_000,
    day: 1_000_000_000,
  })
}

async function sendAll(
  requests: readonly HostileRequest[],
  kind: 'requests' | 'control',
): Promise<void> {
  const rest = [...requests]
  const slow: { request: HostileRequest; ms: number }[] = []
  const work = async () => {
    for (
      let request = rest.pop();
      request !== undefined && server.isAlive();
      request = rest.pop()
    ) {
      const ms = await checkResponse(request, kind)
      if (ms > maxMs[kind]) slow.push({ request, ms })
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  for (const each of slow) await recheckAlone(each, kind)
  figures.highestMb = Math.max(figures.highestMb, server.memoryMb())
}

/**
 * Sends a request and checks its response. Returns the response time, ms, or 0 while a scenario is
 * being loaded.
 */
async function checkResponse(
  request: HostileRequest,
  kind: 'requests' | 'control',
): Promise<number> {
  figures[kind] += 1
  const { status, text, ms } = await send(request)
  const isOverMemoryLimit = /memory limit of \d+ MB/.test(text)
  if (isOverMemoryLimit) figures.refused += 1
  if (status >= 500 && !isOverMemoryLimit) {
    figures.serverErrors += 1
    fail(`${status} ${describe(request)}: ${text.slice(0, 300)}`)
  }
  if (status >= 400 && text.length > 6_000)
    fail(`An error of ${text.length} characters: ${describe(request)}`)
  if (isLoad(request)) {
    if (ms > slowest.ms) slowest = { ms, what: describe(request) }
    return 0
  }
  if (ms <= maxMs[kind]) keepTime(kind, ms)
  return ms
}

/**
 * Repeats a slow request while no other requests run. Fails only if the request is slow each time,
 * because the machine may be busy. Each time has its own bound, because other processes start and
 * end in between.
 */
async function recheckAlone(
  { request, ms: first }: { request: HostileRequest; ms: number },
  kind: 'requests' | 'control',
): Promise<void> {
  let least = first
  for (let again = 0; again < 5; again += 1) {
    const { ms } = await send(request)
    least = Math.min(least, ms / measureSlowness())
    if (least <= maxMs[kind]) break
  }
  keepTime(kind, least)
  if (least > maxMs[kind]) fail(`${Math.round(least)} ms ${describe(request)}`)
}

function keepTime(kind: 'requests' | 'control', ms: number): void {
  const figure = kind === 'control' ? 'maxControlMs' : 'maxMs'
  figures[figure] = Math.max(figures[figure], ms)
}

function describe({ method, url, body }: HostileRequest): string {
  return `${method} ${url.slice(0, 200)} ${(body ?? '').slice(0, 120)}`
}

/** True if a request loads a scenario, which may block the server while it seeds data. */
function isLoad({ method, url }: HostileRequest): boolean {
  return method === 'PUT' && url.startsWith('/_sandbox/scenario')
}

/** Starts measuring the server's response time, ms. On a busy machine, only its CPU time counts. */
function startWatch(): () => number {
  const begin = performance.now()
  const worked = server.workedMs()
  return () =>
    Math.min(
      performance.now() - begin,
      worked === undefined ? Infinity : (server.workedMs() ?? Infinity) - worked,
    )
}

async function send(request: HostileRequest): Promise<Outcome> {
  if (!isLoad(request)) return sendOne(request)
  loads.underWay += 1
  const outcome = await sendOne(request)
  loads.underWay -= 1
  loads.ended += 1
  return outcome
}

function sendOne({ method, url, headers, body }: HostileRequest): Promise<Outcome> {
  const elapsed = startWatch()
  return new Promise((resolve) => {
    const done = (status: number, text: string) => resolve({ status, ms: elapsed(), text })
    try {
      const outgoing = sendRequest(
        server.url,
        { method, headers, agent, path: url },
        (response) => {
          let text = ''
          response.setEncoding('utf8')
          response.on('data', (chunk: string) => {
            if (text.length < 5_000_000) text += chunk
          })
          response.on('end', () => done(response.statusCode ?? 0, text))
          response.on('error', () => done(0, ''))
        },
      )
      outgoing.on('error', () => done(0, ''))
      if (body !== null) outgoing.write(body)
      outgoing.end()
    } catch {
      // Node.js refuses to send these headers and URLs.
      done(0, '')
    }
  })
}

/**
 * Sends requests that no HTTP client would send: truncated, slow or malformed. The server must keep
 * running although these requests are never completed.
 */
async function sendRaw(batch: number): Promise<void> {
  const { hostname, port } = new URL(server.url)
  const texts = [
    'GET /health HTTP/1.1\r\nHost: localhost\r\n',
    'POST /v1/1/posts HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n{"text":',
    'PUT /upload/main/x/1 HTTP/1.1\r\nHost: localhost\r\nContent-Length: 60000000\r\n\r\nabc',
    'POST /v1/fans HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nffffffff\r\nabc',
    `GET /${'a'.repeat(20_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`,
    `GET /health HTTP/1.1\r\nHost: localhost\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`,
    '\u0000\u0001\u0002\r\n\r\n',
    'GET http://[::1/health HTTP/1.1\r\nHost: localhost\r\n\r\n',
    'PUT /_sandbox/snapshot HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 200000000\r\n\r\n[',
    'GET /_sandbox/events HTTP/1.1\r\nHost: localhost\r\n\r\n',
  ]
  await Promise.all(
    texts.map(
      (text, index) =>
        new Promise<void>((resolve) => {
          figures.raw += 1
          const socket = connect(Number(port), hostname, () => {
            socket.write(text)
            // Keeps some connections open for a while, so that they accumulate.
            setTimeout(() => socket.destroy(), (batch + index) % 5 === 0 ? 5_000 : 50).unref()
            setTimeout(resolve, 60)
          })
          socket.on('error', () => resolve())
          socket.resume()
          socket.unref()
        }),
    ),
  )
}

/**
 * Requests /health ten times a second. The response time shows how long the server was blocked,
 * which is allowed while a scenario is being loaded.
 */
function watchHealth(): NodeJS.Timeout {
  let isAsking = false
  return setInterval(() => {
    if (isAsking) return
    isAsking = true
    const elapsed = startWatch()
    const { ended } = loads
    sendRequest(`${server.url}/health`, { agent: false }, (response) => {
      response.resume()
      response.on('end', () => {
        const isLoading = loads.underWay > 0 || loads.ended > ended
        const figure = isLoading ? 'maxLoadStallMs' : 'maxStallMs'
        figures[figure] = Math.max(figures[figure], elapsed())
        isAsking = false
      })
    })
      .on('error', () => {
        isAsking = false
      })
      .end()
  }, 100)
}
