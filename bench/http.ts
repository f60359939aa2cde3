import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'

export interface Running {
  url: string
  process: ChildProcess
}

interface State {
  keys: { key: string; role: string }[]
  accounts: { id: number; connected: boolean }[]
  organisations: { id: number }[]
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

/** Starts our built server with the given flags. */
export async function startBuiltServer(...args: readonly string[]): Promise<Running> {
  const file = resolveLocalPath('../dist/cli/bin.js')
  const child = spawn(process.execPath, [file, ...args, '--port', '0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
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
