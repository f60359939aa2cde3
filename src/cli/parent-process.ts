import { fstatSync } from 'node:fs'
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
 * Calls `stop` when the shell that `npm start` or `npx` started has ended. npm sends signals only
 * to that shell, which does not forward them.
 */
export function onNpmExit(stop: () => void): void {
  const command = process.env['npm_command']
  if (command !== 'start' && command !== 'exec') return
  const shell = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === shell) return
    clearInterval(timer)
    stop()
  }, checkMs)
  timer.unref()
}
