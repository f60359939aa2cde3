import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { extractUrl, addFreePort, createServerClient } from './command.ts'
import type { Ended, RunningCommand } from './command.ts'

/** The command as the package contains it. `bundle-command.ts` bundles it before the long tests. */
export const bundledCommand: readonly string[] = [
  process.execPath,
  fileURLToPath(new URL('../../dist/cli/bin.js', import.meta.url)),
]

const sources = fileURLToPath(new URL('../../src/cli/bin.ts', import.meta.url))

/** Runs the command to its end in a separate process. */
export function runProcess(...flags: string[]): Promise<Ended> {
  return waitForExit(startProcess(flags))
}

/** Starts the server on a free port in a separate process, and kills it at the end of the test. */
export async function serveProcess(...flags: string[]): Promise<RunningCommand> {
  const child = startProcess(addFreePort(flags))
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  const end = waitForExit(child)
  const printed = await new Promise<string>((resolve, reject) => {
    let text = ''
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString()
      if (text.endsWith('\n')) resolve(text)
    })
    void end.then(({ code, stderr }) =>
      reject(new Error(`the server ended with ${code}: ${stderr}`)),
    )
  })
  const url = extractUrl(printed)
  return {
    url,
    printed,
    ...createServerClient(url),
    stop(signal = 'SIGTERM') {
      child.kill(signal)
      return end
    },
  }
}

/**
 * Starts the command in a separate process without waiting for it.
 * @param preload A file that changes modules of the sources before the command starts from them.
 */
export function startProcess(
  flags: readonly string[],
  { stdin = 'ignore', preload }: { stdin?: 'ignore' | 'pipe'; preload?: string } = {},
): ChildProcess {
  const [program = '', ...args] =
    preload === undefined
      ? bundledCommand
      : [process.execPath, '--import', 'tsx', '--import', preload, sources]
  return spawn(program, [...args, ...flags], { stdio: [stdin, 'pipe', 'pipe'] })
}

/** Waits until a process ends. */
export function waitForExit(child: ChildProcess): Promise<Ended> {
  let [stdout, stderr] = ['', '']
  child.stdout?.on('data', (chunk: Buffer) => {
    stdout += chunk.toString()
  })
  child.stderr?.on('data', (chunk: Buffer) => {
    stderr += chunk.toString()
  })
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, stdout, stderr })))
}
