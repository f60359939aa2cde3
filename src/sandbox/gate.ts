import type { Pace, Work } from '../engine/work.ts'
import { CrowdError } from '../errors.ts'

/** The longest slice of work between two pauses, ms. */
const sliceMs = 8
/** The most that may wait for one world. */
const mostWaiting = 1000

/** Work under way. Its outcome is there once it is done. */
interface Running {
  work: Work<unknown>
  isInUnit: boolean
  outcome?: { value: unknown } | { error: unknown }
}

/**
 * The gate of a world. Whoever wants something of a world that long work changes waits there, in
 * order. Without a pace, as in the library, work is done at once and nobody waits for it.
 */
export class Gate {
  #pace: Pace | undefined
  readonly #waiting: (() => Promise<void> | void)[] = []
  #isOccupied = false
  #running: Running | undefined
  #doing: string | null = null

  /** `pace`: how to follow from the start. */
  constructor(pace?: Pace) {
    this.#pace = pace
  }

  /** From now on work is done in slices, because a server has others to answer. */
  follow(pace: Pace): void {
    this.#pace = pace
  }

  get pace(): Pace | undefined {
    return this.#pace
  }

  /** @throws {CrowdError} when so many wait that no more can. */
  requireRoom(): void {
    if (this.#waiting.length < mostWaiting) return
    const busy = this.#doing === null ? 'busy' : `busy ${this.#doing}`
    throw new CrowdError(
      `Failed to wait for the world: it is ${busy}, and ${mostWaiting} requests wait already. ` +
        `Send them again when it is done.`,
    )
  }

  /** Whether a request need not wait. */
  get isFree(): boolean {
    return !this.#isOccupied
  }

  /** What the world is busy with; null when it is with nothing that takes long. */
  get doing(): string | null {
    return this.#doing
  }

  /**
   * Does a job in its turn: nothing else happens to the world until it is over. `doing` says what
   * it is where it may take long.
   */
  run<Result>(job: () => Result | Promise<Result>, doing: string | null = null): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#enter(() => this.#say(doing, async () => job()).then(resolve, reject))
    })
  }

  /**
   * Lets a request begin in its turn, and then the next one: what it does at once comes before all
   * that waits behind it. `prepare` goes ahead of it where it returns a promise.
   */
  turn<Result>(
    begin: () => Result | Promise<Result>,
    prepare: () => Promise<void> | undefined,
  ): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#enter(() => {
        // Those who wait behind it must not wait for ever.
        try {
          const prepared = prepare()
          return prepared === undefined
            ? resolve(begin())
            : prepared.then(() => resolve(begin())).catch(reject)
        } catch (error) {
          return reject(error)
        }
      })
    })
  }

  /** Does work within a job. `finishNow` hurries it. */
  do<Result>(work: Work<Result>, doing: string): Promise<Result> {
    const running: Running = { work, isInUnit: false }
    return this.#say(doing, async () => {
      this.#running = running
      try {
        await this.#goOn(running)
      } finally {
        this.#running = undefined
      }
      return resultOf(running) as Result
    })
  }

  /**
   * Begins work that nobody waits for yet: a slice of it, or all of it without a pace. Returns
   * whether it is done.
   */
  begin(work: Work<unknown>): boolean {
    const running: Running = { work, isInUnit: false }
    this.#doSlice(running)
    resultOf(running)
    return running.outcome !== undefined
  }

  /** Does work on a world that nobody sees yet. */
  async aside<Result>(work: Work<Result>): Promise<Result> {
    const running: Running = { work, isInUnit: false }
    await this.#goOn(running)
    return resultOf(running) as Result
  }

  /**
   * Does the rest of the work under way at once, for a caller of the same process who cannot wait.
   */
  finishNow(): void {
    const running = this.#running
    if (running === undefined || running.isInUnit) return
    while (running.outcome === undefined) step(running)
  }

  async #goOn(running: Running): Promise<void> {
    while (running.outcome === undefined) {
      this.#doSlice(running)
      // Somebody may finish the work during the pause.
      if (running.outcome === undefined) await this.#pace?.pause()
    }
  }

  #doSlice(running: Running): void {
    const now = this.#pace?.now ?? (() => 0)
    const start = now()
    do step(running)
    while (running.outcome === undefined && now() - start < sliceMs)
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

  /** Lets those who wait in, one after the other. */
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

/** Does one unit of work. */
function step(running: Running): void {
  running.isInUnit = true
  try {
    const { done, value } = running.work.next()
    if (done === true) running.outcome = { value }
  } catch (error) {
    running.outcome = { error }
  } finally {
    running.isInUnit = false
  }
}

function resultOf({ outcome }: Running): unknown {
  if (outcome !== undefined && 'error' in outcome) throw outcome.error
  return outcome?.value
}
