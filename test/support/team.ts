import type { ChildProcess } from 'node:child_process'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { onTestFinished, vi } from 'vitest'
import { createSandbox } from '../../src/index.ts'
import { findFreePort } from './balancer.ts'
import { startBalancer } from './haproxy.ts'
import { startProcess } from './process.ts'
import { startRedis } from './redis.ts'
import { checkWrites, createWriteReport } from './check-writes.ts'
import type { Incident, Write } from './check-writes.ts'

/** Maximum age of an acknowledged write that may be lost when a server is killed, ms. */
const lossMs = 500
/** Maximum age of a lost write if Redis is stopped, ms. Redis saves its file once a second. */
const redisLossMs = 1_500
/**
 * Interval between a client's writes per world, ms. The clients together send up to 500 writes per
 * second.
 */
const pauseOfWorldMs = 2
/** Maximum time from sending a response to its arrival at the client on a busy machine, ms. */
const arrivalMs = 1_000
/** Maximum response time, ms. */
const answerMs = 30_000
/** Maximum time until all worlds respond again, ms. */
const settleMs = 120_000
/** Each replica can hold all worlds, because two of three may be away at the same time. */
const capacity = ['--max-worlds', '2000', '--max-memory', '3000', '--journal-size', '100']
const withoutTokens = fileURLToPath(new URL('./disable-token-check.ts', import.meta.url))

/**
 * Starts three replicas behind HAProxy that share a Redis server, and clients that write to many
 * worlds. With `hasTokens: false`, lease tokens are not checked.
 */
