import type { WorldCheck } from '../world/invariant.ts'
import type { Work } from '../world/work.ts'
import type { Control } from './control.ts'
import type { ControlHost, ResetResult } from './control-host.ts'
import type { TextResponse } from './json-pieces.ts'

/** A request's permission to use a world. */
export interface Lease {
  /** @throws {UnavailableError} if another server may now own the world */
  check: () => void
  release: () => void
}

/**
 * A world on a server, as the control plane uses it. Long operations run in slices, between which
 * requests to other worlds are handled.
 */
export interface ServedWorld {
  readonly control: Control
  /** The world on which `control` operates. */
  readonly host: ControlHost
  /** The long operation in progress, such as `seeking`, or null. */
  readonly operation: string | null
  /** True if scheduled effects are due, so that reading the world may take long. */
  readonly hasDueEffects: boolean
  /**
   * Queues a job and runs it. `operation` is the name of a long operation.
   *
   * @throws {QueueFullError} if too many jobs are waiting
   */
  run: <Result>(operation: string | null, job: () => Result | Promise<Result>) => Promise<Result>
  /** Runs `control.reset` after the requests and operations that are waiting. */
  reset: () => Promise<ResetResult>
  /** Runs work in slices. */
  slice: <Result>(work: Work<Result>) => Promise<Result>
  /**
   * Runs `control.check` in slices, within a job.
   *
   * @throws {TooManyRowsError}
   */
  check: () => Promise<WorldCheck>
  /**
   * Waits until the store accepts writes. Before sending the response, call and await the returned
   * function.
   */
  admit: () => Promise<(() => Promise<void>) | undefined>
  /**
   * Makes this server the owner of a world, by default the main world, while a request uses it.
   * Check the lease before sending the response. Returns undefined if other servers cannot use the
   * world.
   * @throws {UnavailableError} if another server owns the world
   */
  acquireLease: (name?: string) => Promise<Lease | undefined>
  /**
   * Writes the server's metrics in the Prometheus text format.
   *
   * @throws {SandboxError}
   */
  writeMetrics: () => Promise<TextResponse>
  /**
   * Returns an isolated world. If `isMade` is set, creates the world if needed.
   *
   * @throws {NotFoundError} if the world does not exist
   */
  world: (name: string, options: { isMade: boolean }) => ServedWorld
}
