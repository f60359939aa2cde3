import { z } from 'zod'
import { anyJson, jsonSize } from '../lib/json-size.ts'

/** Maximum number of active faults. */
export const maxFaults = 1000
/** Maximum size of all active faults, characters as JSON. */
export const maxFaultsLength = 4_000_000
/** Maximum size of a fault's body as JSON, characters. */
const maxBodyLength = 100_000
const maxHeaders = 50
/** Maximum number of query parameters in the filter of a fault. */
const maxParameters = 100
/** Headers that the host writes. */
const hostHeaders = new Set([
  'connection',
  'content-length',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
])
/** Statuses without a body. */
const bodiless = new Set([204, 205, 304])

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
        'The status to answer instead of the route: an error, or from 200 on a stub. Default: ' +
          'the request continues.',
      ),
    error: z
      .string()
      .min(1)
      .max(1000)
      .optional()
      .describe(
        'The error message, for a status from 400 on. Default: a message that names the ' +
          'status.',
      ),
    body: jsonBody.describe(
      'The whole body to answer, instead of the error message: a text unchanged, anything else ' +
        'as JSON. Needs status.',
    ),
    content_type: z
      .string()
      .regex(/^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:; ?[\x20-\x7e]+)?$/, {
        error: 'it must be a media type, such as text/html',
      })
      .max(200)
      .optional()
      .describe('The content type of body. Default: text/plain for a text, otherwise JSON.'),
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
      .describe('Answer only the first half of the body, which makes the JSON invalid.'),
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
    applied: z
      .boolean()
      .optional()
      .describe(
        'Carry out the request before the effect. So a write is done, although its answer is lost, ' +
          'late or an error. Default: false.',
      ),
  }),
)

/** The effect of a fault on a request that it hits. */
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
          'Default: every route.',
      ),
    account_id: z
      .int()
      .optional()
      .describe('Only requests for this account. Default: every account.'),
    role: z
      .string()
      .min(1)
      .max(100)
      .optional()
      .describe('Only requests by a key of this role, such as owner. Default: every key.'),
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
      .describe('Number of matching requests that pass before the first hit.'),
    every: z
      .int()
      .min(1)
      .max(1_000_000)
      .optional()
      .describe('Hit only every n-th request: 3 hits the first, the fourth, the seventh.'),
    probability: z
      .number()
      .gt(0)
      .max(1)
      .optional()
      .describe('Probability that a matching request is hit. The seed decides which.'),
    times: z
      .int()
      .min(1)
      .max(1_000_000)
      .optional()
      .describe('Number of requests to hit. Default: all until it is removed.'),
    lasts_ms: z
      .int()
      .min(1)
      .max(86_400_000)
      .optional()
      .describe(
        'Milliseconds from the first hit until it is removed, by the clock of the sandbox or by ' +
          'the timers of the process, whichever is earlier. Default: no limit.',
      ),
    sequence: z
      .array(FaultEffect)
      .min(1)
      .max(1000)
      .optional()
      .describe(
        'An effect for each hit in turn, instead of one for all: [{status: 502}, {}] ' +
          'fails once, then lets one pass.',
      ),
  }),
)

/** The fields of an effect. */
const effectNames = [
  'status',
  'error',
  'body',
  'content_type',
  'headers',
  'truncate',
  'delay_ms',
  'drop',
  'applied',
] as const

/** A failure to inject: which requests it hits, how often, and its effect. */
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
        error: 'a sequence contains the effects: leave out status, delay_ms and the other effects',
      },
    )
    .refine(({ sequence, times }) => sequence === undefined || times === undefined, {
      path: ['times'],
      error: 'a sequence ends by itself: leave times out',
    }),
)
export type FaultInput = z.input<typeof FaultInput>

/** An active fault. With each request that it hits, `times` counts down and `fired` counts up. */
export const Fault = z.lazy(() =>
  FaultFields.unwrap().extend({
    id: z.int().max(Number.MAX_SAFE_INTEGER),
    matched: z
      .int()
      .min(0)
      .default(0)
      .describe('Number of requests so far that matched, hit or not.'),
    fired: z.int().min(0).default(0).describe('Number of requests hit so far.'),
    first_hit: z
      .number()
      .min(0)
      .max(Number.MAX_SAFE_INTEGER)
      .optional()
      .describe('Sandbox time of the first hit of a fault with `lasts_ms`, epoch ms.'),
  }),
)
export type Fault = z.infer<typeof Fault>

/** The faults of a snapshot. */
export const FaultList = z.lazy(() =>
  z
    .array(Fault)
    .max(maxFaults)
    .refine((faults) => jsonSize(faults, maxFaultsLength) <= maxFaultsLength, {
      error: `it must have at most ${maxFaultsLength} characters as JSON`,
    }),
)

function doesSomething({ status, headers, truncate, delay_ms, drop }: FaultEffect): boolean {
  return (
    status !== undefined ||
    headers !== undefined ||
    truncate === true ||
    delay_ms !== undefined ||
    (drop ?? false) !== false
  )
}

/** Rules between the fields of an effect. */
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
    message: 'it needs a status',
  },
  {
    field: 'body',
    isKept: ({ body, status, error }) =>
      body === undefined || (status !== undefined && error === undefined),
    message: 'it needs a status, and replaces error',
  },
  {
    field: 'body',
    isKept: ({ body, status }) => body === undefined || !bodiless.has(status ?? 0),
    message: `an answer with the status ${[...bodiless].join(', ')} has no body`,
  },
  {
    field: 'applied',
    isKept: ({ applied, status, delay_ms: delay, drop }) =>
      applied !== true || status !== undefined || delay !== undefined || drop === true,
    message: 'it needs status, delay_ms or drop: true',
  },
  {
    field: 'content_type',
    isKept: ({ content_type: type, body }) => type === undefined || body !== undefined,
    message: 'it needs body',
  },
]

function checkEffect({ value, issues }: z.core.ParsePayload<FaultEffect>): void {
  for (const { field, isKept, message } of effectRules)
    if (!isKept(value)) issues.push({ code: 'custom', path: [field], message, input: value[field] })
}

/** True if a value can be written as JSON: no function, no cycle, not nested too deep. */
function isJson(value: unknown): boolean {
  try {
    return (JSON.stringify(value) as string | undefined) !== undefined
  } catch {
    return false
  }
}
