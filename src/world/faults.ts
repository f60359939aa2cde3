import { SandboxError } from '../errors.ts'
import { matchesPattern, estimateJsonSize, parseJsonBody } from '../lib/plain-json.ts'
import { parseQuery, splitUrl } from '../lib/url.ts'
import { maxFaults, maxFaultsLength } from './fault-input.ts'
import type { Fault, FaultEffect, FaultInput } from './fault-input.ts'
import { createRandom } from './random.ts'

/** The properties of a request that the filters of faults use. */
export interface FaultTarget {
  route: string | undefined
  accountId: number | undefined
  /** Role of the request's key. Undefined if the route needs no key. */
  role: string | undefined
  url: string
  body: string | null
}

/** A fault that applies to a request, and its effect. */
export interface MatchedFault {
  id: number
  effect: FaultEffect
}

/** The active faults, oldest first. */
export class Faults {
  readonly #seed: number
  #faults: Fault[] = []
  #lastId = 0

  constructor(seed: number) {
    this.#seed = seed
  }

  /**
   * Activates a fault.
   * @throws {SandboxError} if there are too many faults, or they are too large
   */
  add(input: FaultInput): Fault {
    if (this.#faults.length >= maxFaults)
      throw new SandboxError(`Failed to add a fault: ${maxFaults} are active. Remove some first.`)
    if (estimateJsonSize([...this.#faults, input], maxFaultsLength) > maxFaultsLength)
      throw new SandboxError(
        `Failed to add a fault: the active faults would exceed ${maxFaultsLength} characters as ` +
          'JSON. Remove some first, or use a shorter body.',
      )
    this.#lastId += 1
    const fault = { ...input, id: this.#lastId, matched: 0, fired: 0 }
    this.#faults.push(fault)
    return { ...fault }
  }

  /** Removes a fault. Returns false if no fault has this id. */
  remove(id: number): boolean {
    const before = this.#faults.length
    this.#faults = this.#faults.filter((fault) => fault.id !== id)
    return this.#faults.length < before
  }

  /** Removes all faults. */
  clear(): void {
    this.#faults = []
  }

  /** The faults that the last reset removed before they were applied to any request. */
  removedUnfired: readonly Fault[] = []

  /** Stores the unused faults in `removedUnfired`, before a reset removes them. */
  noteReset(): void {
    this.removedUnfired = this.list().filter(({ fired }) => fired === 0)
  }

  /** Called when the real time of a fault with `lasts_ms` is over. Read at the first hit. */
  onTimeUp: (() => void) | undefined

  /** Functions that end the delays in progress. */
  readonly delays = new Set<() => void>()
  /** True after the sandbox is closed. Requests in progress are then no longer delayed. */
  isClosed = false

  /** Ends the delays in progress, so that their timers do not keep the process alive. */
  close(): void {
    this.isClosed = true
    this.endDelays()
  }

  /** Ends the delays in progress. Returns their number. */
  endDelays(): number {
    const { size } = this.delays
    for (const end of this.delays) end()
    return size
  }

  /** True if no fault is active. */
  get isEmpty(): boolean {
    return this.#faults.length === 0
  }

  /** Returns the active faults. */
  list(): Fault[] {
    return this.#faults.map((fault) => ({ ...fault }))
  }

  /**
   * Finds the first fault that applies to a request, and counts its use. `now` is the sandbox time,
   * epoch ms. For a fault with `lasts_ms`, calls `onFirstHit` with a function that ends the fault.
   */
  consume(
    target: FaultTarget,
    now: number,
    onFirstHit: (lastsMs: number, end: () => void) => void,
  ): MatchedFault | undefined {
    if (this.isEmpty) return undefined
    this.#faults = this.#faults.filter(
      ({ first_hit: at, lasts_ms: ms }) => at === undefined || ms === undefined || now < at + ms,
    )
    const fault = this.#faults.find((candidate) => {
      if (!matchesTarget(candidate, target)) return false
      candidate.matched += 1
      return this.#isDue(candidate)
    })
    if (fault === undefined) return undefined
    const effect = fault.sequence?.[fault.fired] ?? fault
    fault.fired += 1
    if (fault.lasts_ms !== undefined && fault.first_hit === undefined) {
      fault.first_hit = now
      // Compares the objects instead of their ids, because ids are reused after a reset.
      const { onTimeUp } = this
      onFirstHit(fault.lasts_ms, () => {
        this.#faults = this.#faults.filter((each) => each !== fault)
        onTimeUp?.()
      })
    }
    if (fault.times !== undefined) fault.times -= 1
    if (fault.times === 0 || fault.fired === fault.sequence?.length) this.remove(fault.id)
    return { id: fault.id, effect }
  }

  /**
   * True if a fault applies to its latest matching request, according to `after`, `every` and
   * `probability`.
   */
  #isDue({ id, matched, after = 0, every = 1, probability = 1 }: Fault): boolean {
    const place = matched - after - 1
    return (
      place >= 0 &&
      place % every === 0 &&
      createRandom(this.#seed, 'fault', id, matched).chance(probability)
    )
  }

  /** Returns the faults as JSON. */
  state(): { lastId: number; faults: Fault[] } {
    return { lastId: this.#lastId, faults: this.list() }
  }

  restore({ lastId, faults }: { lastId: number; faults: readonly Fault[] }): void {
    this.#lastId = lastId
    this.#faults = faults.map((fault) => ({ ...fault }))
  }
}

function matchesTarget(
  { route, account_id: accountId, role, query, request_body: body }: Fault,
  target: FaultTarget,
): boolean {
  return (
    (route === undefined || route === target.route) &&
    (accountId === undefined || accountId === target.accountId) &&
    (role === undefined || role === target.role) &&
    (query === undefined || matchesPattern(parseQuery(splitUrl(target.url).rawQuery), query)) &&
    (body === undefined || matchesPattern(parseJsonBody(target.body), body))
  )
}
