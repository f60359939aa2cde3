import type { PausePolicy } from '../world/work.ts'

/** Pauses on a Node.js server, which handle all requests that have arrived. */
export const nodePace: PausePolicy = {
  now: () => performance.now(),
  pause: () => new Promise((resolve) => setImmediate(resolve)),
}
