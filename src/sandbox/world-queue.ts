import { createErrorReply } from '../api/envelope.ts'
import { handleRequest } from '../api/handle-request.ts'
import type { Call, Reply } from '../api/route.ts'
import { runInSlices, sliceMs, SlicedWork } from '../world/work.ts'
import type { PausePolicy, Work } from '../world/work.ts'
import { OutdatedRequestError, QueueFullError } from '../errors.ts'
import type { ActiveScenario } from './active-scenario.ts'

/** Maximum number of requests and operations that can wait for one world. */
const maxWaiting = 1000

/** The world whose requests a queue runs. */
export interface QueueHost {
  /** @throws {SandboxError} if the sandbox is closed */
  readonly active: ActiveScenario
  readonly isClosed: boolean
  /** The error that occurred while the world was prepared. */
  readonly failure: Error | undefined
  /** Number of the last reset of this world. */
  readonly lastReset: number
  /** Handles a request that was sent before a reset, in a copy of the seeded state. */
  handleInCopy: (call: Call) => Promise<Reply>
}

/** Methods that replace the state of a world, by the name of their operation. */
const replacingMethods: Readonly<Record<string, string>> = {
  loading: 'loadScenario()',
  restoring: 'restore()',
  resetting: 'reset()',
}

/**
 * Runs the requests and long operations of a world one by one, in order of arrival. If `pace` is
 * set, as on a server, long operations run in slices, and requests to other worlds are handled in
 * between. Without `pace`, as in the library, long operations run without pauses.
 */
export class WorldQueue {
  readonly #host: QueueHost
  /** Set on servers, which run long operations in slices. */
  pace: PausePolicy | undefined
  readonly #waiting: (() => Promise<void> | void)[] = []
  #isOccupied = false
  #running: SlicedWork<unknown> | undefined
  #operation: string | null = null
  /** The operations that replace the state of the world, in order, until they end. */
  readonly #replacements: { operation: string }[] = []
  /** True while a job runs synchronously, so that calls come from the job itself. */
  #isInTurn = false

  constructor(host: QueueHost, pace?: PausePolicy) {
    this.#host = host
    this.pace = pace
  }

  /** True if nothing is running or waiting. */
  get isFree(): boolean {
    return !this.#isOccupied
  }

  /** The long operation in progress, such as `seeding`, or null. */
  get operation(): string | null {
    const { isClosed } = this.#host
    return isClosed || this.#host.active.isReady ? this.#operation : 'seeding'
  }

  /**
   * True if effects are due that must run in slices before the next request. Without `pace`, the
   * request itself runs these effects.
   */
  get hasDueEffects(): boolean {
    return this.pace !== undefined && this.#areEffectsDue
  }

  /** True if an operation that replaces the state of the world is running or waiting. */
  get isReplacing(): boolean {
    return this.#replacements.length > 0
  }

  /**
   * The method that the caller must await before using the world, because it replaces its state.
   * Undefined if there is none.
   */
  get methodToAwait(): string | undefined {
    if (this.#isInTurn) return undefined
    return this.#replacements.map(({ operation }) => replacingMethods[operation]).find(Boolean)
  }

  /**
   * Handles a request when its turn comes, which is immediately if the world is ready and idle.
   * `sentAfter` is the number of the last reset when the request was sent.
   */
  handle(call: Call, sentAfter = Infinity): Promise<Reply> {
    const { active } = this.#host
    return this.#isOccupied || !active.isReady || this.hasDueEffects
      ? this.#handleInTurn(call, active, sentAfter)
      : this.#handle(active, call, sentAfter)
  }

  /** Handles a request that does not access the world. */
  handleNow(call: Call): Promise<Reply> {
    return this.#handle(this.#host.active, call)
  }

  /**
   * Runs a job exclusively, after `ready` and all due effects. `operation` names the job if it may
   * take long.
   *
   * @throws {QueueFullError} if too many jobs are waiting
   */
  run<Result>(operation: string | null, job: () => Result | Promise<Result>): Promise<Result> {
    this.#requireRoom()
    return this.#runAlone(operation, async () => {
      if (this.#host.failure !== undefined) throw this.#host.failure
      if (!this.#host.isClosed) await this.#host.active.ready
      if (this.#areEffectsDue) await this.#runDueEffects()
      return this.#runInTurn(job)
    })
  }

  /** Runs a job that replaces the state of the world. Nothing else runs until the job ends. */
  replace<Result>(operation: string, job: () => Result | Promise<Result>): Promise<Result> {
    const replacement = { operation }
    this.#replacements.push(replacement)
    return this.#runAlone(operation, async () => {
      try {
        return await this.#runInTurn(job)
      } finally {
        this.#replacements.splice(this.#replacements.indexOf(replacement), 1)
      }
    })
  }

