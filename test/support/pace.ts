import type { PausePolicy } from '../../src/world/work.ts'

/** Creates a `PausePolicy` that pauses work after each unit until the test continues it. */
export function createManualPause() {
  let now = 0
  let paused: (() => void)[] = []
  const pace: PausePolicy = {
    now: () => (now += 1000),
    pause: () => new Promise((resolve) => paused.push(resolve)),
  }
  return {
    pace,
    /** Runs one more slice of paused work. */
    async step() {
      await waitForIo()
      for (const resolve of paused.splice(0)) resolve()
      await waitForIo()
    },
    /** Runs all work to completion. */
    async go() {
      pace.pause = () => Promise.resolve()
      for (const resolve of paused) resolve()
      paused = []
      await waitForIo()
    },
  }
}

/** Waits for pending I/O, such as sent requests. */
export function waitForIo(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
