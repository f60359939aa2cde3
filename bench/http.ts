import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import autocannon from 'autocannon'
import { slack, summariseTimes } from './measure.ts'
import type { Line } from './measure.ts'

export interface Running {
  url: string
  process: ChildProcess
}

interface State {
  keys: { key: string; role: string }[]
  accounts: { id: number; connected: boolean }[]
  organisations: { id: number }[]
}

const rounds = Number(process.env['BENCH_ROUNDS'] ?? 5)
const secondsPerRound = Number(process.env['BENCH_SECONDS'] ?? 3)
const connections = 20

/**
 * Compares the speed of the servers in alternating runs. Also measures the memory and startup time
 * of our server.
 */
export async function benchServers(): Promise<{ lines: Line[]; report: string[] }> {
  const starts = await benchStarts()
  const ours = await startBuiltServer()
  const { headers, path } = await raiseRateLimits(ours.url)
  const page = await (await fetch(ours.url + path, { headers })).text()
  const bare = await startFile('servers/node-http.ts', page)
  const express = await startFile('servers/express.ts', page)
  try {
    const targets = {
      'node:http + JSON.stringify': bare.url,
      'Express 5, res.end': express.url,
      'creator-api-sandbox': ours.url + path,
    }
    const results = Object.fromEntries(
      Object.keys(targets).map((name) => [name, [] as autocannon.Result[]]),
    )
    for (let round = -1; round < rounds; round += 1) {
      for (const [name, url] of Object.entries(targets)) {
        const result = await autocannon({
          url,
          headers,
          connections,
          duration: round < 0 ? 2 : secondsPerRound,
        })
        if (result.non2xx > 0 || result.errors > 0)
          throw new Error(`${name}: ${result.non2xx} refused, ${result.errors} failed`)
        if (round >= 0) results[name]?.push(result)
      }
    }
    const rate = (name: string) => (results[name] ?? []).map((result) => result.requests.average)
    const ratios = rate('creator-api-sandbox').map(
      (ourRate, round) => ourRate / (rate('Express 5, res.end')[round] ?? 1),
    )
    const ratio = summariseTimes(ratios).median
    const report = Object.entries(results).map(([name, runs]) => describe(name, runs))
    report.unshift(
      `list page, ${page.length} bytes, ${connections} connections, ${rounds} rounds of ${secondsPerRound} s in turns, Node ` +
        `${process.version}`,
    )
    const memory = await measureMemory()
    return {
      report,
      lines: [
        {
          what: 'GET posts through our server / bare Express 5, same size',
          measured: `${ratio.toFixed(2)} x`,
          budget: '>= 0.90 x',
          isKept: ratio >= 0.9 / slack,
        },
        ...memory,
        ...starts,
      ],
    }
  } finally {
    for (const { process: child } of [ours, bare, express]) child.kill()
  }
}

/**
 * Measures how long the built server takes to start. The server answers `/health` immediately,
 * before data is seeded.
 */
async function benchStarts(): Promise<Line[]> {
  const agency = await measureStartup()
  const solo = await measureStartup(['--scenario', 'solo'])
  const large = await measureStartup(['--scenario', 'large'])
  const toLine = (what: string, ms: number, budget: number): Line => ({
    what: `server (built) from start to ${what}`,
    measured: `${ms.toFixed(0)} ms`,
    budget: `<= ${budget} ms`,
    isKept: ms <= budget * slack,
  })
  return [
    toLine('first 200 of /health', agency.healthMs, 250),
    toLine('first page, agency', agency.pageMs, 800),
    toLine('first 200 of /health, large', large.healthMs, 250),
    toLine('first page, large', large.pageMs, 10_000),
    toLine('first page, solo', solo.pageMs, 300),
    {
      what: 'maximum memory of the server until large is seeded',
      measured: `${large.maxMegabytes.toFixed(0)} MB`,
      budget: 'reported',
      isKept: true,
    },
  ]
}

function describe(name: string, runs: readonly autocannon.Result[]): string {
  const median = (pick: (run: autocannon.Result) => number) => summariseTimes(runs.map(pick)).median
  return `${name.padEnd(28)} ${median((run) => run.requests.average)
    .toFixed(0)
    .padStart(
      7,
    )} requests/s   p50 ${median((run) => run.latency.p50)} ms   p99 ${median((run) => run.latency.p99)} ms`
}

/** Time without requests after which a server is considered idle, ms. */
const restMs = 12_000

async function measureMemory(): Promise<Line[]> {
  const ours = await startBuiltServer()
  await new Promise((resolve) => setTimeout(resolve, restMs))
  const resting = readResidentMegabytes(ours)
  const { headers, path } = await raiseRateLimits(ours.url)
  await autocannon({ url: ours.url + path, headers, connections, amount: 10_000 })
  const first = readResidentMegabytes(ours)
  // The heap size first stabilises and then varies by a few megabytes. It must not keep growing.
  const later: number[] = []
  for (let round = 0; round < 4; round += 1) {
    await autocannon({ url: ours.url + path, headers, connections, amount: 50_000 })
    later.push(readResidentMegabytes(ours))
  }
  ours.process.kill()
  const last = later.pop() ?? 0
  const measured = `${[first, ...later, last].map((megabytes) => megabytes.toFixed(0)).join(', ')} MB`
  return [
    {
      what: 'memory of the server with agency, seeded and idle',
      measured: `${resting.toFixed(0)} MB`,
      budget: '<= 150 MB',
      isKept: resting <= 150 * slack,
    },
    {
      what: 'memory of the server with agency after 10,000 requests',
      measured: `${first.toFixed(0)} MB`,
      budget: '<= 190 MB',
      isKept: first <= 190 * slack,
    },
    {
      what: 'the same after 50,000 more, four times',
      measured,
      budget: 'not growing',
      isKept: last - Math.max(...later) <= 10,
    },
  ]
}

