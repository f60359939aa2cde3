// Measures the values in docs/scale.md with the built package: the throughput of one and two
// replicas behind HAProxy, and the memory of worlds. The run takes one to two minutes. Command: npm
// run build && npx tsx bench/scale.ts [throughput|memory|folder]
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import autocannon from 'autocannon'
import { createBalancerConfig, findFreePort } from '../scripts/balancer.ts'
import { raiseRateLimits } from './http.ts'
import { summariseTimes } from './measure.ts'

const rounds = Number(process.env['BENCH_ROUNDS'] ?? 3)
const duration = Number(process.env['BENCH_SECONDS'] ?? 3)
const connections = 40
const worldCount = Number(process.env['BENCH_WORLDS'] ?? 500)
const megabyte = 1_048_576

const work = mkdtempSync(join(tmpdir(), 'scale-'))
const children: ChildProcess[] = []

try {
  const parts = { throughput: measureThroughput, memory: measureMemory, folder: measureFolder }
  for (const [name, measure] of Object.entries(parts))
    if (process.argv[2] === undefined || process.argv[2] === name) await measure()
} finally {
  for (const child of children) child.kill('SIGKILL')
  rmSync(work, { recursive: true, force: true })
}

/**
 * Requests pages of ten posts from 40 worlds, alternating between three setups: one and two
 * replicas behind HAProxy, and one replica without HAProxy.
 */
