import { request } from 'node:http'
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { sendRaw } from '../support/server.ts'
import { measureSlowness } from './machine.ts'
import { startServer } from './server.ts'
import type { HostileServer } from './server.ts'

/** Results of the attacks. */
export interface AttackReport {
  failures: string[]
  highestMb: number
  maxStallMs: number
}

/**
 * Maximum CPU time of the server during a request to `/health` while part of an upload arrives, ms.
 * A slower or busy machine has a proportionally higher bound.
 */
const maxStallMs = 250
const limitMb = 512
const json = { 'content-type': 'application/json' }

/**
 * Repeats attacks that once succeeded. The process memory must not exceed 1.25 times
 * `--max-memory`.
 */
export async function runAttacks(): Promise<AttackReport> {
  const report: AttackReport = { failures: [], highestMb: 0, maxStallMs: 0 }
  const server = await startServer(['--scenario', 'agency', '--max-memory', String(limitMb)])
  const memory = setInterval(() => {
    report.highestMb = Math.max(report.highestMb, server.memoryMb())
  }, 20)
  const state = (await (await fetch(`${server.url}/_sandbox/state`)).json()) as State
  const target = { server, ...readState(state), report }
  for (const attack of attacks) await attack(target)
  clearInterval(memory)
  if (report.highestMb > limitMb * 1.25)
    report.failures.push(`${Math.round(report.highestMb)} MB beside --max-memory ${limitMb}.`)
  if (!server.isAlive()) report.failures.push(`The attacks ended the server: ${server.errors()}`)
  await server.stop()
  await exhaustConnections(report)
  return report
}

interface State {
  keys: { key: string; role: string }[]
  accounts: { id: number; connected: boolean }[]
}

interface Target {
  server: HostileServer
  key: string
  account: number
  report: AttackReport
}

function readState({ keys, accounts }: State): Pick<Target, 'key' | 'account'> {
  return {
    key: keys.find(({ role }) => role === 'owner')?.key ?? '',
    account: accounts.find(({ connected }) => connected)?.id ?? 0,
  }
}

const attacks: readonly ((target: Target) => Promise<void>)[] = [
  uploadParts,
  leaveAnswersUnread,
  readControlPlane,
  addFaults,
  loadLargeTemplates,
]

/** Uploads parts of the maximum size, and measures how much other requests are delayed. */
async function uploadParts({ server, key, account, report }: Target): Promise<void> {
  const created = await fetch(`${server.url}/v1/${account}/upload/signed/create`, {
    method: 'POST',
    headers: { ...json, 'x-api-key': key },
    body: JSON.stringify({
      key: 'upload/0b2d8b1e-5d2c-4f8e-9a55-2f6c1c0e7a11/000000000001/photo.jpg',
      parts: 3,
      contentType: 'image/jpeg',
    }),
  })
  const { data } = (await created.json()) as { data: { keys: string[] } }
  const bytes = Buffer.alloc(64 * 1024 * 1024, 0xa7)
  for (const address of data.keys) {
    const progress = { isDone: false }
    const put = send(address, 'PUT', bytes).then((status) => {
      progress.isDone = true
      if (status !== 200) report.failures.push(`A part of 64 MiB got ${status}.`)
    })
    while (!progress.isDone) {
      // Measures the server's CPU time, because this process is busy sending the bytes.
      const before = server.workedMs() ?? 0
      await send(`${server.url}/health`, 'GET')
      report.maxStallMs = Math.max(report.maxStallMs, (server.workedMs() ?? 0) - before)
    }
    await put
  }
  if (report.maxStallMs > maxStallMs * measureSlowness())
    report.failures.push(`A part of 64 MiB stalled /health for ${report.maxStallMs} ms.`)
}

/** Requests the whole world over sixty connections without reading the responses. */
async function leaveAnswersUnread({ server, report }: Target): Promise<void> {
  const sockets = await openAll(server.url, 60)
  for (const socket of sockets)
    await new Promise<void>((resolve) => {
      if (socket.closed) {
        resolve()
        return
      }
      socket.once('data', () => {
        socket.pause()
        resolve()
      })
      socket.once('close', () => resolve())
      socket.write('GET /_sandbox/snapshot HTTP/1.1\r\nHost: localhost\r\n\r\n')
    })
  for (const socket of sockets) socket.destroy()
  const status = await retryUntilAccepted(() => fetch(`${server.url}/_sandbox/snapshot`))
  if (status !== 200) report.failures.push(`After unread answers a snapshot got ${status}.`)
}

