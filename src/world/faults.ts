import { z } from 'zod'
import { SandboxError } from '../errors.ts'
import { contains } from '../lib/contains.ts'
import { anyJson, jsonSize } from '../lib/json-size.ts'
import { randomAt } from './random.ts'
import { readSentJson } from '../lib/sent-json.ts'
import { readQuery, splitUrl } from '../lib/url.ts'

/** The most characters of a body that a fault answers with, as JSON. */
const maxBodyLength = 100_000
const maxHeaders = 50
/** The most query parameters that a fault may choose by. */
const maxParameters = 100
/** The host writes these itself. */
const hostHeaders = new Set([
  'connection',
  'content-length',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
])
/** Statuses of answers without a body. */
const bodiless = new Set([204, 205, 304])

/** A value of JSON. */
const jsonBody = anyJson(maxBodyLength)
  .refine((body) => body === undefined || isJson(body), { error: 'it must be JSON' })
  .optional()

const EffectFields = z.lazy(() =>
  z.strictObject({
    status: z
      .int()
      .min(200)
      .max(599)
      .optional()
      .describe(
        'The status to answer instead of the route: an error, or from 200 on a stub. Absent: ' +
          'the request goes on.',
      ),
    error: z
      .string()
      .min(1)
      .max(1000)
      .optional()
      .describe(
        'The error sentence; goes with a status from 400 on. Absent: a sentence that names the ' +
          'status.',
      ),
    body: jsonBody.describe(
      'The whole body to answer, in place of the error sentence: a text as it is, anything else ' +
        'as JSON. Goes with status.',
    ),
    content_type: z
      .string()
      .regex(/^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:; ?[\x20-\x7e]+)?$/, {
        error: 'it must be a media type, such as text/html',
      })
      .max(200)
      .optional()
      .describe('The content type of body. Absent: text/plain for a text, otherwise JSON.'),
    headers: z
      .record(z.string().max(100), z.string().max(1000))
      .refine((headers) => Object.keys(headers).length <= maxHeaders, {
        error: `it must have at most ${maxHeaders} headers`,
      })
      .refine(
        (headers) => Object.keys(headers).every((name) => /^[\w!#$%&'*+.^`|~-]+$/.test(name)),
        {
          error: 'the name of a header has letters, digits and hyphens',
        },
      )
      .refine(
        (headers) => Object.values(headers).every((value) => /^[\t\x20-\x7e]*$/.test(value)),
        {
          error: 'the value of a header is one line of ASCII',
        },
      )
      .refine(
        (headers) => Object.keys(headers).every((name) => !hostHeaders.has(name.toLowerCase())),
        {
          error: `the host writes ${[...hostHeaders].join(', ')} itself`,
        },
      )
      .meta({ maxProperties: maxHeaders })
      .optional()
      .describe('Headers to add to the answer, or to replace in it.'),
    truncate: z
      .boolean()
      .optional()
      .describe('Answer only the first half of the body, as if that were all: broken JSON.'),
    delay_ms: z
      .int()
      .min(0)
      .max(600_000)
      .optional()
      .describe(
        'Real milliseconds to wait before the answer, by the timers of the process: under fake ' +
          'timers, until these are advanced.',
      ),
    drop: z
      .union([z.boolean(), z.literal('midway')])
      .optional()
      .describe(
        'true: cut the connection instead of answering. midway: cut it after the headers and ' +
          'half of the body.',
      ),
  }),
)

/** What a fault does to a request that it hits. */
const FaultEffect = z.lazy(() => EffectFields.unwrap().check(checkEffect))
export type FaultEffect = z.infer<typeof EffectFields>

const FaultFields = z.lazy(() =>
  EffectFields.unwrap().extend({
    route: z
      .string()
      .max(300)
      .optional()
      .describe(
        'Method and path as the route list has them, such as `GET /v1/:account_id/posts`. ' +
          'Absent: every route.',
      ),
    account_id: z
      .int()
      .optional()
      .describe('Only requests for this account. Absent: every account.'),
    role: z
      .string()
      .min(1)
      .max(100)
      .optional()
      .describe('Only requests by a key of this role, such as owner. Absent: every key.'),
    query: z
      .record(z.string().max(200), z.string().max(2000))
      .refine((query) => Object.keys(query).length <= maxParameters, {
        error: `it must have at most ${maxParameters} parameters`,
      })
      .meta({ maxProperties: maxParameters })
      .optional()
      .describe('Only requests that have these query parameters, each with this value.'),
    request_body: jsonBody.describe(
      'Only requests whose body has these fields with these values. It may have more.',
    ),
    after: z
      .int()
      .min(1)
      .max(1_000_000)
      .optional()
      .describe('How many matching requests pass before the first that is hit.'),
    every: z
      .int()
      .min(1)
      .max(1_000_000)
      .optional()
      .describe('Hit only each such request: 3 hits the first, the fourth, the seventh.'),
    probability: z
      .number()
      .gt(0)
      .max(1)
      .optional()
      .describe('How likely a matching request is hit. The seed decides which.'),
    times: z
      .int()
      .min(1)
      .max(1_000_000)
      .optional()
      .describe('How many requests to hit. Absent: until removed.'),
    sequence: z
      .array(FaultEffect)
      .min(1)
      .max(1000)
      .optional()
      .describe(
        'What happens to each hit in turn, in place of one effect for all: [{status: 502}, {}] ' +
          'fails once, then lets one pass.',
      ),
  }),
)

/** The fields that say what a fault does. */
const effectNames = [
  'status',
  'error',
  'body',
  'content_type',
  'headers',
  'truncate',
  'delay_ms',
  'drop',
] as const

/** A failure to inject: the requests that it hits, its effect on them, and how often it hits. */
export const FaultInput = z.lazy(() =>
  FaultFields.unwrap()
    .check(checkEffect)
    .refine((fault) => fault.sequence !== undefined || doesSomething(fault), {
      error: 'it would do nothing: it needs status, headers, truncate, delay_ms, drop or sequence',
    })
    .refine(
      (fault) =>
        fault.sequence === undefined || effectNames.every((name) => fault[name] === undefined),
      {
        path: ['sequence'],
        error:
          'it says itself what happens: leave out status, delay_ms and the other effects beside it',
      },
    )
    .refine(({ sequence, times }) => sequence === undefined || times === undefined, {
      path: ['times'],
      error: 'a sequence ends by itself: leave times out',
    }),
)
export type FaultInput = z.input<typeof FaultInput>

/**
 * A fault in force. Its `times` counts down with every request that it hits, `fired` counts them
 * up.
 */
export const Fault = z.lazy(() =>
  FaultFields.unwrap().extend({
    id: z.int().max(Number.MAX_SAFE_INTEGER),
    matched: z
      .int()
      .min(0)
      .default(0)
      .describe('How many requests it was for so far, whether it hit them or not.'),
    fired: z.int().min(0).default(0).describe('How many requests it has hit so far.'),
  }),
)
export type Fault = z.infer<typeof Fault>

function doesSomething({ status, headers, truncate, delay_ms, drop }: FaultEffect): boolean {
  return (
    status !== undefined ||
    headers !== undefined ||
    truncate === true ||
    delay_ms !== undefined ||
    (drop ?? false) !== false
  )
}

/** The rules that the fields of an effect have among themselves. */
const effectRules: readonly {
  field: keyof FaultEffect
  isKept: (effect: FaultEffect) => boolean
  message: string
}[] = [
  {
    field: 'drop',
    isKept: ({ drop, status }) => drop !== true || status === undefined,
    message: 'a connection that is cut answers no status: give one of the two',
  },
  {
    field: 'truncate',
    isKept: ({ truncate, drop }) => truncate !== true || (drop ?? false) === false,
    message: 'a connection that is cut sends no whole answer: give truncate or drop',
  },
  {
    field: 'error',
    isKept: ({ error, status }) => error === undefined || (status ?? 0) >= 400,
    message: 'it goes with status, which says how to fail',
  },
  {
    field: 'body',
    isKept: ({ body, status, error }) =>
      body === undefined || (status !== undefined && error === undefined),
    message: 'it goes with status, and in place of error',
  },
  {
    field: 'body',
    isKept: ({ body, status }) => body === undefined || !bodiless.has(status ?? 0),
    message: `an answer with the status ${[...bodiless].join(', ')} has no body`,
  },
  {
    field: 'content_type',
    isKept: ({ content_type: type, body }) => type === undefined || body !== undefined,
    message: 'it goes with body',
  },
]

function checkEffect({ value, issues }: z.core.ParsePayload<FaultEffect>): void {
  for (const { field, isKept, message } of effectRules)
    if (!isKept(value)) issues.push({ code: 'custom', path: [field], message, input: value[field] })
}

/**
 * Whether a value can be written as JSON: no function, nothing that holds itself or is nested too
 * deep to be written.
 */
function isJson(value: unknown): boolean {
  try {
    return (JSON.stringify(value) as string | undefined) !== undefined
  } catch {
    return false
  }
}

/** The most faults that may be in force at once. */
export const maxFaults = 1000
/** Maximum size of all faults in force, characters as JSON. */
const maxFaultsLength = 4_000_000

/** The faults of a snapshot. */
export const FaultList = z.lazy(() =>
  z
    .array(Fault)
    .max(maxFaults)
    .refine((faults) => jsonSize(faults, maxFaultsLength) <= maxFaultsLength, {
      error: `it must have at most ${maxFaultsLength} characters as JSON`,
    }),
)

/** A request, as far as faults choose by it. */
export interface FaultTarget {
  route: string | undefined
  accountId: number | undefined
  /** The role of its key; undefined for a route without a key. */
  role: string | undefined
  url: string
  body: string | null
}

/** A fault that hit a request, and what it does to it. */
export interface TakenFault {
  id: number
  effect: FaultEffect
}

/** The faults in force, oldest first. */
export class Faults {
  readonly #seed: number
  #faults: Fault[] = []
  #lastId = 0

  constructor(seed: number) {
    this.#seed = seed
  }

  /** Puts a fault in force. @throws {SandboxError} if there are too many, or they are too large. */
  add(input: FaultInput): Fault {
    if (this.#faults.length >= maxFaults)
      throw new SandboxError(`Failed to add a fault: ${maxFaults} are in force. Remove some first.`)
    if (jsonSize([...this.#faults, input], maxFaultsLength) > maxFaultsLength)
      throw new SandboxError(
        `Failed to add a fault: with it the faults in force would have more than ` +
          `${maxFaultsLength} characters as JSON. Remove some first, or give a shorter body.`,
      )
    this.#lastId += 1
    const fault = { ...input, id: this.#lastId, matched: 0, fired: 0 }
    this.#faults.push(fault)
    return { ...fault }
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

  /** Whether none is in force. */
  get isEmpty(): boolean {
    return this.#faults.length === 0
  }

  /** The faults in force. */
  list(): Fault[] {
    return this.#faults.map((fault) => ({ ...fault }))
  }

  /**
   * Finds the first fault that hits a request, counts the hit, and returns what happens to the
   * request.
   */
  take(target: FaultTarget): TakenFault | undefined {
    if (this.isEmpty) return undefined
    const fault = this.#faults.find((candidate) => {
      if (!isFor(candidate, target)) return false
      candidate.matched += 1
      return this.#isDue(candidate)
    })
    if (fault === undefined) return undefined
    const effect = fault.sequence?.[fault.fired] ?? fault
    fault.fired += 1
    if (fault.times !== undefined) fault.times -= 1
    if (fault.times === 0 || fault.fired === fault.sequence?.length) this.remove(fault.id)
    return { id: fault.id, effect }
  }

  /** Whether a fault hits the request that it was matched with last. */
  #isDue({ id, matched, after = 0, every = 1, probability = 1 }: Fault): boolean {
    const place = matched - after - 1
    return (
      place >= 0 &&
      place % every === 0 &&
      randomAt(this.#seed, 'fault', id, matched).chance(probability)
    )
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

function isFor(
  { route, account_id: accountId, role, query, request_body: body }: Fault,
  target: FaultTarget,
): boolean {
  return (
    (route === undefined || route === target.route) &&
    (accountId === undefined || accountId === target.accountId) &&
    (role === undefined || role === target.role) &&
    (query === undefined || contains(readQuery(splitUrl(target.url).rawQuery), query)) &&
    (body === undefined || contains(readSentJson(target.body), body))
  )
}
