import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

/** Acknowledged writes that were lost when a server with `--state` was killed. */
export interface KillReport {
  kills: number
  /** Total number of acknowledged writes. */
  acknowledged: number
  /** Number of lost acknowledged writes. */
  lost: number
  /**
   * Age of the oldest lost write at the kill, ms. The server promises at most one second and the
   * time of one write.
   */
  maxLossMs: number
  /** Longest time of a write of the file while the server ran, ms. */
  maxWriteMs: number
  /** Other failures: an unreadable file, a failed start, a rejected write. */
  problems: string[]
}

export interface KillOptions {
  kills: number
  /** @default 'solo' */
  scenario?: string
  /** Minimum time until a server is killed, ms. The maximum is 2.5 s more. @default 700 */
  lifeMs?: number
  /** The command of the server. @default the sources */
  command?: readonly string[]
}

/** The command that runs the server from the sources. */
export const serverFromSources: readonly string[] = [
  process.execPath,
  '--import',
  'tsx',
  fileURLToPath(new URL('../../src/cli/bin.ts', import.meta.url)),
]

/**
 * Each server lives this much longer than the previous one, ms, up to the spread. So the kills hit
 * different moments between two writes.
 */
const lifeStepMs = 617
const lifeSpreadMs = 2_500

/**
 * Repeatedly kills a server with SIGKILL while a client writes at full speed. Restarts it on the
 * same file, and compares the acknowledged writes with the stored ones.
 */
export async function runKills({
  kills,
  scenario = 'solo',
  lifeMs = 700,
  command = serverFromSources,
}: KillOptions): Promise<KillReport> {
  const folder = mkdtempSync(join(tmpdir(), 'creator-api-sandbox-kills-'))
  const file = join(folder, 'state.json')
  const report: KillReport = {
    kills: 0,
    acknowledged: 0,
    lost: 0,
    maxLossMs: 0,
    maxWriteMs: 0,
    problems: [],
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
          { file, folder, lifeMs: lifeMs + ((kill * lifeStepMs) % lifeSpreadMs) },
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
  { file, folder, lifeMs }: { file: string; folder: string; lifeMs: number },
  report: KillReport,
): Promise<void> {
  const ended = new Promise((resolve) => child.once('close', resolve))
  const acknowledged = new Map<string, number>()
  const death = { at: Infinity }
  const watch = watchDrafts(folder, report)
  const headers = await openDoors(url)
  const kill = wait(lifeMs).then(() => {
    death.at = performance.now()
    child.kill('SIGKILL')
  })
  while (death.at === Infinity) {
    const name = `${child.pid}-${acknowledged.size}`
    const status = await addTag(url, { name, headers }).catch(() => undefined)
    if (status === 200) acknowledged.set(name, performance.now())
    else if (status !== undefined) report.problems.push(`a write was answered with ${status}`)
    if (status !== 200) break
  }
  await Promise.all([kill, ended])
  watch.stop()
  const kept = readNames(file, report)
  const lost = [...acknowledged].filter(([name]) => !kept.has(name)).map(([, at]) => death.at - at)
  report.kills += 1
  report.acknowledged += acknowledged.size
  report.lost += lost.length
  report.maxLossMs = Math.round(Math.max(report.maxLossMs, ...lost))
}

/**
 * Lifts the limits of the organisation, which would soon stop the writes. Returns the headers of
 * its client.
 */
async function openDoors(url: string): Promise<Record<string, string>> {
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

/** Adds a tag by a route of the API. */
async function addTag(
  url: string,
  { name, headers }: { name: string; headers: Record<string, string> },
): Promise<number> {
  const response = await fetch(`${url}/v1/tags`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ name }),
  })
  await response.arrayBuffer()
  return response.status
}

function readNames(file: string, report: KillReport): ReadonlySet<string> {
  try {
    const { tables } = JSON.parse(readFileSync(file, 'utf8')) as {
      tables: { tags: { name: string }[] }
    }
    return new Set(tables.tags.map(({ name }) => name))
  } catch (error) {
    report.problems.push(`the state file cannot be read: ${(error as Error).message}`)
    return new Set()
  }
}

/** Measures how long drafts of the state file exist. */
function watchDrafts(folder: string, report: KillReport): { stop: () => void } {
  let since: number | undefined
  const look = setInterval(() => {
    const isWriting =
      existsSync(folder) && readdirSync(folder).some((name) => name.endsWith('.tmp'))
    if (isWriting) since ??= performance.now()
    else if (since !== undefined) {
      report.maxWriteMs = Math.round(Math.max(report.maxWriteMs, performance.now() - since))
      since = undefined
    }
  }, 5)
  return { stop: () => clearInterval(look) }
}

async function start(
  [program = '', ...flags]: readonly string[],
  more: readonly string[],
): Promise<Server | Error> {
  const child = spawn(program, [...flags, '--port', '0', '--quiet', ...more], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
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
