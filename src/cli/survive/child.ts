import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { stripVTControlCharacters } from 'node:util'
import { SandboxError } from '../../errors.ts'

/** Maximum length of the stored output, characters. */
const maxOutputLength = 64 * 1024
/** Maximum length of the stored stdout, characters. */
const maxStdoutLength = 4 * 1024 * 1024
/** Delay between SIGTERM and SIGKILL, ms. */
const graceMs = 2000
/** Time that programs may continue to write output after the command has ended, ms. */
const leftoverMs = 1000

/** The result of a command. */
export interface EndedChild {
  /** Null if a signal terminated the command. */
  exitCode: number | null
  /** The signal that terminated the command, such as SIGSEGV. */
  signal: NodeJS.Signals | null
  /** Last part of stdout and stderr, without colours. */
  output: string
  /** First part of stdout, without colours. */
  stdout: string
  /** Set if the command timed out. */
  isLate?: true
}

interface ChildOptions {
  env: Readonly<Record<string, string>>
  /** Timeout, ms. */
  timeoutMs: number
  /** Stops the command when aborted. */
  signal: AbortSignal
}

/**
 * Runs a command to its end. Then stops programs that the command has left running, such as a
 * server.
 *
 * @throws {SandboxError} if the program does not exist
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
      // The command gets its own process group, so its child processes are stopped too.
      detached: !isWindows,
      // On Windows, programs such as npm are scripts that need a shell.
      shell: isWindows,
      windowsHide: true,
    })
    let output = ''
    let stdout = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8')
      stream.on('data', (text: string) => {
        output = (output + text).slice(-maxOutputLength)
      })
    }
    child.stdout.on('data', (text: string) => {
      if (stdout.length < maxStdoutLength) stdout += text
    })
    let isLate = false
    let killTimer: NodeJS.Timeout | undefined
    let leftoverTimer: NodeJS.Timeout | undefined
    const stop = () => {
      signalGroup(child, 'SIGTERM')
      killTimer ??= setTimeout(() => signalGroup(child, 'SIGKILL'), graceMs)
    }
    const timer = setTimeout(() => {
      isLate = true
      stop()
    }, timeoutMs)
    const finish = () => {
      for (const each of [timer, killTimer, leftoverTimer]) clearTimeout(each)
      signal.removeEventListener('abort', stop)
    }
    child.on('error', (error: NodeJS.ErrnoException) => {
      finish()
      reject(
        new SandboxError(
          `Failed to run ${program}: ` +
            `${error.code === 'ENOENT' ? 'there is no such program' : error.message}. Write the ` +
            'command after --, such as: npx creator-api-sandbox survive -- npm test.',
        ),
      )
    })
    // The output stays open as long as a program that the command started is running.
    child.on('exit', () => {
      leftoverTimer = setTimeout(stop, leftoverMs)
    })
    child.on('close', (exitCode, endedBy) => {
      finish()
      signalGroup(child, 'SIGTERM')
      resolve({
        exitCode,
        signal: endedBy,
        output: stripVTControlCharacters(output),
        stdout: stripVTControlCharacters(stdout),
        ...(isLate ? { isLate: true } : {}),
      })
    })
    signal.addEventListener('abort', stop)
    if (signal.aborted) stop()
  })
}

/** Sends a signal to a command and the programs that it started, if they are still running. */
function signalGroup(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): void {
  const { pid } = child
  if (pid === undefined) return
  try {
    if (process.platform === 'win32') child.kill(signal)
    else process.kill(-pid, signal)
  } catch (error) {
    // The processes may have ended in the meantime.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
