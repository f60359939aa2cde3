import type { AbortNotifier } from './route.ts'

/** Waits for a number of milliseconds in real time, or until the client disconnects. */
export function wait(ms: number, signal: AbortNotifier | undefined): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(finish, ms)
    function finish(): void {
      clearTimeout(timer)
      signal?.removeEventListener('abort', finish)
      resolve()
    }
    if (signal?.aborted === true) finish()
    else signal?.addEventListener('abort', finish)
  })
}
