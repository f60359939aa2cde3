import type { FakeTimers } from './fake-timers.ts'
import type { MomentInput } from './real-time.ts'

/**
 * Source of the time. `frozen`: the time changes only on request. `running`: real time, multiplied
 * by a rate. `follow`: the time of a function or of fake timers.
 */
export type ClockMode = 'frozen' | 'running' | 'follow'

/** Returns the clock as JSON. */
export interface ClockState {
  now: string
  mode: ClockMode
  rate: number
}

/** The clock of a sandbox. Its time never decreases, unless the sandbox is reset or restored. */
export interface Clock {
  readonly mode: ClockMode
  /** Sandbox seconds per real second while the clock is running. */
  readonly rate: number
  /** Returns the time, epoch ms. */
  now(): number
  /** Returns the time, RFC 3339. */
  iso(): string
  /**
   * Advances the clock by milliseconds or by a duration such as `2h 1s`. Runs the effects that
   * become due.
   * @throws {SandboxError} if the duration is malformed or negative
   */
  advance(duration: string | number): void
  /**
   * Moves the clock forward to a time: RFC 3339, epoch ms, a `Date`, or `'now'` for the real time.
   * Runs the effects that become due.
   * @throws {SandboxError} if the time is malformed or before the current time
   */
  set(time: MomentInput): void
  /** Stops the clock. */
  freeze(): void
  /**
   * Runs the clock at `rate` times real time until `until`, epoch ms.
   * @default rate 1, no end
   * @throws {SandboxError} if the rate is not a number above 0 and at most 1,000,000
   */
  run(rate?: number, options?: { until?: number }): void
  /**
   * Takes the time from the fake timers of a test runner, or from a function such as
   * `() => Date.now()`. Fake timers are first set to the time of this clock. `freeze`, `run`, and a
   * reset or seek that restores another mode end this. If the source throws, goes back or does not
   * return a number, the read throws a `SandboxError` and the clock is frozen at its last time.
   * @throws {SandboxError} if the first read of the source fails, if a function returns an earlier
   * time than this clock, or if the fake timers are not installed.
   * @example
   * vi.useFakeTimers()
   * sandbox.clock.follow(vi)
   */
  follow(source: FakeTimers | (() => number)): void
  /** Returns the clock as JSON. */
  state(): ClockState
}