export async function startReplicaTeam({
  worlds: count,
  hasTokens = true,
}: {
  worlds: number
  hasTokens?: boolean
}) {
  const redis = await startRedis('--appendfsync', 'everysec')
  const port = await findFreePort()
  const url = `http://127.0.0.1:${port}`
  const ports = await Promise.all([0, 1, 2].map(findFreePort))
  const at = (place: number) => `http://127.0.0.1:${ports[place]}`
  const children: ChildProcess[] = []
  const open = async (place: number) => {
    const flags = ['--port', String(ports[place]), '--base-url', url, '--state', redis.url]
    const data = ['--scenario', 'solo', '--seed', '3', '--clock', 'frozen', '--quiet']
    const child = startProcess(
      [...flags, ...data, ...capacity],
      hasTokens ? {} : { preload: withoutTokens },
    )
    children[place] = child
    onTestFinished(() => void child.kill('SIGKILL'))
    child.stderr?.on('data', (chunk: Buffer) => log(`replica ${place}: ${chunk.toString()}`))
    await vi.waitFor(
      async () => {
        if (!(await fetch(`${at(place)}/health?ready`)).ok) throw new Error('not ready')
      },
      { timeout: settleMs, interval: 100 },
    )
  }
  await Promise.all([0, 1, 2].map(open))
  const balancer = await startBalancer(ports, port)

  const incidents: Incident[] = []
  const worlds = Array.from({ length: count }, (_, number) => `w${number}`)
  const written = new Map<string, Write[]>(worlds.map((world) => [world, []]))
  /** The last error of each world after its last acknowledged write. */
  const errors = new Map<string, string>()
  const over = new AbortController()
  let requests = new AbortController()
  using sandbox = createSandbox({ scenario: 'solo', seed: 3 })
  const key = sandbox.keys.owner
  const ask = async (path: string, init: { method?: string; body?: string; headers?: object }) => {
    const headers = { 'content-type': 'application/json', ...init.headers }
    const signal = AbortSignal.any([requests.signal, AbortSignal.timeout(answerMs)])
    const answer = await fetch(`${url}${path}`, { ...init, headers, signal })
    return { isOk: answer.ok, status: answer.status, text: await answer.text() }
  }
  const limits = JSON.stringify({ type: 'limits.set', minute: 1e6, day: 1e6 })
  const raiseLimits = (world: string) =>
    vi.waitFor(
      async () => {
        const { isOk, text } = await ask(`/_sandbox/actions?world=${world}`, {
          method: 'POST',
          body: limits,
        })
        if (!isOk) throw new Error(text)
      },
      { timeout: settleMs, interval: 200 },
    )
  const writeTo = async (world: string) => {
    const writes = written.get(world) ?? []
    const headers = { authorization: `Bearer ${key}~${world}` }
    for (let number = 0; !over.signal.aborted; number += 1) {
      const write: Write = { name: `${world}-${number}`, ackedAt: undefined }
      writes.push(write)
      const body = JSON.stringify({ name: write.name })
      try {
        const { isOk, status, text } = await ask('/v1/tags', { method: 'POST', body, headers })
        if (isOk) {
          write.ackedAt = performance.now()
          errors.delete(world)
        } else errors.set(world, `${status} ${text}`)
      } catch (error) {
        errors.set(world, String(error))
      }
      await wait(count * pauseOfWorldMs)
    }
  }
  for (let first = 0; first < count; first += 50)
    await Promise.all(worlds.slice(first, first + 50).map(raiseLimits))
  const clients = worlds.map(writeTo)

  const settle = async () => {
    const since = performance.now()
    const counts = new Map([...written].map(([world, writes]) => [world, writes.length]))
    await vi.waitFor(
      () => {
        for (const [world, writes] of written)
          if (!writes.slice(counts.get(world)).some(({ ackedAt = 0 }) => ackedAt > since))
            throw new Error(`the world ${world} acknowledged no write: ${errors.get(world)}`)
      },
      { timeout: settleMs, interval: 50 },
    )
  }
  /**
   * Causes an incident, waits, and ends it. Returns the longest time during which a world
   * acknowledged no write, ms.
   */
  const cause = async (
    maxLossMs: number,
    { begin, end }: { begin: () => Promise<void> | void; end: () => Promise<void> | void },
    lastsMs = 0,
  ) => {
    const from = performance.now()
    await begin()
    // Responses sent before the incident may still arrive.
    await wait(arrivalMs)
    const at = performance.now()
    incidents.push({ at, lossMs: maxLossMs + at - from })
    await wait(lastsMs)
    await end()
    await settle()
    const outages = [...written.values()].map((writes) => findLongestGap(writes, from))
    return Math.round(Math.max(...outages))
  }
  const end = async (place: number, signal: NodeJS.Signals) => {
    const child = children[place]
    const ended = new Promise((resolve) => child?.once('close', resolve))
    child?.kill(signal)
    await ended
  }
  const reopen = async (place: number) => {
    await open(place)
    await settle()
  }
  return {
    url,
    at,
    /** Resolves when each world has acknowledged a write sent after this call. */
    settle,
    /** Kills a replica and restarts it after all worlds respond. Returns the longest outage, ms. */
    async kill(place: number) {
      const outage = await cause(lossMs, { begin: () => end(place, 'SIGKILL'), end: () => {} })
      await reopen(place)
      return outage
    },
    async restart(place: number) {
      const outage = await cause(0, { begin: () => end(place, 'SIGTERM'), end: () => {} })
      await reopen(place)
      return outage
    },
    /** Pauses a replica. Returns the longest outage, ms. */
    async pause(place: number, ms: number) {
      const down = `replica-${place + 1} is DOWN`
      const countDowns = () => balancer.log().split(down).length
      const before = countDowns()
      const begin = () => void children[place]?.kill('SIGSTOP')
      const end = () => void children[place]?.kill('SIGCONT')
      const paused = cause(lossMs, { begin, end }, ms)
      // Waits until clients give up on the requests that the paused replica received, and send
      // their next requests to other replicas.
      await vi
        .waitUntil(() => countDowns() > before, { timeout: ms, interval: 100 })
        .catch(() => {})
      requests.abort()
      requests = new AbortController()
      return paused
    },
    /** Stops Redis temporarily. */
    stopRedis: (ms: number, data: 'kept' | 'lost') =>
      cause(redisLossMs, { begin: redis.kill, end: () => redis.start(data) }, ms),
    /** Stops the clients and compares their writes with the contents of the worlds. */
    async finish() {
      await settle()
      over.abort()
      await Promise.all(clients)
      const report = createWriteReport()
      for (const world of worlds) {
        const { text } = await ask(`/_sandbox/snapshot?form=changes&world=${world}`, {})
        const { changes } = JSON.parse(text) as { changes: { tags: { rows: { name: string }[] } } }
        const kept = changes.tags.rows.map(({ name }) => name)
        checkWrites(report, { world, writes: written.get(world) ?? [], kept }, incidents)
      }
      return report
    },
  }
}

/** Returns the longest interval between acknowledged writes after `from`, ms. */
function findLongestGap(writes: readonly Write[], from: number): number {
  const times = writes.flatMap(({ ackedAt = 0 }) => (ackedAt > from ? [ackedAt] : []))
  return Math.max(...times.map((time, index) => time - (times[index - 1] ?? from)))
}

function log(text: string): void {
  if (process.env['TEAM_LOG'] === '1') process.stderr.write(text)
}