  #runInTurn<Result>(job: () => Result): Result {
    this.#isInTurn = true
    try {
      return job()
    } finally {
      this.#isInTurn = false
    }
  }

  /** Runs a job exclusively. No other job or request of the world runs until the job ends. */
  #runAlone<Result>(
    operation: string | null,
    job: () => Result | Promise<Result>,
  ): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#enter(() => this.#runExclusively(operation, async () => job()).then(resolve, reject))
    })
  }

  /** Runs work for which no caller waits. Skipped if the sandbox was closed. */
  async runUnlessClosed(operation: string, work: () => Work): Promise<void> {
    if (this.#host.isClosed) return
    try {
      await this.run(operation, () => this.work(work(), operation))
    } catch (error) {
      if (!this.#host.isClosed) throw error
    }
  }

  /** Runs work on the world within a job. The clock is stopped until the work ends. */
  async work<Result>(work: Work<Result>, operation = this.#operation): Promise<Result> {
    const release = this.#host.isClosed ? undefined : this.#host.active.world.clock.hold()
    const sliced = new SlicedWork(work)
    this.#running = sliced
    try {
      return await this.#runExclusively(operation, () => sliced.run(this.pace))
    } finally {
      this.#running = undefined
      release?.()
    }
  }

  /** Runs work that does not access the world. */
  slice<Result>(work: Work<Result>): Promise<Result> {
    return runInSlices(work, this.pace)
  }

  /** Finishes the work in progress immediately, for a synchronous caller. */
  finishWork(): void {
    this.#running?.finish()
  }

  get #areEffectsDue(): boolean {
    return !this.#host.isClosed && this.#host.active.world.hasDueEffects
  }

  #requireRoom(): void {
    if (this.#waiting.length < maxWaiting) return
    throw new QueueFullError(
      `Failed to wait for the world: it is busy${this.operation === null ? '' : ` ${this.operation}`}` +
        `, and ${maxWaiting} requests are already waiting. Send the request again later.`,
    )
  }

  async #handle({ pipeline }: ActiveScenario, call: Call, sentAfter = Infinity): Promise<Reply> {
    try {
      if (sentAfter < this.#host.lastReset) throw new OutdatedRequestError()
      return await handleRequest(pipeline, call)
    } catch (error) {
      if (error instanceof OutdatedRequestError) return this.#host.handleInCopy(call)
      throw error
    }
  }

  async #handleInTurn(call: Call, active: ActiveScenario, sentAfter: number): Promise<Reply> {
    try {
      this.#requireRoom()
    } catch (error) {
      if (error instanceof QueueFullError) return createUnavailableReply(error)
      throw error
    }
    if (!active.isReady) await active.ready
    return new Promise((resolve, reject) => {
      // Does not await the response. A request makes its changes before its first `await`, so the
      // next request can start then.
      this.#enter(async () => {
        try {
          if (this.hasDueEffects) await this.#runDueEffects()
          const { failure, isClosed } = this.#host
          if (failure !== undefined) return resolve(createUnavailableReply(failure))
          // Gets the world again, because another scenario may have been loaded in the meantime. A
          // closed sandbox also responds.
          resolve(this.#handle(isClosed ? active : this.#host.active, call, sentAfter))
        } catch (error) {
          reject(error)
        }
      })
    })
  }

  #runDueEffects(): Promise<void> {
    return this.work(this.#host.active.world.dueEffects(), 'playing')
  }

  async #runExclusively<Result>(
    operation: string | null,
    job: () => Promise<Result>,
  ): Promise<Result> {
    const before = this.#operation
    this.#operation = operation
    try {
      return await job()
    } finally {
      this.#operation = before
    }
  }

  #enter(start: () => Promise<void> | void): void {
    this.#waiting.push(start)
    if (!this.#isOccupied) void this.#runAll()
  }

  async #runAll(): Promise<void> {
    this.#isOccupied = true
    let start = this.pace?.now() ?? 0
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      await next()
      if (this.pace === undefined || this.pace.now() - start < sliceMs) continue
      await this.pace.pause()
      start = this.pace.now()
    }
    this.#isOccupied = false
  }
}

function createUnavailableReply({ message }: Error): Reply {
  return createErrorReply(503, message)
}
