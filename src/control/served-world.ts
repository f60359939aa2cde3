import type { ClockState } from '../world/clock.ts'
import type { WorldCheck } from '../world/invariant.ts'
import type * as inputs from '../generated/inputs.ts'
import type { ReplayState } from '../scenario/player.ts'
import type { Control } from './control.ts'
import type { TextAnswer } from './text-answer.ts'

/** The use of a world by a request. */
export interface Lease {
  /** @throws {UnavailableError} if another server may have the world */
  check: () => void
  leave: () => void
}

/**
 * A world on a server, as the control plane uses it. Long operations run in slices, one after
 * another, and requests to other worlds are answered in between.
 */
export interface ServedWorld {
  readonly control: Control
  /** The long operation under way, such as `seeking`; null without one. */
  readonly operation: string | null
  /** True if effects are due, so that reading the world may take long. */
  readonly hasDueEffects: boolean
  /**
   * Runs a job when its turn comes. `operation` names it if it may take long.
   * @throws {CrowdError} if too many jobs wait.
   */
  run: <Result>(operation: string | null, job: () => Result | Promise<Result>) => Promise<Result>
  /** The operation `control.clock`, within a job. */
  changeClock: (change: inputs.ClockChange) => Promise<ClockState>
  /** The operation `control.replay`, within a job. */
  replay: (command: inputs.ReplayCommand) => Promise<ReplayState>
  /** The operation `control.check`, within a job. @throws {TooManyRowsError} */
  check: () => Promise<WorldCheck>
  /** Waits while writes have to wait for the store. Await what it returns before the answer. */
  admit: () => Promise<(() => Promise<void>) | undefined>
  /**
   * Makes this server the owner of an isolated world, or of the main one, as long as a request uses
   * it. Check the lease before the answer. Undefined if no other server can have the world.
   * @throws {UnavailableError} if another server has it
   */
  own: (name?: string) => Promise<Lease | undefined>
  /** Writes the metrics of the server in the text format of Prometheus. @throws {SandboxError} */
  writeMetrics: () => Promise<TextAnswer>
  /**
   * Returns an isolated world. With `isMade` it is created if needed. @throws {UnknownError} if
   * there is no such world
   */
  world: (name: string, options: { isMade: boolean }) => ServedWorld
}
