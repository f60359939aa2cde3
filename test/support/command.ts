import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

const bin = fileURLToPath(new URL('../../src/cli/bin.ts', import.meta.url))

/** How a command ended. */
export interface Ended {
  code: number | null
  stdout: string
  stderr: string
}

/** A server that runs in a process of its own. */
export interface RunningCommand {
  url: string
  /** What it printed when it began to listen. */
  printed: string
  /** Sends the signal and waits for the end. */
  stop: (signal?: NodeJS.Signals) => Promise<Ended>
}

/** Runs the command to its end. */
export function run(...flags: string[]): Promise<Ended> {
  return ended(start(flags))
}

/** Starts the server on a free port; it is stopped, at the latest, when the test is over. */
export async function serve(...flags: string[]): Promise<RunningCommand> {
  const child = start(isCommand(flags[0]) ? [flags[0], '--port', '0', ...flags.slice(1)] : ['--port', '0', ...flags])
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  const end = ended(child)
  const printed = await new Promise<string>((resolve, reject) => {
    let text = ''
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString()
      if (text.endsWith('\n')) resolve(text)
    })
    void end.then(({ code, stderr }) => reject(new Error(`the server ended with ${code}: ${stderr}`)))
  })
  return {
    url: /https?:\/\/\S+/.exec(printed)?.[0] ?? '',
    printed,
    stop(signal = 'SIGTERM') {
      child.kill(signal)
      return end
    },
  }
}

function isCommand(flag: string | undefined): flag is string {
  return flag === 'replay' || flag === 'record'
}

/** A folder of its own for a test, removed when it is over. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'creator-api-sandbox-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Starts the command, and leaves it to itself. */
export function start(flags: readonly string[]): ChildProcess {
  return spawn(process.execPath, ['--import', 'tsx', bin, ...flags], { stdio: ['ignore', 'pipe', 'pipe'] })
}

/** Waits for the end of a process. */
export function ended(child: ChildProcess): Promise<Ended> {
  let [stdout, stderr] = ['', '']
  child.stdout?.on('data', (chunk: Buffer) => {
    stdout += chunk.toString()
  })
  child.stderr?.on('data', (chunk: Buffer) => {
    stderr += chunk.toString()
  })
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, stdout, stderr })))
}
