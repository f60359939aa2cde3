import { once } from 'node:events'
import { connect } from 'node:net'
import { generateLargeBodies } from '../test/support/large-bodies.ts'
import { startBuiltServer } from './http.ts'
import type { Line } from './measure.ts'
import { findFirstAccount, sendAsOwner, createUnlimitedSandbox } from './sandboxes.ts'
import type { Built } from './sandboxes.ts'
import { routes } from '../src/resources/all-routes.ts'

/** Maximum time to reject any invalid input, ms. */
const refusalMs = 50
/** Maximum time to reject a string that must be read completely first, ms. */
const readingMs = 400
/**
 * Maximum time to stop an idle server, ms. The server is idle because it would wait up to five
 * seconds for running requests.
 */
const endingMs = 1_000

interface AttemptTime {
  what: string
  ms: number
}

/**
 * Measures how quickly oversized or endless input is rejected. Other tests check that this input is
 * rejected.
 */
export async function benchBounds({
  createSandbox,
}: Pick<Built, 'createSandbox'>): Promise<Line[]> {
  return [
    toLine(
      'refusing a body of 1 MiB beyond reading it as JSON',
      refusalMs,
      await tryBodies({ createSandbox }),
    ),
    toLine('refusing what is no scenario', readingMs, await tryScenarios({ createSandbox })),
    toLine('refusing a token of 15 KB', refusalMs, await tryTokens()),
    toLine(
      'answering an address of 15 KB of keys, which the journal hides',
      refusalMs,
      await tryAddresses({ createSandbox }),
    ),
    toLine('ending the server with requests that arrived in part', endingMs, [await tryEnding()]),
  ]
}

function toLine(what: string, budgetMs: number, tried: readonly AttemptTime[]): Line {
  const [longest] = tried.toSorted((a, b) => b.ms - a.ms)
  const ms = longest?.ms ?? Infinity
  const which = tried.length > 1 ? `, longest of ${tried.length}: ${longest?.what}` : ''
  return {
    what,
    measured: `${ms.toFixed(0)} ms${which}`,
    budget: `<= ${budgetMs} ms`,
    isKept: ms <= budgetMs,
  }
}

/**
 * Requests a long page whose URL contains many strings that look like keys. Searching the response
 * for every string would be slow.
 */
async function tryAddresses({
  createSandbox,
}: Pick<Built, 'createSandbox'>): Promise<AttemptTime[]> {
  const sandbox = await createUnlimitedSandbox(createSandbox, 'agency', undefined, 10)
  const keys = Array.from({ length: 1_000 }, (_, index) => `sk_key${1_000 + index}`)
  const page = `/v1/${findFirstAccount(sandbox)}/posts?limit=100`
  const addresses = {
    query: `${page}&${keys.map((key, index) => `x${index}=${key}`).join('&')}`,
    path: `/v1/${keys.join('/')}`,
  }
  const tried: AttemptTime[] = []
  for (const [what, url] of Object.entries(addresses))
    tried.push({
      what,
      ms: await measureBestTime(
        () => measureTime(() => sendAsOwner(sandbox, 'GET', url)),
        refusalMs,
      ),
    })
  return tried
}

/** Sends an oversized value in each body field of every route that accepts a body. */
async function tryBodies({ createSandbox }: Pick<Built, 'createSandbox'>): Promise<AttemptTime[]> {
  const sandbox = await createUnlimitedSandbox(createSandbox, 'agency')
  const headers: Record<string, string> = {
    authorization: `Bearer ${sandbox.keys['owner']}`,
    'content-type': 'application/json',
  }
  const tried: AttemptTime[] = []
  for (const { id, method, path, body: schema, fileLimit } of routes) {
    if (schema === null || fileLimit !== undefined) continue
    const url = path.replace(':account_id', String(findFirstAccount(sandbox))).replace(/:\w+/g, '1')
    for (const body of generateLargeBodies({ body: schema }, 1)) {
      const refuse = async () => {
        const readMs = await measureTime(() => JSON.parse(body))
        return (
          (await measureTime(() =>
            sandbox.handle({ method, url, header: (name) => headers[name] ?? null, body }),
          )) - readMs
        )
      }
      tried.push({
        what: `${id} ${body.slice(0, 20)}`,
        ms: await measureBestTime(refuse, refusalMs),
      })
    }
  }
  return tried
}

