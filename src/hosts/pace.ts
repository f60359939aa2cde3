import type { PausePolicy } from '../world/work.ts'

/**
 * Pauses long operations of a Node.js server. During a pause, the server handles all requests that
 * have arrived.
 */
export const nodePace: PausePolicy = {
  now: () => performance.now(),
  pause: () => new Promise((resolve) => setImmediate(resolve)),
}
