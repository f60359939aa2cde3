import type { AbortNotifier } from './route.ts'

/**
 * Waits for a number of milliseconds of real time, or until the client disconnects.
 * @param running contains a function that ends the delay, until the delay has ended
 */
export function wait(
  ms: number,
  signal: AbortNotifier | undefined,
  running?: Set<() => void>,
): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(finish, ms)
    function finish(): void {
      clearTimeout(timer)
      running?.delete(finish)
      signal?.removeEventListener('abort', finish)
      resolve()
    }
    running?.add(finish)
    if (signal?.aborted === true) finish()
    else signal?.addEventListener('abort', finish)
  })
}
