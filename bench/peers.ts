// Compares a list page of this package with list pages of other test doubles. Install the other
// test doubles in a separate folder and run Node.js 24, which `emulate` requires (see
// bench/peers.md): npx tsx bench/peers.ts FOLDER
import { execFileSync, spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import autocannon from 'autocannon'
import { findFreePort } from '../test/support/balancer.ts'
import { raiseRateLimits } from './http.ts'
import { summariseTimes } from './measure.ts'

interface Peer {
  name: string
  /** Returns the command that runs the test double on the given port, using Node.js 24. */
  command: (port: number) => string[]
  /** Path of the page. */
  path: string
  /**
   * Sets of headers. Requests alternate between the sets.
   * @default none
   */
  headers?: Headers[]
  /** Loads the data if the test double cannot read it from files. */
  fill?: (origin: string) => Promise<void>
}

type Post = Record<string, unknown>
type Headers = Record<string, string>

const postCount = 10_000
const connections = 20
/**
 * The server `emulate` limits each key to 5,000 requests per hour, so requests alternate between
 * several keys.
 */
const tokens = Array.from({ length: 200 }, (_, number) => `token-${number}`)
const rounds = Number(process.env['BENCH_ROUNDS'] ?? 3)
const secondsPerRound = Number(process.env['BENCH_SECONDS'] ?? 3)

const [, , folder = ''] = process.argv
if (folder === '')
  throw new Error('Failed to measure the peers: give the folder that they are installed in.')
const installed = (name: string) => resolve(folder, 'node_modules', name)
const node = installed('.bin/node')
const work = mkdtempSync(join(tmpdir(), 'peers-'))
const children: ChildProcess[] = []

try {
  const ours = await openOurServer()
  const targets = [ours, ...(await Promise.all(createPeers(ours.posts).map(open)))]
  const results = await measure(targets)
  console.log(
    `${execFileSync(node, ['--version']).toString().trim()}, ${connections} connections, ${postCount} rows, ${rounds} rounds of ${secondsPerRound} s in turns\n`,
  )
  console.log('| | pages per second | p50, ms | bytes of the page |\n|---|---|---|---|')
  for (const [index, { name, bytes }] of targets.entries()) {
    const runs = results[index] ?? []
    const rate = summariseTimes(runs.map(({ requests }) => requests.average)).median
    console.log(
      `| ${name} | ${Math.round(rate)} | ${summariseTimes(runs.map(({ latency }) => latency.p50)).median} | ${bytes} |`,
    )
  }
} finally {
  for (const child of children) child.kill('SIGKILL')
  rmSync(work, { recursive: true, force: true })
}

/**
 * Sends requests to the targets in turn, so that a temporary slowdown of the machine affects all
 * equally. The first round is a warm-up.
 */
async function measure(targets: readonly Target[]): Promise<autocannon.Result[][]> {
  const results: autocannon.Result[][] = targets.map(() => [])
  for (let round = -1; round < rounds; round += 1)
    for (const [index, { name, url, headers }] of targets.entries()) {
      const requests = headers.map((each) => ({ headers: each }))
      const result = await autocannon({
        url,
        requests,
        connections,
        duration: round < 0 ? 2 : secondsPerRound,
      })
      if (result.non2xx > 0 || result.errors > 0)
        throw new Error(`${name}: ${result.non2xx} refused, ${result.errors} failed`)
      if (round >= 0) results[index]?.push(result)
    }
  return results
}

interface Target {
  name: string
  url: string
  headers: Headers[]
  /** Size of the page, bytes. */
  bytes: number
}

/**
 * Starts our server with the required number of posts and reads them, so that the other test
 * doubles can serve the same posts.
 */
async function openOurServer(): Promise<Target & { posts: Post[] }> {
  const solo = readFileSync(new URL('../scenarios/solo.yaml', import.meta.url), 'utf8')
  writeFileSync(
    join(work, 'posts.yaml'),
    solo.replace('name: solo', 'name: posts').replace('posts: 15', `posts: ${postCount}`),
  )
  const origin = await start('creator-api-sandbox', (port) => [
    resolve(process.env['BENCH_DIST'] ?? 'dist', 'cli/bin.js'),
    '--port',
    String(port),
    '--scenario',
    join(work, 'posts.yaml'),
    '--quiet',
  ])
  const { headers, path } = await raiseRateLimits(origin)
  const [feed = ''] = path.split('?')
  const posts: Post[] = []
  for (let next: string | undefined = `${feed}?limit=100`; next !== undefined;) {
    const page = (await ask(origin + next, { headers })) as {
      data: { list: Post[] }
      _pagination?: { next_page: string }
    }
    posts.push(...page.data.list.map((post) => ({ ...post, account_id: feed.split('/')[2] })))
    next = page._pagination?.next_page
  }
  const url = `${origin}${feed}?limit=10`
  return {
    name: 'creator-api-sandbox',
    url,
    headers: [headers],
    bytes: await measureResponseSize(url, headers),
    posts,
  }
}

async function open({ name, command, path, headers = [{}], fill }: Peer): Promise<Target> {
  const origin = await start(name, command)
  await fill?.(origin)
  return {
    name,
    url: origin + path,
    headers,
    bytes: await measureResponseSize(origin + path, headers[0]),
  }
}

/** Returns the setup of each peer, all with the same posts. bench/peers.md describes the setups. */
function createPeers(posts: readonly Post[]): Peer[] {
  const account = String(posts[0]?.['account_id'])
  const file = (name: string, content: unknown) => {
    writeFileSync(join(work, name), JSON.stringify(content))
    return join(work, name)
  }
  const database = file('db.json', { posts })
  const document = file('openapi.json', {
    openapi: '3.0.3',
    info: { title: 'Posts', version: '1' },
    paths: {
      '/posts': {
        get: {
          responses: {
            200: {
              description: 'A page.',
              content: { 'application/json': { example: posts.slice(0, 10) } },
            },
          },
        },
      },
    },
  })
  const seed = file('seed.json', {
    tokens: Object.fromEntries(
      tokens.map((token) => [token, { login: 'octocat', scopes: ['repo'] }]),
    ),
    github: { users: [{ login: 'octocat' }], repos: [{ owner: 'octocat', name: 'posts' }] },
  })
  const bearers = tokens.map((token) => ({ authorization: `Bearer ${token}` }))
  return [
    {
      name: 'emulate',
      command: (port) => [
        installed('emulate/dist/index.js'),
        'start',
        '--service',
        'github',
        '--port',
        String(port),
        '--seed',
        seed,
      ],
      path: '/repos/octocat/posts/issues?per_page=10',
      headers: bearers,
      async fill(origin) {
        for (const [index, post] of posts.entries()) {
          const body = JSON.stringify({ title: String(post['id']), body: JSON.stringify(post) })
          await ask(`${origin}/repos/octocat/posts/issues`, {
            method: 'POST',
            headers: { ...bearers[index % bearers.length], 'content-type': 'application/json' },
            body,
          })
        }
      },
    },
    {
      name: 'json-server',
      command: (port) => [
        installed('json-server/lib/cli/bin.js'),
        '--quiet',
        '--port',
        String(port),
        database,
      ],
      path: `/posts?account_id=${account}&_sort=postedAtPrecise&_order=desc&_page=1&_limit=10`,
    },
    {
      name: 'Prism',
      command: (port) => [
        installed('@stoplight/prism-cli/dist/index.js'),
        'mock',
        document,
        '--port',
        String(port),
        '--verboseLevel',
        'silent',
      ],
      path: '/posts',
    },
  ]
}

/** Starts a test double on a free port and waits until it answers requests. */
async function start(name: string, command: (port: number) => string[]): Promise<string> {
  const port = await findFreePort()
  const child = spawn(node, command(port), { cwd: work, stdio: ['ignore', 'ignore', 'pipe'] })
  children.push(child)
  let told = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    told = (told + chunk.toString()).slice(-2000)
  })
  const origin = `http://127.0.0.1:${port}`
  for (const end = performance.now() + 120_000; performance.now() < end;) {
    if (child.exitCode !== null) break
    const answers = await fetch(origin).then(
      (answer) => answer.text(),
      () => undefined,
    )
    if (answers !== undefined) return origin
    await wait(100)
  }
  throw new Error(`Failed to start ${name}: ${told}`)
}

async function ask(url: string, init?: RequestInit): Promise<unknown> {
  const answer = await fetch(url, init)
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${(await answer.text()).slice(0, 300)}`)
  return answer.json()
}

async function measureResponseSize(url: string, headers: Headers = {}): Promise<number> {
  return JSON.stringify(await ask(url, { headers })).length
}