async function measureThroughput(): Promise<void> {
  const ports = await Promise.all([findFreePort(), findFreePort()])
  const urls = await Promise.all(ports.map((port) => startReplica(port)))
  const targets = {
    'one alone': urls[0] ?? '',
    'one behind HAProxy': await startBalancer(ports.slice(0, 1)),
    'two behind HAProxy': await startBalancer(ports),
  }
  await raiseRateLimits(urls[1] ?? '')
  const { headers, path } = await raiseRateLimits(urls[0] ?? '')
  const names = Array.from({ length: connections }, (_, number) => `bench-${number}`)
  for (const url of [...urls, ...Object.values(targets)])
    for (const name of names)
      await ask(`${url}/_sandbox/actions?world=${name}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ type: 'limits.set', minute: 1e9, day: 1e9 }),
      })
  const rates: Record<string, number[]> = {}
  for (let round = -1; round < rounds; round += 1)
    for (const [name, url] of Object.entries(targets)) {
      const requests = names.map((world) => ({
        path,
        headers: { authorization: `${headers['authorization']}~${world}` },
      }))
      const result = await autocannon({
        url,
        connections,
        duration: round < 0 ? 1 : duration,
        requests,
      })
      if (result.non2xx > 0 || result.errors > 0)
        throw new Error(`${name}: ${result.non2xx} refused, ${result.errors} failed`)
      if (round >= 0) (rates[name] ??= []).push(result.requests.average)
    }
  const of = (name: string) => rates[name] ?? []
  for (const name of Object.keys(targets))
    console.log(`${name}: ${Math.round(summariseTimes(of(name)).median)} pages/s`)
  const shares = of('two behind HAProxy').map(
    (rate, round) => rate / (of('one behind HAProxy')[round] ?? 1),
  )
  console.log(`two replicas / one: ${summariseTimes(shares).median.toFixed(2)} x\n`)
}

/** Measures the memory used by new worlds, and by worlds that have handled twenty requests each. */
async function measureMemory(): Promise<void> {
  const url = await startReplica(await findFreePort(), '--max-memory', '8000')
  const { headers, path } = await raiseRateLimits(url)
  const names = Array.from({ length: worldCount }, (_, number) => `bench-${number}`)
  const account = path.split('/')[2]
  const before = await readMemory(url)
  const each = async (act: (bearer: Record<string, string>) => Promise<unknown>) => {
    for (const name of names) await act({ authorization: `${headers['authorization']}~${name}` })
  }
  await each((bearer) => ask(`${url}/v1/tags`, { headers: bearer }))
  const made = await readMemory(url)
  await each(async (bearer) => {
    for (let count = 0; count < 15; count += 1) await ask(url + path, { headers: bearer })
    for (let count = 0; count < 5; count += 1)
      await ask(`${url}/v1/${account}/posts`, {
        method: 'POST',
        headers: { ...bearer, 'content-type': 'application/json' },
        body: JSON.stringify({ text: 'Hello' }),
      })
  })
  const used = await readMemory(url)
  for (const [what, now] of [
    ['made', made],
    ['after 20 requests', used],
  ] as const) {
    const [resident, counted] = [now.resident - before.resident, now.counted - before.counted].map(
      (bytes) => bytes / worldCount / megabyte,
    )
    console.log(
      `${what}: ${resident?.toFixed(2)} MB resident per world, ${counted?.toFixed(2)} MB counted; ${Math.floor(1024 / (resident ?? 1))} worlds per gigabyte`,
    )
  }
  console.log(`the process without worlds: ${Math.round(before.resident / megabyte)} MB\n`)
}

/** Measures how long it takes to save and load 150 worlds when only 50 fit into memory. */
async function measureFolder(): Promise<void> {
  const folder = join(work, 'worlds')
  const url = await startReplica(
    await findFreePort(),
    '--state',
    `${folder}/`,
    '--max-worlds',
    '50',
  )
  const { headers } = await raiseRateLimits(url)
  const times: { made: number[]; back: number[] } = { made: [], back: [] }
  for (const kind of ['made', 'back'] as const)
    for (let number = 0; number < 150; number += 1) {
      const start = performance.now()
      await ask(`${url}/v1/tags`, {
        headers: { authorization: `${headers['authorization']}~bench-${number}` },
      })
      times[kind].push(performance.now() - start)
    }
  const [made, back] = [summariseTimes(times.made), summariseTimes(times.back)]
  const sizes = readdirSync(folder)
    .filter((file) => file.startsWith('_'))
    .map((file) => statSync(join(folder, file)).size)
  console.log(
    `creating a world while another is stored: ${made.median.toFixed(1)} ms (p99 ${made.p99.toFixed(0)})`,
  )
  console.log(
    `loading a world from its file: ${back.median.toFixed(1)} ms (p99 ${back.p99.toFixed(0)}); ${(summariseTimes(sizes).median / megabyte).toFixed(1)} MB a file`,
  )
}

async function readMemory(url: string): Promise<{ resident: number; counted: number }> {
  const text = await (await fetch(`${url}/_sandbox/metrics`)).text()
  const read = (name: string) => Number(new RegExp(`^${name} (.*)$`, 'm').exec(text)?.[1])
  return {
    resident: read('process_resident_memory_bytes'),
    counted: read('sandbox_memory_used_bytes'),
  }
}

async function startReplica(port: number, ...flags: string[]): Promise<string> {
  const given = [
    '--port',
    String(port),
    '--now',
    '2026-09-25T00:00:00Z',
    '--max-worlds',
    '2000',
    '--metrics',
    '--quiet',
    ...flags,
  ]
  return startChild(
    process.execPath,
    [resolve(process.env['BENCH_DIST'] ?? 'dist', 'cli/bin.js'), ...given],
    port,
  )
}

async function startBalancer(replicas: readonly number[]): Promise<string> {
  const port = await findFreePort()
  const file = join(work, `${port}.cfg`)
  writeFileSync(file, createBalancerConfig(replicas, { port, socket: join(work, `${port}.sock`) }))
  return startChild('haproxy', ['-db', '-f', file], port)
}

/** Starts a process and waits until it answers `/health` on its port. */
async function startChild(command: string, args: readonly string[], port: number): Promise<string> {
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'ignore'] })
  children.push(child)
  const url = `http://127.0.0.1:${port}`
  for (
    const end = performance.now() + 60_000;
    performance.now() < end && child.exitCode === null;
  ) {
    const status = await fetch(`${url}/health`).then(
      (answer) => answer.status,
      () => 0,
    )
    if (status === 200) return url
    await wait(50)
  }
  throw new Error(`Failed to start ${command} ${args.join(' ')}: it does not answer.`)
}

async function ask(url: string, init?: RequestInit): Promise<void> {
  const answer = await fetch(url, init)
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${text.slice(0, 300)}`)
}
