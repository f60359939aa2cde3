import { jsonHeaders } from '../api/envelope.ts'
import type { Call, Reply } from '../api/route.ts'
import { inSlices, isWork, sliceMs, SlicedWork } from '../world/work.ts'
import type { Pace, Work } from '../world/work.ts'
import { CrowdError } from '../errors.ts'
import type { LoadedScenario } from './loaded-scenario.ts'

/** Maximum number of requests that wait for one world. */
const maxWaiting = 1000

/** The world of a queue. */
export interface QueueHost {
  /** Undefined once the sandbox is closed. */
  loaded: () => LoadedScenario | undefined
  /** The error that kept the world from being prepared. */
  failure: () => Error | undefined
}

/**
 * Lets the requests and long operations of a world run one after another, in the order in which
 * they came. With a pace, as on a server, long operations run in slices, and other worlds are
 * served in between. Without one, as in the library, they run at once.
 */
export class WorldQueue {
  readonly #host: QueueHost
  #pace: Pace | undefined
  readonly #waiting: (() => Promise<void> | void)[] = []
  #isOccupied = false
  #sliced: { finish: () => void } | undefined
  #doing: string | null = null

  constructor(host: QueueHost, pace?: Pace) {
    this.#host = host
    this.#pace = pace
  }

  get pace(): Pace | undefined {
    return this.#pace
  }

  /** Runs long operations in slices from now on. */
  follow(pace: Pace): void {
    this.#pace = pace
  }

  /** True if nothing runs or waits. */
  get isFree(): boolean {
    return !this.#isOccupied
  }

  /** The long operation under way, such as `seeding`; null if there is none. */
  get doing(): string | null {
    return this.#host.loaded()?.isReady === false ? 'seeding' : this.#doing
  }

  /** True if effects have fallen due that a server runs before the next request. */
  get isBehind(): boolean {
    return this.#pace !== undefined && this.#host.loaded()?.world.hasDueEffects === true
  }

  /** Answers a request when its turn comes: at once if the world is free. */
  answer(call: Call, loaded: LoadedScenario): Promise<Reply> {
    const failure = this.#host.failure()
    if (failure !== undefined) return Promise.resolve(unavailable(failure))
    return loaded.isReady && this.isFree && !this.isBehind
      ? loaded.answer(call)
      : this.#answerInTurn(call, loaded)
  }

  /** Runs a job alone, after `ready` and after the effects that have fallen due. */
  run<Result>(
    doing: string | null,
    job: () => Result | Work<Result> | Promise<Result>,
  ): Promise<Result> {
    this.#requireRoom()
    return this.runAlone(async () => {
      const failure = this.#host.failure()
      if (failure !== undefined) throw failure
      await this.#host.loaded()?.ready
      if (this.#host.loaded()?.world.hasDueEffects === true) await this.#settle()
      const result = job()
      return isWork(result) ? this.do(result as Work<Result>, doing ?? 'working') : result
    })
  }

  /** Runs a job alone: nothing else happens to the world until it is over. */
  runAlone<Result>(
    job: () => Result | Promise<Result>,
    doing: string | null = null,
  ): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#enter(() => this.#say(doing, async () => job()).then(resolve, reject))
    })
  }

  /** Runs work that nobody waits for. It is dropped if the sandbox is closed by then. */
  async runUnlessClosed(doing: string, work: () => Work): Promise<void> {
    if (this.#host.loaded() === undefined) return
    try {
      await this.run(doing, work)
    } catch (error) {
      if (this.#host.loaded() !== undefined) throw error
    }
  }

  /** Runs work on the world within a job. The clock does not see the real time that it takes. */
  async do<Result>(work: Work<Result>, doing: string): Promise<Result> {
    const release = this.#host.loaded()?.world.clock.hold()
    const sliced = new SlicedWork(work)
    try {
      return await this.#say(doing, () => {
        this.#sliced = sliced
        return sliced.run(this.#pace)
      })
    } finally {
      this.#sliced = undefined
      release?.()
    }
  }

  /** Runs work that touches no world that others see. */
  slice<Result>(work: Work<Result>): Promise<Result> {
    return inSlices(work, this.#pace)
  }

  /** Finishes the work under way at once, for a caller of the same process that cannot wait. */
  finishNow(): void {
    this.#sliced?.finish()
  }

  /** @throws {CrowdError} if too many requests wait. */
  #requireRoom(): void {
    if (this.#waiting.length < maxWaiting) return
    throw new CrowdError(
      `Failed to wait for the world: it is busy${this.doing === null ? '' : ` ${this.doing}`}, and ` +
        `${maxWaiting} requests wait already. Send them again when it is done.`,
    )
  }

  async #answerInTurn(call: Call, loaded: LoadedScenario): Promise<Reply> {
    try {
      this.#requireRoom()
    } catch (error) {
      if (error instanceof CrowdError) return unavailable(error)
      throw error
    }
    if (!loaded.isReady) await loaded.ready
    return new Promise((resolve, reject) => {
      // The next request begins once this one runs: only its synchronous part has to be in order.
      this.#enter(async () => {
        try {
          if (this.isBehind) await this.#settle()
          const failure = this.#host.failure()
          // Another scenario may be loaded by now. A closed sandbox still answers.
          const answering = (this.#host.loaded() ?? loaded).answer
          resolve(failure === undefined ? answering(call) : unavailable(failure))
        } catch (error) {
          reject(error)
        }
      })
    })
  }

  async #settle(): Promise<void> {
    const world = this.#host.loaded()?.world
    if (world !== undefined) await this.do(world.dueEffects(), 'playing')
  }

  async #say<Result>(doing: string | null, job: () => Promise<Result>): Promise<Result> {
    const before = this.#doing
    this.#doing = doing
    try {
      return await job()
    } finally {
      this.#doing = before
    }
  }

  #enter(start: () => Promise<void> | void): void {
    this.#waiting.push(start)
    if (!this.#isOccupied) void this.#admit()
  }

  async #admit(): Promise<void> {
    this.#isOccupied = true
    let start = this.#pace?.now() ?? 0
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      await next()
      if (this.#pace === undefined || this.#pace.now() - start < sliceMs) continue
      await this.#pace.pause()
      start = this.#pace.now()
    }
    this.#isOccupied = false
  }
}

function unavailable({ message }: Error): Reply {
  return { status: 503, headers: jsonHeaders, body: JSON.stringify({ error: message }) }
}
