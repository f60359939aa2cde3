import { fstatSync, readFileSync } from 'node:fs'
import { SandboxError } from '../errors.ts'

/** Interval between checks of the parent process, ms. */
const checkMs = 500

/**
 * Checks that stdin is a pipe, because a pipe closes when the parent process ends.
 *
 * @throws {SandboxError} if stdin is a terminal or a file
 */
export function requireStdinPipe(): void {
  const stdin = fstatSync(0)
  if (stdin.isFIFO() || stdin.isSocket()) return
  throw new SandboxError(
    'Failed to serve with --exit-with-parent: stdin is not a pipe, so the end of the parent process cannot be detected. Start the command with a pipe:' +
      " stdio: 'pipe' in Node, " +
      'stdin=subprocess.PIPE in Python.',
  )
}

/** Calls `stop` when the parent process ends or closes stdin. */
export function onStdinEnd(stop: () => void): void {
  process.stdin.once('end', stop).once('error', stop).resume()
}

/**
 * Sends SIGTERM to this process when `npm start` or `npx`, or the shell that it started, has ended.
 * npm sends signals only to that shell, which does not forward them. If npm is killed, the shell
 * remains. Call this function at startup, before npm can end.
 */
export function stopOnNpmExit(): void {
  const command = process.env['npm_command']
  if (command !== 'start' && command !== 'exec') return
  const parent = process.ppid
  const grandparent = readParent(parent)
  const timer = setInterval(() => {
    if (process.ppid === parent && readParent(parent) === grandparent) return
    clearInterval(timer)
    process.kill(process.pid, 'SIGTERM')
  }, checkMs)
  timer.unref()
}

/** Returns the parent of a process on Linux. Undefined on other platforms. */
function readParent(pid: number): string | undefined {
  try {
    return /^PPid:\s*(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  } catch {
    return undefined
  }
}
