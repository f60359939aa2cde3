import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { raiseRateLimits, startBuiltServer } from './http.ts'
import type { Running } from './http.ts'
import { slack, summariseTimes } from './measure.ts'
import type { Line } from './measure.ts'

const worldCount = 500
/** Number of concurrent requests. */
const atOnce = 20
/** Number of posts whose creation is timed, with and without saved state. */
const timedPosts = 1_000

/** A server that runs the scenario `agency`. */
interface Server extends Running {
  post: (world: string, text: string) => Promise<void>
}

/** Measures the cost of `--state` with many `agency` worlds. */
export async function benchState(): Promise<Line[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-state-'))
  const plain = await startServer()
  const saved = await startServer('--state', folder)
  try {
    const slowed = await comparePostTimes({ plain, saved })
    await createPostInEachWorld(saved, 'first')
    const storedMs = await measureTimeUntilStored(folder, 'first')
    await createPostInEachWorld(saved, 'second')
    const start = performance.now()
    const ended = new Promise((resolve) => saved.process.once('close', resolve))
    saved.process.kill('SIGTERM')
    await ended
    const exitMs = performance.now() - start
    if (countStored(folder, 'second') !== worldCount)
      throw new Error(`only ${countStored(folder, 'second')} of ${worldCount} worlds are stored`)
    return [
      toLine(`a post in each of ${worldCount} worlds: all are stored`, storedMs, 2_000),
      toLine('the same, from SIGTERM to the exit', exitMs, 3_000),
      {
        what: 'POST posts with --state / without, median',
        measured: `${slowed.toFixed(2)} x`,
        budget: '<= 1.05 x',
        isKept: slowed <= 1.05 * slack,
      },
    ]
  } finally {
    for (const { process: child } of [plain, saved]) child.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
}

function toLine(what: string, ms: number, budgetMs: number): Line {
  return {
    what,
    measured: `${ms.toFixed(1)} ms`,
    budget: `<= ${budgetMs} ms`,
    isKept: ms <= budgetMs * slack,
  }
}

async function startServer(...args: readonly string[]): Promise<Server> {
  const flags = ['--quiet', '--clock', 'frozen', '--max-worlds', '2000', '--max-memory', '4096']
  const running = await startBuiltServer(...flags, ...args)
  const { headers, path } = await raiseRateLimits(running.url)
  return {
    ...running,
    async post(world, text) {
      const answer = await fetch(running.url + path.slice(0, path.indexOf('?')), {
        method: 'POST',
        headers: {
          authorization: `${headers['authorization']}${world === '' ? '' : `~${world}`}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify({ text }),
      })
      const told = await answer.text()
      if (!answer.ok) throw new Error(`Failed to create a post: ${answer.status} ${told}`)
    },
  }
}

/** Creates a post in every world, with several concurrent requests. */
async function createPostInEachWorld(server: Server, text: string): Promise<void> {
  let next = 0
  const postNext = async () => {
    while (next < worldCount) await server.post(`w${(next += 1)}`, text)
  }
  await Promise.all(Array.from({ length: atOnce }, postNext))
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

/** Compares how long it takes to create a post with and without `--state`, in alternating runs. */
async function comparePostTimes(servers: Record<'plain' | 'saved', Server>): Promise<number> {
  const times = { plain: [] as number[], saved: [] as number[] }
  for (let count = -timedPosts / 5; count < timedPosts; count += 1)
    for (const name of ['plain', 'saved'] as const) {
      const start = performance.now()
      await servers[name].post('', `${count}`)
      if (count >= 0) times[name].push(performance.now() - start)
    }
  return summariseTimes(times.saved).median / summariseTimes(times.plain).median
}