/** Returns the current memory of a server, MB. */
export function readResidentMegabytes({ process: child }: Running): number {
  return readMegabytes(child, 'VmRSS')
}

/** Returns the peak memory of a process so far, MB. */
function readPeakMegabytes(child: Pick<ChildProcess, 'pid'>): number {
  return readMegabytes(child, 'VmHWM')
}

function readMegabytes({ pid }: Pick<ChildProcess, 'pid'>, field: 'VmRSS' | 'VmHWM'): number {
  return (
    Number(
      new RegExp(`${field}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1],
    ) / 1024
  )
}

/**
 * Starts five processes. Returns the median time until `/health` and until the first page are
 * answered, ms, and the memory after all data is loaded, MB.
 */
export async function measureStartup(
  args: readonly string[] = [],
): Promise<{ healthMs: number; pageMs: number; maxMegabytes: number }> {
  // Keys and ids are the same in each process, so the page can be requested immediately.
  const first = await startBuiltServer(...args)
  const { headers, path } = await raiseRateLimits(first.url)
  first.process.kill()
  const [health, pages, memory]: [number[], number[], number[]] = [[], [], []]
  for (let round = 0; round < 5; round += 1) {
    const port = await findFreePort()
    const url = `http://127.0.0.1:${port}`
    const start = performance.now()
    const child = spawn(
      process.execPath,
      [resolveLocalPath('../dist/cli/bin.js'), ...args, '--port', String(port)],
      {
        stdio: 'ignore',
      },
    )
    while (!(await isServerUp(`${url}/health`)))
      await new Promise((resolve) => setTimeout(resolve, 2))
    health.push(performance.now() - start)
    const page = await fetch(url + path, { headers })
    if (!page.ok) throw new Error(`the first page is ${page.status}: ${await page.text()}`)
    await page.arrayBuffer()
    pages.push(performance.now() - start)
    await fetch(`${url}/health?ready`)
    memory.push(readPeakMegabytes(child))
    child.kill()
  }
  return {
    healthMs: summariseTimes(health).median,
    pageMs: summariseTimes(pages).median,
    maxMegabytes: Math.max(...memory),
  }
}

async function isServerUp(url: string): Promise<boolean> {
  try {
    return (await fetch(url)).ok
  } catch {
    return false
  }
}

/** Returns a free port. */
function findFreePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer()
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })
}

/** Raises the sandbox's rate limits and finds a page to request. */
export async function raiseRateLimits(
  url: string,
): Promise<{ headers: Record<string, string>; path: string }> {
  const state = (await (await fetch(`${url}/_sandbox/state`)).json()) as State
  const actions = state.organisations.map(({ id }) => ({
    type: 'limits.set',
    organisation: id,
    minute: 1_000_000_000,
    day: 1_000_000_000,
  }))
  const answer = await fetch(`${url}/_sandbox/actions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(actions),
  })
  if (!answer.ok) throw new Error(await answer.text())
  const key = state.keys.find(({ role }) => role === 'owner')?.key ?? ''
  const account = state.accounts.find(({ connected }) => connected)?.id
  return {
    headers: { authorization: `Bearer ${key}` },
    path: `/v1/${account}/posts?media_type=medias`,
  }
}

/** Starts our built server with the given flags, or runs another command. */
export async function startBuiltServer(...args: readonly string[]): Promise<Running> {
  const child = spawn(
    process.execPath,
    [resolveLocalPath('../dist/cli/bin.js'), ...args, '--port', '0'],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  return { url: await readFirstAddress(child), process: child }
}

async function startFile(file: string, page: string): Promise<Running> {
  const child = spawn(process.execPath, ['--import', 'tsx', resolveLocalPath(file)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, BENCH_PAGE: page },
  })
  return { url: await readFirstAddress(child), process: child }
}

/**
 * Starts a server from `servers/` with fixed responses: the first one at `/0`, the second at `/1`.
 */
export async function startStubServer(file: string, answers: readonly unknown[]): Promise<Running> {
  const child = spawn(process.execPath, ['--import', 'tsx', resolveLocalPath(file)], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  child.send(answers)
  return { url: await readFirstAddress(child), process: child }
}

/** Returns the URL or `server.address()` that the server prints. */
function readFirstAddress(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let printed = ''
    child.on('exit', (code) => reject(new Error(`a server ended with ${code} before it listened`)))
    child.stdout?.on('data', (chunk: Buffer) => {
      printed += chunk.toString()
      const url = /http:\/\/[\w.:]+/.exec(printed)?.[0]
      const port = /"port":(\d+)/.exec(printed)?.[1]
      if (url !== undefined) resolve(url)
      else if (port !== undefined) resolve(`http://127.0.0.1:${port}`)
    })
  })
}

function resolveLocalPath(file: string): string {
  return fileURLToPath(new URL(file, import.meta.url))
}
