import type { Pace } from '../world/work.ts'

/**
 * The pace of a Node server: it answers all requests that have arrived between two slices of work.
 */
export const nodePace: Pace = {
  now: () => performance.now(),
  pause: () => new Promise((resolve) => setImmediate(resolve)),
}
