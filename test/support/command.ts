import { EventEmitter } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { runCli as runCommand } from '../../src/cli/run.ts'

/** Result of a command. */
export interface Ended {
  code: number | null
  stdout: string
  stderr: string
}

/** A server started by a command. */
export interface RunningCommand extends ReturnType<typeof createServerClient> {
  url: string
  /** Output of the server until it started listening. */
  printed: string
  /** Sends a signal and waits until the process ends. */
  stop: (signal?: NodeJS.Signals) => Promise<Ended>
}

/**
 * Runs the command to its end in this process, because a separate process (process.ts) takes
 * seconds.
 */
export async function runInProcess(...flags: string[]): Promise<Ended> {
  const { host, end, texts } = createHost()
  const code = await runCommand(flags, host)
  if (!isServing(host)) return { code, ...texts }
  host.emit('SIGTERM')
  return end
}

/** Runs a command, and expects that it exits with 2 and prints one line with the given texts. */
export async function expectRefusal(flags: readonly string[], ...texts: string[]): Promise<void> {
  const { code, stdout, stderr } = await runInProcess(...flags)
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  for (const text of texts) expect(stderr).toContain(text)
  expect(stderr.trimEnd()).not.toContain('\n')
}

/** Starts a command. It runs until it exits or receives a signal. */
export function startCommand(...flags: string[]): {
  ended: Promise<Ended>
  /** The output so far. */
  texts: Readonly<Omit<Ended, 'code'>>
  send: (signal: NodeJS.Signals) => void
} {
  const { host, texts } = createHost()
  const ended = runCommand(flags, host).then((code) => ({ code, ...texts }))
  return { ended, texts, send: (signal) => void host.emit(signal) }
}

/** Runs a server until it exits. */
export async function runUntilExit(...flags: string[]): Promise<Ended> {
  const { host, end, texts } = createHost()
  const code = await runCommand(flags, host)
  if (!isServing(host)) return { code, ...texts }
  const ended = await end
  host.emit('SIGTERM')
  return ended
}

/** Starts the server on a free port in this process, and stops it at the end of the test. */
export async function serveCommand(...flags: string[]): Promise<RunningCommand> {
  const { host, end, texts } = createHost()
  const code = await runCommand(addFreePort(flags), host)
  if (!isServing(host)) throw new Error(`the server ended with ${code}: ${texts.stderr}`)
  const stop = (signal: NodeJS.Signals = 'SIGTERM') => {
    host.emit(signal)
    return end
  }
  let isStopped = false
  void end.then(() => (isStopped = true))
  onTestFinished(async () => {
    if (!isStopped) await stop()
  })
  const url = extractUrl(texts.stdout)
  return { url, printed: texts.stdout, stop, ...createServerClient(url) }
}

/** Returns functions that send requests to a server. */
export function createServerClient(url: string) {
  const json = { 'content-type': 'application/json' }
  // oxlint-disable-next-line typescript/no-explicit-any
  const control = async (path: string, body?: object, method = 'POST'): Promise<any> => {
    const init = body && { method, headers: json, body: JSON.stringify(body) }
    return (await fetch(`${url}/_sandbox/${path}`, init)).json()
  }
  return {
    /** Reads JSON from the control plane, or sends a body to it. */
    control,
    /** Sends a request to the API as the owner. `ACCOUNT` in the path is the first account. */
    async api(path: string, init?: RequestInit) {
      const { keys, accounts } = await control('state')
      const headers = { ...json, authorization: `Bearer ${keys[0].key}`, ...init?.headers }
      return fetch(url + path.replace('ACCOUNT', accounts[0].id), { ...init, headers })
    },
  }
}

/** Returns server flags that select a free port. */
export function addFreePort(flags: readonly string[]): string[] {
  const [first = '', ...others] = flags
  return first === 'replay' || first === 'record' || first === 'watch'
    ? [first, '--port', '0', ...others]
    : ['--port', '0', ...flags]
}

/** Returns the first URL in the output of a server. */
export function extractUrl(printed: string): string {
  return /https?:\/\/\S+/.exec(printed)?.[0] ?? ''
}

/** Creates a folder that is removed at the end of the test. */
export function createTemporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'creator-api-sandbox-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Writes a file that is removed at the end of the test. Returns its path. */
export function writeTemporaryFile(text: string, name = 'mine.yaml'): string {
  const file = join(createTemporaryFolder(), name)
  writeFileSync(file, text)
  return file
}

/**
 * Creates a fake process for the command, which collects the output and resolves `end` instead of
 * exiting.
 */
function createHost() {
  const texts = { stdout: '', stderr: '' }
  let exit: (code: number) => void = () => {}
  const end = new Promise<Ended>((resolve) => {
    // A slow machine prints the progress of seeding, a fast one does not.
    exit = (code) =>
      resolve({ code, ...texts, stderr: texts.stderr.replace(/^Generating data: \d+ %\n/gm, '') })
  })
  const write = (stream: keyof typeof texts) => ({
    write: (text: string) => void (texts[stream] += text),
  })
  const host = Object.assign(new EventEmitter(), {
    stdout: write('stdout'),
    stderr: write('stderr'),
    exit: (code: number) => exit(code),
  })
  return { host, end, texts }
}

function isServing(host: EventEmitter): boolean {
  return host.listenerCount('SIGTERM') > 0
}
