import type { Sandbox } from '../src/index.ts'
import { startBuiltServer } from './http.ts'
import { summariseTimes } from './measure.ts'
import type { Line } from './measure.ts'
import { findFirstAccount, createUnlimitedSandbox } from './sandboxes.ts'
import type { Built } from './sandboxes.ts'
import { getIndexedTables } from '../test/support/indexed-tables.ts'

/** Maximum response time for other worlds while one world is busy, ms. */
const budgetMs = 50
const tips = 100_000
/**
 * Number of steps in the story. A single step is not enough, because its repetitions are limited.
 */
const steps = 10
/** Real time between two requests of a client, ms. */
const pauseMs = 10

interface WorldAnswer {
  id: string
  keys: Record<string, string>
  accounts: { id: number }[]
}

/** Number of repeated tips that a new world must process to reach the current time. */
const tipsOfNewWorld = 20_000

/**
 * Measures how long other requests are delayed while one world is busy. The world seeks in a long
 * story, loads `large`, or advances by months with many events.
 */
export async function benchStalls(): Promise<Line[]> {
  const ours = await startBuiltServer('--scenario', 'solo', '--quiet', '--max-memory', '2048')
  try {
    const world = (await send(ours.url, 'POST', '/_sandbox/worlds')) as WorldAnswer
    await send(ours.url, 'POST', `/_sandbox/actions?world=${world.id}`, {
      type: 'limits.set',
      organisation: 1,
      minute: 1e9,
      day: 1e9,
    })
    const account = world.accounts[0]?.id ?? 0
    await send(ours.url, 'PUT', '/_sandbox/scenario', { yaml: toStory(account) })
    const during = (what: string, job: () => Promise<unknown>) =>
      measureWaits(ours.url, { what, world, job })
    return [
      ...(await during(`a story of ${tips.toLocaleString('en')} tips is sought`, () =>
        send(ours.url, 'POST', '/_sandbox/replay', { command: 'seek', to: `${tips - 1}s` }),
      )),
      // Loading blocks the server during each seeding step. docs/server.md lists the blocking
      // times.
      ...(
        await during('large is loaded', () =>
          send(ours.url, 'PUT', '/_sandbox/scenario', { name: 'large' }),
        )
      ).map((line) => ({ ...line, budget: 'reported', isKept: true })),
      ...(await benchNewWorld(ours.url, during)),
    ]
  } finally {
    ours.process.kill()
  }
}

async function benchNewWorld(
  url: string,
  during: (what: string, job: () => Promise<unknown>) => Promise<Line[]>,
): Promise<Line[]> {
  await send(url, 'PUT', '/_sandbox/scenario', { name: 'solo' })
  const { accounts } = (await send(url, 'GET', '/_sandbox/state')) as Pick<WorldAnswer, 'accounts'>
  await send(url, 'PUT', '/_sandbox/scenario', {
    yaml: toStory(accounts[0]?.id ?? 0, tipsOfNewWorld),
  })
  await send(url, 'POST', '/_sandbox/clock', { advance: '180d' })
  return during(
    `a new world is moved on over 180 days with ${tipsOfNewWorld.toLocaleString('en')} tips`,
    async () => {
      const { id } = (await send(url, 'POST', '/_sandbox/worlds')) as WorldAnswer
      await send(url, 'GET', `/_sandbox/data/posts?limit=1&world=${id}`)
    },
  )
}

/**
 * Compares the cost of tipping a post that has very many tips with the cost of its first tips. The
 * measurements alternate, because the speed of a machine varies.
 */
export async function benchTips({ createSandbox }: Pick<Built, 'createSandbox'>): Promise<Line> {
  const part = tips / 10
  const [few, many] = [
    await createUnlimitedSandbox(createSandbox, 'solo'),
    await createUnlimitedSandbox(createSandbox, 'solo'),
  ]
  const [toFew, toMany] = [toTip(few), toTip(many)]
  // The first runs are slow, because the code is not yet optimised.
  recordTips(few, toFew, 2_000)
  recordTips(many, toMany, tips - part)
  let [first, last] = [0, 0]
  for (let left = part; left > 0; left -= part / 20) {
    first += recordTips(few, toFew, part / 20)
    last += recordTips(many, toMany, part / 20)
  }
  const ratio = last / first
  return {
    what: `the last ${part.toLocaleString('en')} of ${tips.toLocaleString('en')} tips on one post / the first`,
    measured: `${ratio.toFixed(2)} x (${(last / part).toFixed(3)} / ${(first / part).toFixed(3)} ms)`,
    budget: '<= 1.50 x',
    isKept: ratio <= 1.5,
  }
}

function toTip(sandbox: Sandbox) {
  const account = findFirstAccount(sandbox)
  const { id: post_id } = getIndexedTables(sandbox.db).posts.in('published', account).at(0) ?? {}
  const { fanId: fan_id } =
    getIndexedTables(sandbox.db).subscriptions.in('listed', account).at(0) ?? {}
  return { type: 'tip', account_id: account, post_id, fan_id, amount: 5 } as const
}

function recordTips(sandbox: Sandbox, tip: ReturnType<typeof toTip>, count: number): number {
  const start = performance.now()
  for (let left = count; left > 0; left -= 1) sandbox.act(tip)
  return performance.now() - start
}

function toStory(account: number, count = tips): string {
  const times = count / steps
  const timeline = Array.from(
    { length: steps },
    (_, step) =>
      `  - { at: ${step * times}s, every: 1s, times: ${times}, do: { type: tip, account_id: ${account}, on: post } }`,
  )
  return ['name: tips', 'extends: solo', 'timeline:', ...timeline].join('\n')
}

/** Repeats a request to another world until the job is done and measures the response times. */
async function measureWaits(
  url: string,
  { what, world, job }: { what: string; world: WorldAnswer; job: () => Promise<unknown> },
): Promise<Line[]> {
  const headers = { authorization: `Bearer ${world.keys['owner']}` }
  const questions = {
    'GET /health': `${url}/health`,
    'GET posts of another world': `${url}/v1/${world.accounts[0]?.id}/posts`,
    'GET /_sandbox/state': `${url}/_sandbox/state`,
  }
  for (const question of Object.values(questions)) await (await fetch(question, { headers })).text()
  const progress = { isDone: false }
  const done = job().finally(() => {
    progress.isDone = true
  })
  const lines = Object.entries(questions).map(async ([name, question]): Promise<Line> => {
    const times: number[] = []
    while (!progress.isDone) {
      const start = performance.now()
      const answer = await fetch(question, { headers })
      await answer.text()
      if (!answer.ok) throw new Error(`${name}: ${answer.status}`)
      times.push(performance.now() - start)
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
    }
    const { median, p99 } = summariseTimes(times)
    const longest = Math.max(...times)
    return {
      what: `${name} while ${what}, p99`,
      measured: `${p99.toFixed(1)} ms (median ${median.toFixed(1)}, longest ${longest.toFixed(0)}, ${times.length} requests)`,
      budget: `<= ${budgetMs} ms`,
      isKept: p99 <= budgetMs,
    }
  })
  const all = await Promise.all(lines)
  await done
  return all
}

async function send(url: string, method: string, path: string, body?: unknown): Promise<unknown> {
  const answer = await fetch(url + path, {
    method,
    headers: { 'content-type': 'application/json' },
    body: body === undefined ? undefined : JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
  return answer.json()
}
