import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { openStateFile } from '../../src/cli/state-folder.ts'
import { bundledCommand } from './process.ts'

/** Report about acknowledged writes that were lost when a server with `--state` was killed. */
export interface KillReport {
  kills: number
  /** Number of acknowledged writes. */
  acknowledged: number
  /** Number of lost acknowledged writes. */
  lost: number
  /**
   * Time from the response to the oldest lost write to the last response before the kill, both as
   * sent by the server, ms. The server guarantees at most 500 ms, because it delays responses while
   * the store is slow.
   */
  maxLossMs: number
  /**
   * Other failures: an unreadable file, a server that does not restart, or a write that fails with
   * a status other than 503.
   */
  problems: string[]
  /** Messages of 503 responses. The client repeated the writes that received these responses. */
  refusals: Set<string>
}

export interface KillOptions {
  kills: number
  /** @default 'solo' */
  scenario?: string
  /**
   * Number of isolated worlds to write to concurrently.
   * @default only the main world
   */
  worlds?: number
  /**
   * Minimum time before a server is killed, ms. The maximum is 2.5 s longer.
   * @default 700
   */
  lifeMs?: number
  /**
   * Command that starts the server, with Node as its program.
   * @default the bundled command
   */
  command?: readonly string[]
}

/**
 * After each kill, the next server runs longer by this time before it is killed, up to a maximum,
 * ms. The kills therefore happen at different times relative to the writes.
 */
const lifeStepMs = 617
const lifeSpreadMs = 2_500
const stampResponses = fileURLToPath(new URL('./stamp-responses.mjs', import.meta.url))

/**
 * Repeatedly kills a server with SIGKILL while a client writes at full speed. Restarts it with the
 * same file and checks that acknowledged writes are stored.
 */
export async function killServerRepeatedly({
  kills,
  scenario = 'solo',
  worlds = 0,
  lifeMs = 700,
  command = bundledCommand,
}: KillOptions): Promise<KillReport> {
  const folder = mkdtempSync(join(tmpdir(), 'creator-api-sandbox-kills-'))
  const file = join(folder, 'state')
  const report: KillReport = {
    kills: 0,
    acknowledged: 0,
    lost: 0,
    maxLossMs: 0,
    problems: [],
    refusals: new Set(),
  }
  try {
    for (let kill = 0; kill < kills && report.problems.length === 0; kill += 1) {
      const server = await start(
        command,
        kill === 0 ? ['--scenario', scenario, '--state', file] : ['--state', file],
      )
      if (server instanceof Error) report.problems.push(server.message)
      else
        await killOne(
          server,
          { file, worlds, lifeMs: lifeMs + ((kill * lifeStepMs) % lifeSpreadMs) },
          report,
        )
    }
    return report
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

interface Server {
  child: ChildProcess
  url: string
}

async function killOne(
  { child, url }: Server,
  { file, worlds, lifeMs }: { file: string; worlds: number; lifeMs: number },
  report: KillReport,
): Promise<void> {
  const ended = new Promise((resolve) => child.once('close', resolve))
  const acknowledged: { world: string; name: string; sentAt: number }[] = []
  const state = { isKilled: false }
  const { authorization, ...headers } = await raiseRateLimits(url)
  const kill = wait(lifeMs).then(() => {
    state.isKilled = true
    child.kill('SIGKILL')
  })
  const writeTo = async (world: string) => {
    const key = world === 'main' ? authorization : `${authorization}~${world.slice(1)}`
    for (let count = 0; !state.isKilled; count += 1) {
      const name = `${child.pid}-${count}`
      const response = await addTag(url, {
        name,
        headers: { ...headers, authorization: key },
      }).catch(() => undefined)
      if (response === undefined) return
      const { status, text, sentAt } = response
      if (status === 200) acknowledged.push({ world, name, sentAt })
      else if (status === 503) report.refusals.add(text)
      else {
        report.problems.push(`a write got ${status}: ${text}`)
        return
      }
    }
  }
  const ids = worlds === 0 ? ['main'] : Array.from({ length: worlds }, (_, number) => `_w${number}`)
  await Promise.all([...ids.map(writeTo), kill, ended])
  const kept = new Map(ids.map((id) => [id, readNames(join(file, `${id}.state`), report)]))
  const last = Math.max(...acknowledged.map(({ sentAt }) => sentAt))
  const lost = acknowledged
    .filter(({ world, name }) => kept.get(world)?.has(name) !== true)
    .map(({ sentAt }) => last - sentAt)
  report.kills += 1
  report.acknowledged += acknowledged.length
  report.lost += lost.length
  report.maxLossMs = Math.max(report.maxLossMs, ...lost)
}

/**
 * Raises the rate limits of an organisation, because the default limits would soon block the
 * writes. Returns the request headers for a client of the organisation.
 */
async function raiseRateLimits(
  url: string,
): Promise<{ authorization: string; 'content-type': string }> {
  const { keys } = (await (await fetch(`${url}/_sandbox/state`)).json()) as {
    keys: { key: string }[]
  }
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${keys[0]?.key}` }
  await fetch(`${url}/_sandbox/actions`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ type: 'limits.set', minute: 1e6, day: 1e6 }),
  })
  return headers
}

/** Adds a tag through the API. */
async function addTag(
  url: string,
  { name, headers }: { name: string; headers: Record<string, string> },
): Promise<{ status: number; text: string; sentAt: number }> {
  const response = await fetch(`${url}/v1/tags`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ name }),
  })
  return {
    status: response.status,
    text: await response.text(),
    sentAt: Number(response.headers.get('x-sent-at') ?? Number.NaN),
  }
}

function readNames(file: string, report: KillReport): ReadonlySet<string> {
  // A world that was created just before the kill has no file yet.
  if (!existsSync(file)) return new Set()
  try {
    const content = Buffer.from(openStateFile(readFileSync(file))).toString()
    const { present } = JSON.parse(content) as {
      present: { changes: { tags?: { rows: { name: string }[] } } }
    }
    return new Set(present.changes.tags?.rows.map(({ name }) => name))
  } catch (error) {
    report.problems.push(`the state file cannot be read: ${(error as Error).message}`)
    return new Set()
  }
}

async function start(
  [program = '', ...flags]: readonly string[],
  more: readonly string[],
): Promise<Server | Error> {
  const child = spawn(
    program,
    ['--import', stampResponses, ...flags, '--port', '0', '--quiet', ...more],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  let errors = ''
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk.toString()
  })
  return new Promise((resolve) => {
    child.stdout.on('data', (chunk: Buffer) => resolve({ child, url: chunk.toString().trim() }))
    child.on('close', (code) =>
      resolve(new Error(`the server did not start again, and ended with ${code}: ${errors}`)),
    )
  })
}
