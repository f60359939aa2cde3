import type { ClockState } from '../world/clock.ts'
import type { WorldCheck } from '../world/invariant.ts'
import type * as inputs from '../generated/inputs.ts'
import type { ReplayState } from '../scenario/player.ts'
import type { Control } from './control.ts'
import type { TextResponse } from './text-response.ts'

/** A request's use of a world. */
export interface Lease {
  /** @throws {UnavailableError} if another server may own the world */
  check: () => void
  leave: () => void
}

/**
 * A world on a server, for the control plane. Long operations run in slices, and requests to other
 * worlds are answered between slices.
 */
export interface ServedWorld {
  readonly control: Control
  /** The long operation in progress, such as `seeking`; null without one. */
  readonly operation: string | null
  /** True if effects are due, so reading the world may take long. */
  readonly hasDueEffects: boolean
  /**
   * Queues a job and runs it. `operation` is the name of a long operation.
   * @throws {QueueFullError} if too many jobs wait.
   */
  run: <Result>(operation: string | null, job: () => Result | Promise<Result>) => Promise<Result>
  /** Runs `control.clock` in slices, within a job. */
  changeClock: (change: inputs.ClockChange) => Promise<ClockState>
  /** Runs `control.replay` in slices, within a job. */
  replay: (command: inputs.ReplayCommand) => Promise<ReplayState>
  /** Runs `control.check` in slices, within a job. @throws {TooManyRowsError} */
  check: () => Promise<WorldCheck>
  /**
   * Waits until the store accepts writes. Call and await the returned function before sending the
   * response.
   */
  admit: () => Promise<(() => Promise<void>) | undefined>
  /**
   * Makes this server the owner of an isolated world, or of the main one, while a request uses it.
   * Check the lease before sending the response. Undefined if other servers cannot use the world.
   * @throws {UnavailableError} if another server owns it
   */
  own: (name?: string) => Promise<Lease | undefined>
  /** Writes the metrics of the server in the text format of Prometheus. @throws {SandboxError} */
  writeMetrics: () => Promise<TextResponse>
  /**
   * Returns an isolated world. With `isMade`, it is created if needed. @throws {NotFoundError} if it
   * does not exist
   */
  world: (name: string, options: { isMade: boolean }) => ServedWorld
}