/** Reads the longest responses of the control plane again and again, four at a time. */
async function readControlPlane({ server, report }: Target): Promise<void> {
  const paths = [
    'snapshot',
    'scenario',
    'requests?limit=1000',
    'data/messages?limit=10000',
    'data/posts?contains=e&limit=10000',
    'audit',
    'state',
  ]
  const read = async () => {
    for (let turn = 0; turn < 10; turn += 1)
      for (const path of paths) {
        const answer = await fetch(`${server.url}/_sandbox/${path}`)
        await answer.arrayBuffer()
        if (answer.status >= 500)
          report.failures.push(`GET /_sandbox/${path} got ${answer.status}.`)
      }
  }
  await Promise.all([read(), read(), read(), read()])
}

/** Adds faults of nearly the maximum size until the server rejects one. */
async function addFaults({ server, report }: Target): Promise<void> {
  const body = JSON.stringify({ route: 'GET /v1/tags', status: 500, body: 'x'.repeat(99_000) })
  let status = 200
  for (let count = 0; status === 200 && count < 200; count += 1)
    ({ status } = await fetch(`${server.url}/_sandbox/faults`, {
      method: 'POST',
      headers: json,
      body,
    }))
  if (status !== 400) report.failures.push(`200 faults of 99 KB ended with ${status}.`)
  await fetch(`${server.url}/_sandbox/faults`, { method: 'DELETE' })
}

/** Loads scenarios whose templates or counts would fill the memory. */
async function loadLargeTemplates({ server, report }: Target): Promise<void> {
  for (const fan of ['name: "{{string.alpha(30000000)}}"', 'count: 1e9', 'count: 1e6, name: x']) {
    const yaml = `extends: solo\nname: large\nrecords: { fans: [{ ${fan} }, { count: 2 }] }`
    const { status } = await fetch(`${server.url}/_sandbox/scenario`, {
      method: 'PUT',
      headers: json,
      body: JSON.stringify({ yaml }),
    })
    if (status !== 400) report.failures.push(`A scenario with ${fan} got ${status}.`)
  }
}

/**
 * Fills a small server's memory limit with connections. A request on an additional connection must
 * be rejected without being executed.
 */
async function exhaustConnections({ failures }: AttackReport): Promise<void> {
  const server = await startServer(['--scenario', 'solo', '--max-memory', '16'])
  const state = (await (await fetch(`${server.url}/_sandbox/state`)).json()) as State
  const { key, account } = readState(state)
  const ask = (path: string) =>
    fetch(server.url + path, { headers: { 'x-api-key': key, connection: 'close' } })
  const { data } = (await (await ask(`/v1/${account}/posts?limit=1`)).json()) as {
    data: { list: { id: number }[] }
  }
  const post = `/v1/${account}/posts/${data.list[0]?.id}`
  const sockets = await openAll(server.url, 400)
  const refused = await sendRaw(
    server.url,
    `DELETE ${post} HTTP/1.1\r\nHost: localhost\r\nX-API-Key: ${key}\r\nConnection: close\r\n\r\n`,
  )
  for (const socket of sockets) socket.destroy()
  if (!refused.startsWith('HTTP/1.1 503 '))
    failures.push(`A connection too many got ${refused.slice(0, 30)}`)
  if ((await retryUntilAccepted(() => ask(`${post}/stats`))) !== 200)
    failures.push('A request that was refused with 503 was carried out.')
  await server.stop()
}

/**
 * Repeats a request until it succeeds, at most 21 times, because the server closes many connections
 * one by one.
 */
async function retryUntilAccepted(ask: () => Promise<Response>): Promise<number | undefined> {
  let answer = await ask().catch(() => undefined)
  for (let again = 0; answer?.status !== 200 && again < 20; again += 1)
    answer = await ask().catch(() => undefined)
  return answer?.status
}

function openAll(url: string, count: number): Promise<Socket[]> {
  const { hostname, port } = new URL(url)
  return Promise.all(
    Array.from(
      { length: count },
      () =>
        new Promise<Socket>((resolve) => {
          const socket = connect(Number(port), hostname, () => resolve(socket))
          socket.on('error', () => {})
        }),
    ),
  )
}

function send(url: string, method: string, body?: Buffer): Promise<number> {
  return new Promise((resolve) => {
    const outgoing = request(url, { method }, (response) => {
      response.resume()
      response.on('end', () => resolve(response.statusCode ?? 0))
    })
    outgoing.on('error', () => resolve(0))
    outgoing.end(body)
  })
}
