import { z } from 'zod'
import { lazyStrictObject } from '../lib/fields.ts'
import { estimateJsonSize } from '../lib/plain-json.ts'
import { createBoundedJsonSchema } from '../lib/schema-parts.ts'

/** Maximum number of active faults. */
export const maxFaults = 1000
/** Maximum total size of the active faults as JSON, characters. */
export const maxFaultsLength = 4_000_000
/** Maximum size of a fault's response body as JSON, characters. */
const maxBodyLength = 100_000
const maxHeaders = 50
/** Maximum number of query parameters in the filter of a fault. */
const maxParameters = 100
/** Headers that a fault cannot set, because the host writes them. */
const hostHeaders = new Set([
  'connection',
  'content-length',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
])
/** HTTP statuses whose responses have no body. */
export const bodilessStatuses: ReadonlySet<number | undefined> = new Set([204, 205, 304])

const jsonBody = createBoundedJsonSchema(maxBodyLength)
  .refine((body) => body === undefined || isJson(body), { error: 'it must be JSON' })
  .optional()

const EffectFields = lazyStrictObject(() => ({
  status: z
    .int()
    .min(200)
    .max(599)
    .optional()
    .describe(
      'The response status: an error, or a success to stub the route. If a status is set, ' +
        'the route handler does not run.',
    ),
  error: z
    .string()
    .min(1)
    .max(1000)
    .optional()
    .describe(
      'The error message, for a status of 400 or more. Default: a message that contains the ' +
        'status.',
    ),
  body: jsonBody.describe(
    'The response body, instead of an error body. A string is sent unchanged. Any other ' +
      'value is sent as JSON. Requires status.',
  ),
  content_type: z
    .string()
    .regex(/^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:; ?[\x20-\x7e]+)?$/, {
      error: 'it must be a media type, such as text/html',
    })
    .max(200)
    .optional()
    .describe(
      'The content type of body. Default: text/plain for a string, otherwise application/json.',
    ),
  headers: z
    .record(z.string().max(100), z.string().max(1000))
    .refine((headers) => Object.keys(headers).length <= maxHeaders, {
      error: `it must have at most ${maxHeaders} headers`,
    })
    .refine((headers) => Object.keys(headers).every((name) => /^[\w!#$%&'*+.^`|~-]+$/.test(name)), {
      error:
        'the name of a header may have only letters, digits, hyphens and the other ' +
        'characters of an HTTP token',
    })
    .refine((headers) => Object.values(headers).every((value) => /^[\t\x20-\x7e]*$/.test(value)), {
      error: 'the value of a header must be one line of ASCII',
    })
    .refine(
      (headers) => Object.keys(headers).every((name) => !hostHeaders.has(name.toLowerCase())),
      {
        error: `the host sets ${[...hostHeaders].join(', ')}; leave them out`,
      },
    )
    .meta({ maxProperties: maxHeaders })
    .optional()
    .describe('Headers to add or replace in the response.'),
  truncate: z
    .boolean()
    .optional()
    .describe('Send only the first half of the body, so the JSON is invalid.'),
  delay_ms: z
    .int()
    .min(0)
    .max(600_000)
    .optional()
    .describe(
      'Delay of the response, in milliseconds of real time. The delay uses the timers of the ' +
        'process. With fake timers, the delay ends when the test advances the timers.',
    ),
  drop: z
    .union([z.boolean(), z.literal('midway')])
    .optional()
    .describe(
      'true: close the connection instead of responding. midway: close it after the headers ' +
        'and half of the body.',
    ),
  applied: z
    .boolean()
    .optional()
    .describe(
      'Run the request before the fault, so a write takes effect even if its response is ' +
        'lost, late or replaced by an error. Default: false.',
    ),
}))

/** The effect of a fault on a request. */
const FaultEffect = z.lazy(() => EffectFields.unwrap().check(checkEffect))
export type FaultEffect = z.infer<typeof EffectFields>

