import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const bin = fileURLToPath(new URL('../../src/cli/bin.ts', import.meta.url))

export type HostileServer = Awaited<ReturnType<typeof startServer>>

/** Starts a server process on a free loopback port. `nodeFlags` are options of Node.js. */
export async function startServer(
  flags: readonly string[],
  { nodeFlags = [], isQuiet = true }: { nodeFlags?: readonly string[]; isQuiet?: boolean } = {},
) {
  const child = spawn(
    process.execPath,
    [
      ...nodeFlags,
      '--import',
      'tsx',
      bin,
      '--port',
      '0',
      ...(isQuiet ? ['--quiet'] : []),
      ...flags,
    ],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  )
  let errors = ''
  child.stderr.on('data', (chunk: Buffer) => {
    errors = (errors + chunk.toString()).slice(-20_000)
  })
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.once('data', (chunk: Buffer) =>
      resolve(/https?:\/\/[\w.:[\]]+/.exec(chunk.toString())?.[0] ?? ''),
    )
    void ended.then(() => reject(new Error(`The server did not start: ${errors}`)))
  })
  const status = `/proc/${child.pid}/status`
  return {
    url,
    pid: child.pid ?? 0,
    isAlive: () => child.exitCode === null && child.signalCode === null,
    /** Returns the server's stderr output. */
    errors: () => errors,
    /** Returns the resident memory of the process, MB, or 0 if the value is not available. */
    memoryMb: () =>
      existsSync(status)
        ? Number(/VmRSS:\s+(\d+)/.exec(readFileSync(status, 'utf8'))?.[1] ?? 0) / 1024
        : 0,
    /** Returns the CPU time of the process, ms, or undefined if the value is not available. */
    workedMs() {
      const stat = `/proc/${child.pid}/stat`
      if (!existsSync(stat)) return undefined
      // The process name is in parentheses. The 12th and 13th fields after the name are the user
      // time and the system time, in ticks of 10 ms.
      const fields = readFileSync(stat, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ')
      return (Number(fields[11]) + Number(fields[12])) * 10
    },
    stop() {
      child.kill('SIGTERM')
      return ended
    },
  }
}
