import type { Pace } from '../../src/world/work.ts'

/** A pace that a test controls: each unit of work is a slice, and waits for the test. */
export function createPace() {
  let now = 0
  let paused: (() => void)[] = []
  const pace: Pace = {
    now: () => (now += 1000),
    pause: () => new Promise((resolve) => paused.push(resolve)),
  }
  return {
    pace,
    /** Lets the paused work do one more slice. */
    async step() {
      await arrived()
      for (const resolve of paused.splice(0)) resolve()
      await arrived()
    },
    /** Lets all work finish from here on. */
    async go() {
      pace.pause = () => Promise.resolve()
      for (const resolve of paused) resolve()
      paused = []
      await arrived()
    },
  }
}

/** Resolves when all pending I/O that needs no timer is done, such as sent requests. */
export function arrived(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
