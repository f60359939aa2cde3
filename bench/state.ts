import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { raiseRateLimits, startBuiltServer } from './http.ts'
import type { Running } from './http.ts'
import { slack, summariseTimes } from './measure.ts'
import type { Line } from './measure.ts'

export const worldCount = 500
/** Number of concurrent requests. */
const atOnce = 20
/**
 * Number of worlds to load from disk. The same number of posts is created in the advanced world.
 */
const samples = 40
/** Number of posts whose creation is timed, with and without saved state. */
const timedPosts = 1_000
/** Maximum time until a server has saved all changes, ms. */
const restMs = 1_000

export const budgets = {
  storedMs: 2_000,
  exitMs: 3_000,
  worldMs: 2,
  advancedMs: 10,
  restoredMs: 30,
  slowed: 1.05,
}

/** A server that runs the scenario `agency`. */
export interface Server extends Running {
  post: (world: string, text: string) => Promise<void>
  read: (world: string) => Promise<void>
  advance: (world: string) => Promise<void>
  /** CPU time since the start of the server, ms. */
  cpuMs: () => number
  stop: () => Promise<void>
}

/** Measures the cost of `--state` with many `agency` worlds. */
export async function benchState(): Promise<Line[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-state-'))
  const servers: Server[] = []
  const open = async (...args: Parameters<typeof startServer>) => {
    const server = await startServer(...args)
    servers.push(server)
    return server
  }
  try {
    const plain = await open()
    const saved = await open(folder)
    const slowed = await comparePostTimes({ plain, saved })
    await createPostInEachWorld([plain], 'first')
    await createPostInEachWorld([saved], 'first')
    const storedMs = await measureTimeUntilStored(folder, 'first')
    const worldMs =
      ((await measureCpuTime(saved, () => createPostInEachWorld([saved], 'second'))) -
        (await measureCpuTime(plain, () => createPostInEachWorld([plain], 'second')))) /
      worldCount
    for (const server of [plain, saved]) {
      await server.advance('advanced')
      await server.post('advanced', 'first')
      await wait(restMs)
    }
    const advancedMs =
      ((await measureCpuTime(saved, () => postSlowly(saved))) -
        (await measureCpuTime(plain, () => postSlowly(plain)))) /
      samples
    await plain.stop()
    await createPostInEachWorld([saved], 'third')
    const start = performance.now()
    await saved.stop()
    const exitMs = performance.now() - start
    if (countStored(folder, 'third') !== worldCount)
      throw new Error(`only ${countStored(folder, 'third')} of ${worldCount} worlds are stored`)
    const again = await open(folder)
    const [fresh, restored] = [await timeReads(again, 'new'), await timeReads(again, 'w')]
    const advancedStart = performance.now()
    await again.read('advanced')
    const advanced = performance.now() - advancedStart
    await again.stop()
    return [
      createDurationLine(
        `a post in each of ${worldCount} worlds: all are stored`,
        storedMs,
        budgets.storedMs,
      ),
      createDurationLine('the same, from SIGTERM to the exit', exitMs, budgets.exitMs),
      createDurationLine('CPU time of saving a world with a few changes', worldMs, budgets.worldMs),
      createDurationLine('the same, advanced by 30 days', advancedMs, budgets.advancedMs),
      createDurationLine(
        'restoring a world, beyond making it',
        restored - fresh,
        budgets.restoredMs,
      ),
      {
        what: 'the same, advanced by 30 days',
        measured: `${(advanced - fresh).toFixed(1)} ms`,
        budget: 'reported',
        isKept: true,
      },
      createRatioLine('POST posts with --state / without, median', slowed),
    ]
  } finally {
    for (const { process: child } of servers) child.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
}

export function createDurationLine(what: string, ms: number, budgetMs: number): Line {
  return {
    what,
    measured: `${ms.toFixed(1)} ms`,
    budget: `<= ${budgetMs} ms`,
    isKept: ms <= budgetMs * slack,
  }
}

export function createRatioLine(what: string, ratio: number): Line {
  return {
    what,
    measured: `${ratio.toFixed(2)} x`,
    budget: `<= ${budgets.slowed} x`,
    isKept: ratio <= budgets.slowed * slack,
  }
}

/** Starts a server. If `state` is given, the server saves its state in that folder. */
export async function startServer(state?: string): Promise<Server> {
  const running = await startBuiltServer(
    '--scenario',
    'agency',
    '--quiet',
    '--clock',
    'frozen',
    '--max-worlds',
    '2000',
    '--max-memory',
    '4096',
    ...(state === undefined ? [] : ['--state', state]),
  )
  const { headers, path } = await raiseRateLimits(running.url)
  const posts = running.url + path.slice(0, path.indexOf('?'))
  const send = async (method: string, url: string, body?: object, world = '') => {
    const answer = await fetch(url, {
      method,
      headers: {
        authorization: `${headers['authorization']}${world === '' ? '' : `~${world}`}`,
        'content-type': 'application/json',
      },
      body: body === undefined ? null : JSON.stringify(body),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${url}: ${answer.status} ${text}`)
  }
  return {
    ...running,
    post: (world, text) => send('POST', posts, { text }, world),
    read: (world) => send('GET', `${posts}?limit=1`, undefined, world),
    advance: (world) =>
      send('POST', `${running.url}/_sandbox/clock?world=${world}`, { advance: '30d' }),
    cpuMs() {
      const stat = readFileSync(`/proc/${running.process.pid}/stat`, 'utf8')
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      // Linux reports CPU time in ticks of 10 ms.
      return (Number(fields[11]) + Number(fields[12])) * 10
    },
    async stop() {
      const ended = new Promise((resolve) => running.process.once('close', resolve))
      running.process.kill('SIGTERM')
      await ended
    },
  }
}

/**
 * Creates a post in every world, with several concurrent requests. Each world is on one of the
 * servers.
 */
export async function createPostInEachWorld(
  servers: readonly Server[],
  text: string,
): Promise<void> {
  let next = 0
  const postNext = async () => {
    while (next < worldCount) {
      next += 1
      await servers[next % servers.length]?.post(`w${next}`, text)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, postNext))
}

/** Creates posts in the advanced world one by one, so that each is saved separately. */
async function postSlowly(server: Server): Promise<void> {
  for (let count = 0; count < samples; count += 1) {
    await server.post('advanced', `${count}`)
    await wait(250)
  }
}

/** Measures the CPU time used to run a job and save its changes, ms. */
async function measureCpuTime(server: Server, job: () => Promise<void>): Promise<number> {
  const before = server.cpuMs()
  await job()
  await wait(restMs)
  return server.cpuMs() - before
}

async function measureTimeUntilStored(folder: string, text: string): Promise<number> {
  const start = performance.now()
  while (countStored(folder, text) < worldCount && performance.now() - start < 60_000)
    await wait(20)
  return performance.now() - start
}

/** Counts the saved worlds that contain a post with the given text. */
function countStored(folder: string, text: string): number {
  return readdirSync(folder).filter(
    (name) =>
      /^_w\d+\.state$/.test(name) &&
      readFileSync(join(folder, name), 'utf8').includes(`"text":"${text}"`),
  ).length
}

/** Measures the median duration of the first request to each world, ms. */
async function timeReads(server: Server, prefix: string): Promise<number> {
  const times: number[] = []
  for (let count = 1; count <= samples; count += 1) {
    const start = performance.now()
    await server.read(`${prefix}${count}`)
    times.push(performance.now() - start)
  }
  return summariseTimes(times).median
}

/** Compares how long it takes to create a post with and without `--state`, in alternating runs. */
export async function comparePostTimes(
  servers: Record<'plain' | 'saved', Server>,
): Promise<number> {
  const times = { plain: [] as number[], saved: [] as number[] }
  for (let count = -timedPosts / 5; count < timedPosts; count += 1)
    for (const name of ['plain', 'saved'] as const) {
      const start = performance.now()
      await servers[name].post('', `${count}`)
      if (count >= 0) times[name].push(performance.now() - start)
    }
  return summariseTimes(times.saved).median / summariseTimes(times.plain).median
}
