import type { Pace } from '../world/work.ts'

/** Pauses of a Node server. During a pause it handles all requests that have arrived. */
export const nodePace: Pace = {
  now: () => performance.now(),
  pause: () => new Promise((resolve) => setImmediate(resolve)),
}
