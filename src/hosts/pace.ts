import type { Pace } from '../world/work.ts'

/** The pace of a Node server: between two slices of work, all that has arrived is answered. */
export const nodePace: Pace = {
  now: () => performance.now(),
  pause: () => new Promise((resolve) => setImmediate(resolve)),
}
