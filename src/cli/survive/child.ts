import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { SandboxError } from '../../errors.ts'

/** Maximum length of the output that is kept, characters. */
const maxOutputLength = 64 * 1024
/** Time between the request to end and the forced end of a command, ms. */
const graceMs = 2000

/** A command that ended. */
export interface EndedChild {
  /** Null if a signal ended it. */
  exitCode: number | null
  /** The last part of stdout and stderr. */
  output: string
  /** Set if it did not end in time. */
  isLate?: true
}

/** How a command runs. */
interface ChildOptions {
  env: Readonly<Record<string, string>>
  /** Maximum duration, ms. */
  timeoutMs: number
  /** Ends the command. */
  signal: AbortSignal
}

/**
 * Runs a command with all its child processes to its end.
 * @throws {SandboxError} if there is no such program
 */
export function runChild(
  [program = '', ...args]: readonly string[],
  { env, timeoutMs, signal }: ChildOptions,
): Promise<EndedChild> {
  return new Promise((resolve, reject) => {
    const isWindows = process.platform === 'win32'
    const child = spawn(program, args, {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      // Its own process group, so that the programs that it starts end with it.
      detached: !isWindows,
      // npm and others are scripts there, which only a shell starts.
      shell: isWindows,
      windowsHide: true,
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8')
      stream.on('data', (text: string) => {
        output = (output + text).slice(-maxOutputLength)
      })
    }
    let isLate = false
    const stop = () => endGroup(child, 'SIGTERM')
    const timer = setTimeout(() => {
      isLate = true
      stop()
    }, timeoutMs)
    const finish = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', stop)
    }
    child.on('error', (error: NodeJS.ErrnoException) => {
      finish()
      reject(
        new SandboxError(
          `Failed to run ${program}: ${error.code === 'ENOENT' ? 'there is no such program' : error.message}. ` +
            'Give the command after --, as in: creator-api-sandbox survive -- npm test.',
        ),
      )
    })
    child.on('close', (exitCode) => {
      finish()
      resolve({ exitCode, output, ...(isLate ? { isLate: true } : {}) })
    })
    signal.addEventListener('abort', stop)
    if (signal.aborted) stop()
  })
}

/** Sends a signal to a command and the programs that it started. Kills them if it does not end. */
function endGroup(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): void {
  const { pid } = child
  if (pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  try {
    if (process.platform === 'win32') child.kill(signal)
    else process.kill(-pid, signal)
  } catch (error) {
    // It ended in the meantime.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
  if (signal === 'SIGTERM') setTimeout(() => endGroup(child, 'SIGKILL'), graceMs).unref()
}
