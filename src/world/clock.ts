import type { FakeTimers } from './fake-timers.ts'
import type { MomentInput } from './real-time.ts'

/**
 * The source of time: calls (`frozen`), real time at a rate (`running`), or a function or fake
 * timers (`follow`).
 */
export type ClockMode = 'frozen' | 'running' | 'follow'

/** The clock as JSON. */
export interface ClockState {
  now: string
  mode: ClockMode
  rate: number
}

/**
 * The only source of time of a sandbox. It only moves forwards, except when the sandbox is reset or
 * restored.
 */
export interface Clock {
  readonly mode: ClockMode
  /** Sandbox seconds per real second while the clock runs. */
  readonly rate: number
  /** The time, epoch ms. */
  now(): number
  /** The time as RFC 3339. */
  iso(): string
  /**
   * Moves the time on by milliseconds or by a duration such as `2h 1s`. Effects that fall due on
   * the way run.
   * @throws {SandboxError} on a malformed or negative duration.
   */
  advance(duration: string | number): void
  /**
   * Moves the time to a later instant: RFC 3339, epoch ms, a `Date`, or `'now'`, the real time.
   * Effects that fall due on the way run.
   * @throws {SandboxError} if the instant is malformed or earlier than now.
   */
  set(instant: MomentInput): void
  /** Stops the time. */
  freeze(): void
  /**
   * Lets the time run with real time, and stops it at `until`, epoch ms.
   * @throws {SandboxError} if the rate is not a number above 0 and at most 1,000,000.
   */
  run(rate?: number, options?: { until?: number }): void
  /**
   * Takes the time from the fake timers of a test runner, which are set once to the time of this
   * clock, or from a function, such as `() => Date.now()`. This ends with `freeze` or `run`, or
   * when a reset or a seek restores another mode. It also ends if the source throws, goes back or
   * returns no number: the read throws a `SandboxError`, and the clock stands at its last time.
   * @throws {SandboxError} if the source fails at once, if a function returns a time before that of
   * this clock, or if the fake timers are not installed.
   * @example
   * vi.useFakeTimers()
   * sandbox.clock.follow(vi)
   */
  follow(source: FakeTimers | (() => number)): void
  /** The clock as JSON. */
  state(): ClockState
}