const FaultFields = z.lazy(() =>
  EffectFields.unwrap().extend({
    route: z
      .string()
      .max(300)
      .optional()
      .describe(
        'The route to match, as in the list of routes, such as `GET /v1/:account_id/posts`. ' +
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
      .describe('Only requests with a key of this role, such as owner. Default: every key.'),
    query: z
      .record(z.string().max(200), z.string().max(2000))
      .refine((query) => Object.keys(query).length <= maxParameters, {
        error: `it must have at most ${maxParameters} parameters`,
      })
      .meta({ maxProperties: maxParameters })
      .optional()
      .describe('Only requests with these query parameters and values.'),
    request_body: jsonBody.describe(
      'Only requests whose body has these fields with these values. Other fields are ignored.',
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
      .describe(
        'Apply the fault to every nth matching request only. For example, 3 hits the ' +
          'first, fourth and seventh matching requests.',
      ),
    probability: z
      .number()
      .gt(0)
      .max(1)
      .optional()
      .describe(
        'Probability that the fault applies to a matching request. With the same seed, it ' +
          'applies to the same requests.',
      ),
    times: z
      .int()
      .min(1)
      .max(1_000_000)
      .optional()
      .describe('Maximum number of hits. Default: no limit, until the fault is removed.'),
    lasts_ms: z
      .int()
      .min(1)
      .max(86_400_000)
      .optional()
      .describe(
        'Milliseconds from the first hit until the fault is removed, measured in sandbox ' +
          "time and by the process's timers, whichever ends first. Default: no limit.",
      ),
    sequence: z
      .array(FaultEffect)
      .min(1)
      .max(1000)
      .optional()
      .describe(
        'The effects of consecutive hits, instead of one effect for all hits. Example: ' +
          '[{status: 502}, {}] fails the first request and does not affect the second.',
      ),
  }),
)

/** Fields of an effect. */
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

/** A fault to inject: the requests to which it applies, the number of times, and the effect. */
export const FaultInput = z.lazy(() =>
  FaultFields.unwrap()
    .check(checkEffect)
    .refine((fault) => fault.sequence !== undefined || hasEffect(fault), {
      error: 'it would have no effect; set status, headers, truncate, delay_ms, drop or sequence',
    })
    .refine(
      (fault) =>
        fault.sequence === undefined || effectNames.every((name) => fault[name] === undefined),
      {
        path: ['sequence'],
        error:
          'it cannot be combined with status, delay_ms and other effects; put them into ' +
          'the sequence',
      },
    )
    .refine(({ sequence, times }) => sequence === undefined || times === undefined, {
      path: ['times'],
      error: 'it cannot be combined with sequence, which ends after its last effect',
    }),
)
export type FaultInput = z.input<typeof FaultInput>

/** An active fault. Each time it is applied, `times` decreases and `fired` increases. */
export const Fault = z.lazy(() =>
  FaultFields.unwrap().extend({
    id: z.int().max(Number.MAX_SAFE_INTEGER),
    matched: z
      .int()
      .min(0)
      .default(0)
      .describe(
        'Number of matching requests so far, including requests that the fault did not affect.',
      ),
    fired: z.int().min(0).default(0).describe('Number of hits so far.'),
    first_hit: z
      .number()
      .min(0)
      .max(Number.MAX_SAFE_INTEGER)
      .optional()
      .describe('Sandbox time of the first hit of a fault with `lasts_ms`, epoch ms.'),
  }),
)
export type Fault = z.infer<typeof Fault>

/** Faults in a snapshot. */
export const FaultList = z.lazy(() =>
  z
    .array(Fault)
    .max(maxFaults)
    .refine((faults) => estimateJsonSize(faults, maxFaultsLength) <= maxFaultsLength, {
      error: `it must have at most ${maxFaultsLength} characters as JSON`,
    }),
)

function hasEffect({ status, headers, truncate, delay_ms, drop }: FaultEffect): boolean {
  return (
    status !== undefined ||
    headers !== undefined ||
    truncate === true ||
    delay_ms !== undefined ||
    (drop ?? false) !== false
  )
}

const hasNoBody = `a response with the status ${[...bodilessStatuses].join(', ')} has no body`

/** Rules for allowed combinations of an effect's fields. */
const effectRules: readonly {
  field: keyof FaultEffect
  isKept: (effect: FaultEffect) => boolean
  message: string
}[] = [
  {
    field: 'drop',
    isKept: ({ drop, status }) => drop !== true || status === undefined,
    message: 'it closes the connection before a status is sent; set drop or status, not both',
  },
  {
    field: 'truncate',
    isKept: ({ truncate, drop }) => truncate !== true || (drop ?? false) === false,
    message: 'it cannot be combined with drop, which closes the connection',
  },
  {
    field: 'error',
    isKept: ({ error, status }) => error === undefined || (status ?? 0) >= 400,
    message: 'it needs a status of 400 or more',
  },
  {
    field: 'body',
    isKept: ({ body, status, error }) =>
      body === undefined || (status !== undefined && error === undefined),
    message: 'it needs status, and cannot be combined with error',
  },
  {
    field: 'body',
    isKept: ({ body, status }) => body === undefined || !bodilessStatuses.has(status),
    message: hasNoBody,
  },
  {
    field: 'truncate',
    isKept: ({ truncate, status }) => truncate !== true || !bodilessStatuses.has(status),
    message: hasNoBody,
  },
  {
    field: 'drop',
    isKept: ({ drop, status }) => drop !== 'midway' || !bodilessStatuses.has(status),
    message: hasNoBody,
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

/**
 * True if a value can be written as JSON: it is not a function, has no cycles, and is not nested
 * too deeply.
 */
function isJson(value: unknown): boolean {
  try {
    return (JSON.stringify(value) as string | undefined) !== undefined
  } catch {
    return false
  }
}
