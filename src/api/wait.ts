import type { AbortNotifier } from './route.ts'

/** The delays in progress in a world. */
export interface Delays {
  /** Functions that end the delays. */
  readonly delays: Set<() => void>
  /** True if the world is closed, so that new delays end immediately. */
  readonly isClosed: boolean
}

/**
 * Waits for a number of milliseconds of real time, or until the client disconnects or the world is
 * closed.
 */
export function wait(
  ms: number,
  signal: AbortNotifier | undefined,
  { delays, isClosed }: Delays,
): Promise<void> {
  if (isClosed) return Promise.resolve()
  return new Promise((resolve) => {
    const timer = setTimeout(finish, ms)
    function finish(): void {
      clearTimeout(timer)
      delays.delete(finish)
      signal?.removeEventListener('abort', finish)
      resolve()
    }
    delays.add(finish)
    if (signal?.aborted === true) finish()
    else signal?.addEventListener('abort', finish)
  })
}
