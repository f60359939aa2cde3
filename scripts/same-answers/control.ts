import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createApp } from 'creator-api-sandbox/express'
import { runAllActions } from './actions.ts'
import { listRows, listTables } from './data.ts'
import { readResponse } from './exchange.ts'
import type { Exchange, Observation } from './exchange.ts'
import type { Operation } from './operations.ts'
import type { Subject } from './subject.ts'
import { runAllReads } from './writes.ts'

/** Sends requests to the read routes of the control plane, before and after changes. */
export async function* observeControl(
  { sandbox, account }: Subject,
  operations: readonly Operation[],
): AsyncGenerator<Observation> {
  using fork = sandbox.fork()
  const server = createServer(createApp(fork))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const ask: SendControlRequest = (method, path, body) =>
    sendToServer(`http://127.0.0.1:${port}`, { method, path, body })
  try {
    // The documents are read only once, because they take long to generate and always describe the
    // seeded state.
    const list = await ask('GET', '/_sandbox/openapi.json')
    yield { name: 'control: /_sandbox/openapi.json', exchanges: [list] }
    yield { name: 'control: /openapi.json', exchanges: [await ask('GET', '/openapi.json')] }
    const paths = readPaths(list)
    yield* observeReads('fresh', paths, ask)
    yield* observeRecords(fork, ask)
    yield { name: 'control writes', exchanges: await sendInTurn(ask, writes) }
    const asked = await runAllReads(fork, operations.slice(0, 40), account)
    yield { name: 'control: asked', exchanges: [...asked, ...runAllActions(fork, account)] }
    yield* observeReads('used', paths, ask)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

type SendControlRequest = (method: string, path: string, body?: unknown) => Promise<Exchange>
type Request = [method: string, path: string, body?: unknown]

/** Returns the paths of read routes, taken from the control plane's route list. */
function readPaths({ body }: Exchange): string[] {
  const { paths } = JSON.parse(body) as { paths: Record<string, { get?: unknown }> }
  const plain = Object.entries(paths).flatMap(([path, { get }]) =>
    get === undefined || path.includes('{') || endless.includes(path) ? [] : [path],
  )
  return [...plain, ...queries]
}

/** Calls each route in its own fork. */
async function* observeReads(
  when: string,
  paths: readonly string[],
  ask: SendControlRequest,
): AsyncGenerator<Observation> {
  for (const path of paths) {
    // GET requests do not create worlds.
    if (path.endsWith(`world=${world}`)) await ask('POST', '/_sandbox/worlds', { name: world })
    yield { name: `control ${when}: ${path}`, exchanges: [await ask('GET', path)] }
  }
}

const world = 'worker-3'

/** The event stream never ends. */
const endless = ['/_sandbox/events']

const queries = [
  '/_sandbox/happenings?after=2',
  '/_sandbox/requests?brief=true&limit=3',
  '/_sandbox/requests?format=har&limit=3',
  '/_sandbox/requests?status_class=4&contains=a',
  '/_sandbox/audit?format=markdown',
  '/_sandbox/audit?format=text&of=story',
  '/_sandbox/cost?since=5',
  '/_sandbox/series?span=30d&buckets=9',
  '/_sandbox/scenario?name=present',
  '/_sandbox/data/posts?limit=abc',
  '/_sandbox/data/nothing',
  '/_sandbox/nothing',
  // Reads records first, which waits until a new world has reached the current time. Until then,
  // the state says that the world is busy.
  `/_sandbox/data?world=${world}`,
  `/_sandbox/state?world=${world}`,
]

/**
 * Reads all rows of each table through the control plane, and the first row of each table with its
 * references.
 */
async function* observeRecords(
  sandbox: Subject['sandbox'],
  ask: SendControlRequest,
): AsyncGenerator<Observation> {
  for (const table of listTables(sandbox)) {
    const path = `/_sandbox/data/${table}`
    const requests: Request[] = [
      ['GET', `${path}?limit=5`],
      ['GET', `${path}?limit=3&sort=id:desc&pictures=true`],
      ['GET', `${path}?contains=an&offset=1&limit=3`],
      ['GET', `${path}/999999999999`],
      ...listRows(sandbox, table)
        .slice(0, 1)
        .map(({ id }): Request => ['GET', `${path}/${encodeURIComponent(id)}`]),
    ]
    yield { name: `control: ${path}`, exchanges: await sendInTurn(ask, requests) }
  }
}

const writes: readonly Request[] = [
  ['POST', '/_sandbox/changes'],
  ['POST', '/_sandbox/recording'],
  ['POST', '/_sandbox/data/fans', { name: 'Ida Holm', username: 'ida_holm_10' }],
  ['POST', '/_sandbox/data/fans', { username: 1 }],
  ['POST', '/_sandbox/clock', { advance: '2h' }],
  ['POST', '/_sandbox/faults', { status: 502, times: 1, route: 'GET /v1/accounts' }],
  ['POST', '/_sandbox/actions', { type: 'nothing' }],
  ['POST', '/_sandbox/checkpoint'],
  ['POST', '/_sandbox/check'],
  ['POST', '/_sandbox/replay', { command: 'step' }],
  ['POST', '/_sandbox/worlds', { name: 'worker-3' }],
  ['GET', '/_sandbox/worlds'],
  ['DELETE', '/_sandbox/worlds/worker-3'],
  ['DELETE', '/_sandbox/faults/99'],
]

async function sendInTurn(
  ask: SendControlRequest,
  requests: readonly Request[],
): Promise<Exchange[]> {
  const exchanges: Exchange[] = []
  for (const request of requests) exchanges.push(await ask(...request))
  return exchanges
}

async function sendToServer(
  address: string,
  { method, path, body }: { method: string; path: string; body?: unknown },
): Promise<Exchange> {
  const text = body === undefined ? undefined : JSON.stringify(body)
  // A new connection for each request: the server closes idle connections, and a busy machine may
  // send the next request at that moment.
  const headers: HeadersInit = { connection: 'close' }
  if (text !== undefined) headers['content-type'] = 'application/json'
  const response = await fetch(`${address}${path}`, { method, headers, body: text })
  const { headers: answered, ...exchange } = await readResponse(
    `${method} ${path}${text === undefined ? '' : ` ${text}`}`,
    response,
  )
  const kept = Object.entries(answered).filter(([name]) => !ofConnection.has(name))
  return { ...exchange, headers: Object.fromEntries(kept) }
}

/**
 * Headers that vary: headers of the connection, headers that contain the real time, and a length
 * that depends on masked values.
 */
const ofConnection = new Set([
  'connection',
  'content-length',
  'date',
  'keep-alive',
  'transfer-encoding',
])
