import { z } from 'zod'
import { SandboxError } from '../errors.ts'

const FaultFields = z.lazy(() =>
  z.strictObject({
    route: z
      .string()
      .max(300, { abort: true })
      .optional()
      .describe('Method and path as the route list has them, such as `GET /v1/:account_id/posts`. Absent: every route.'),
    account_id: z.int().optional().describe('Only requests for this account. Absent: every account.'),
    status: z.int().min(400).max(599).optional().describe('The error status to answer. Absent: the request goes on.'),
    error: z
      .string()
      .min(1)
      .max(1000)
      .optional()
      .describe('The error sentence; goes with status. Absent: a sentence that names the status.'),
    delay_ms: z.int().min(0).max(600_000).optional().describe('Real milliseconds to wait before the answer.'),
    drop: z.boolean().optional().describe('Cut the connection instead of answering.'),
    times: z.int().min(1).max(1_000_000).optional().describe('How many requests to hit. Absent: until removed.'),
  }),
)

/** A failure to inject: the requests that it hits, its effect on them, and how often it hits. */
export const FaultInput = z.lazy(() =>
  FaultFields.unwrap()
    .refine(({ status, delay_ms, drop }) => status !== undefined || delay_ms !== undefined || drop === true, {
      error: 'it would do nothing: it needs status, delay_ms or drop',
    })
    .refine(({ status, drop }) => drop !== true || status === undefined, {
      path: ['drop'],
      error: 'a connection that is cut answers no status: give one of the two',
    })
    .refine(({ status, error }) => error === undefined || status !== undefined, {
      path: ['error'],
      error: 'it goes with status, which says how to fail',
    }),
)
export type FaultInput = z.infer<typeof FaultInput>

/** A fault in force. Its `times` counts down with every request that it hits. */
export const Fault = z.lazy(() => FaultFields.unwrap().extend({ id: z.int() }))
export type Fault = z.infer<typeof Fault>

/** The most faults that may be in force at once. */
export const mostFaults = 1000

/** The faults in force, oldest first. */
export class Faults {
  #faults: Fault[] = []
  #lastId = 0

  /** Puts a fault in force. @throws {SandboxError} when 1000 are in force. */
  add(input: FaultInput): Fault {
    if (this.#faults.length >= mostFaults) throw new SandboxError(`Failed to add a fault: ${mostFaults} are in force. Remove some first.`)
    this.#lastId += 1
    const fault = { ...input, id: this.#lastId }
    this.#faults.push(fault)
    return fault
  }

  /** Lifts a fault; false when there is none of that id. */
  remove(id: number): boolean {
    const before = this.#faults.length
    this.#faults = this.#faults.filter((fault) => fault.id !== id)
    return this.#faults.length < before
  }

  /** Lifts all faults. */
  clear(): void {
    this.#faults = []
  }

  /** The faults in force. */
  list(): Fault[] {
    return this.#faults.map((fault) => ({ ...fault }))
  }

  /** Finds the first fault that hits a request of this route and account, and counts the hit. */
  take(route: string | undefined, accountId: number | undefined): Fault | undefined {
    if (this.#faults.length === 0) return undefined
    const fault = this.#faults.find(
      (candidate) =>
        (candidate.route === undefined || candidate.route === route) &&
        (candidate.account_id === undefined || candidate.account_id === accountId),
    )
    if (fault?.times === undefined) return fault
    if (fault.times === 1) this.remove(fault.id)
    fault.times -= 1
    return fault
  }

  /** The faults as JSON. */
  state(): { lastId: number; faults: Fault[] } {
    return { lastId: this.#lastId, faults: this.list() }
  }

  /** Goes back to a state. */
  restore({ lastId, faults }: { lastId: number; faults: readonly Fault[] }): void {
    this.#lastId = lastId
    this.#faults = faults.map((fault) => ({ ...fault }))
  }
}