async function tryScenarios({
  createSandbox,
}: Pick<Built, 'createSandbox'>): Promise<AttemptTime[]> {
  const sandbox = await createUnlimitedSandbox(createSandbox, 'solo')
  const story = (step: string, times = 1) =>
    `{ extends: solo, name: mine, timeline: [${`{ ${step} }, `.repeat(times)}] }`
  const yamls = {
    '8,000 keys': Array.from({ length: 8_000 }, (_, index) => `k${index}: 1`).join('\n'),
    '40,000 errors': `"${'\\q'.repeat(40_000)}"`,
    'brackets without end': '['.repeat(20_000),
    'a billion repetitions': story('at: 5s, every: 1ms, times: 1000000000'),
    'more than 100,000 moments': story('every: 1s, times: 10000', 11),
  }
  const tried: AttemptTime[] = []
  for (const [what, yaml] of Object.entries(yamls)) {
    const load = () =>
      sandbox.control.loadScenario({ yaml }).then(createAcceptedError(what), () => {})
    tried.push({ what, ms: await measureBestTime(() => measureTime(load), readingMs) })
  }
  return tried
}

async function tryTokens(): Promise<AttemptTime[]> {
  const ours = await startBuiltServer('--scenario', 'empty', '--quiet', '--control-token', 'secret')
  const tokens = {
    spaces: ' '.repeat(15_000),
    'letters and spaces': 'a '.repeat(7_500),
    'spaces within': `a${' '.repeat(15_000)}b`,
  }
  try {
    const tried: AttemptTime[] = []
    for (const [what, token] of Object.entries(tokens)) {
      const ask = async () => {
        const answer = await fetch(`${ours.url}/_sandbox/state`, {
          headers: { authorization: `Bearer ${token}x` },
        })
        await answer.text()
        if (answer.status !== 401) throw new Error(`a token of ${what}: ${answer.status}`)
      }
      tried.push({
        what,
        ms: await measureBestTime(() => measureTime(ask, () => performance.now()), refusalMs),
      })
    }
    return tried
  } finally {
    ours.process.kill()
  }
}

async function tryEnding(): Promise<AttemptTime> {
  const ours = await startBuiltServer('--scenario', 'solo', '--quiet')
  const { hostname, port } = new URL(ours.url)
  const head = 'HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json'
  const parts = [
    'GET /v1/1/posts HTTP/1.1\r\nHost: 127',
    `POST /v1/tags ${head}\r\nContent-Length: 90\r\n\r\n{"name":`,
    `GET /health ${head}\r\n\r\n`,
  ]
  for (const part of parts) {
    const socket = connect(Number(port), hostname)
    socket.on('error', () => {})
    await once(socket, 'connect')
    await new Promise((resolve) => socket.write(part, resolve))
  }
  const start = performance.now()
  ours.process.kill('SIGTERM')
  await once(ours.process, 'exit')
  return { what: 'SIGTERM', ms: performance.now() - start }
}

function createAcceptedError(what: string): () => never {
  return () => {
    throw new Error(`${what}: it was accepted`)
  }
}

/**
 * Measures the duration of a job, ms. If a job exceeds its budget, it runs three times and the
 * minimum is returned, because the machine may be busy.
 */
async function measureBestTime(time: () => Promise<number>, budgetMs: number): Promise<number> {
  const first = await time()
  return first <= budgetMs ? first : Math.min(first, await time(), await time())
}

/** Measures the duration of a job, ms. Default: CPU time of this process. */
async function measureTime(job: () => unknown, now = measureCpuMs): Promise<number> {
  const start = now()
  await job()
  return now() - start
}

function measureCpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}
