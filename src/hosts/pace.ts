import type { PausePolicy } from '../world/work.ts'

/** The pauses of a Node.js server. During a pause it handles all requests that have arrived. */
export const nodePace: PausePolicy = {
  now: () => performance.now(),
  pause: () => new Promise((resolve) => setImmediate(resolve)),
}
