import type { ClockState } from '../world/clock.ts'
import type { WorldCheck } from '../world/invariant.ts'
import type * as inputs from '../generated/inputs.ts'
import type { ReplayState } from '../scenario/player.ts'
import type { JournalEntry, JournalRow } from '../world/journal/journal-entry.ts'
import type { Work } from '../world/work.ts'
import type { DataPage } from './table-page.ts'
import type { RecordView } from './edit-records.ts'
import type { Control } from './control.ts'
import type { ResetResult } from './control-host.ts'
import type { WorldRow } from './world-list.ts'
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
  /** Runs `control.clock` in slices, within a job. */
  changeClock: (change: inputs.ClockChange) => Promise<ClockState>
  /** Runs `control.reset` after the requests and operations that are waiting. */
  reset: () => Promise<ResetResult>
  /** Runs `control.replay` in slices, within a job. */
  replay: (command: inputs.ReplayCommand) => Promise<ReplayState>
  /** Runs `control.data` in slices, within a job. */
  readTable: (table: string, query: inputs.DataQuery) => Promise<DataPage>
  /** Runs `control.record` in slices, within a job. */
  readRecord: (table: string, id: string) => Promise<RecordView>
  /** Runs `control.removeRecord` in slices, within a job. */
  removeRecord: (table: string, id: string) => Promise<void>
  /** Runs `control.requests` in slices, within a job. */
  readRequests: (filter: inputs.RequestFilter) => Promise<JournalEntry[]>
  /** Runs `control.requestRows` in slices, within a job. */
  readRequestRows: (filter: inputs.RequestFilter) => Promise<JournalRow[]>
  /** Runs `control.requestRowsOfAllWorlds` in slices, within a job. */
  readRequestRowsOfAllWorlds: (filter: inputs.RequestFilter) => Promise<WorldRow[]>
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
