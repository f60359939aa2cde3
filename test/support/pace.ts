import type { Pace } from '../../src/world/work.ts'

/**
 * A pace that a test sets: each unit of work is a slice of its own, and waits until the test lets
 * it go on.
 */
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
    /** Lets all work go on to its end from here on. */
    async go() {
      pace.pause = () => Promise.resolve()
      for (const resolve of paused) resolve()
      paused = []
      await arrived()
    },
  }
}

/** Resolves when everything has happened that needs no more time: what was sent has arrived. */
export function arrived(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
