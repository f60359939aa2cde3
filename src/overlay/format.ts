import { z } from 'zod'

/** Formats of times and amounts, each with an example. */
export const forms = {
  iso: '2026-09-01T12:00:00Z',
  'iso-ms': '2026-09-01T12:00:00.000Z',
  'iso-offset': '2026-09-01T12:00:00+00:00',
  'date-time': '2026-09-01 12:00:00',
  date: '2026-09-01',
  'epoch-seconds': 1_788_264_000,
  'epoch-ms': 1_788_264_000_000,
  'epoch-text': '1788264000',
  dollars: 12.5,
  'dollars-text': '12.50',
  cents: 1250,
} as const
export type ValueFormat = keyof typeof forms

export const ValueType = z.enum([
  'string',
  'integer',
  'number',
  'boolean',
  'array',
  'object',
  'null',
])
export type ValueType = z.infer<typeof ValueType>

/** Word lists from which strings in added fields are taken. */
export const wordLists = ['first', 'last', 'nouns', 'fruits', 'genres'] as const

const maxTextLength = 500
const Text = z.string().min(1).max(maxTextLength)
const FieldName = z
  .string()
  .regex(/^[\w-]{1,100}$/, { error: 'it must be a name of letters, digits, _ and -' })

const Constant = z.union([
  z.string().max(maxTextLength),
  z.number(),
  z.boolean(),
  z.null(),
  z.array(z.json()).max(100),
])

/** A change to one part of a request or response. */
export const Change = z
  .strictObject({
    add: ValueType.optional().describe('The type of a field that exists only in the service.'),
    remove: z
      .literal(true)
      .optional()
      .describe('True if this field does not exist in the service.'),
    rename: FieldName.optional().describe('The name of this field in the service.'),
    type: ValueType.optional().describe('The type in the service.'),
    format: z
      .enum(Object.keys(forms) as [ValueFormat, ...ValueFormat[]])
      .optional()
      .describe('The format of a time or an amount in the service.'),
    nullable: z.boolean().optional().describe('True if the service may send null or accepts it.'),
    optional: z
      .boolean()
      .optional()
      .describe('True if the service may omit the field, or accepts requests without it.'),
    enum: z.array(Constant).min(1).max(100).optional().describe('All allowed values.'),
    wrap: FieldName.optional().describe(
      'The service sends an object instead of the value. The object contains the value in a ' +
        'field with this name.',
    ),
    unwrap: FieldName.optional().describe(
      'The service sends the value of this field instead of the whole object.',
    ),
    minimum: z.int().optional().describe('Minimum of a number in a request.'),
    maximum: z.int().optional().describe('Maximum value of a number in a request.'),
    clamp: z
      .boolean()
      .optional()
      .describe(
        'For a number in a request: true if larger numbers are clamped to the maximum, ' +
          'false if they are rejected.',
      ),
    default: z.int().optional().describe('Default of a number in a request.'),
    value: z
      .union([
        Constant,
        z
          .strictObject({ field: FieldName })
          .describe('The value of another field of the same object.'),
        z
          .strictObject({ word: z.enum(wordLists) })
          .describe('A word from this list. The same object always gets the same word.'),
      ])
      .optional()
      .describe(
        'The value in the response: a constant, `{ field: NAME }` or `{ word: LIST }`. For a ' +
          'field that is removed from a request: the value that the route receives.',
      ),
  })
  .refine((change) => Object.keys(change).length > 0, { error: 'it must contain a change' })
  .refine(
    ({ add, rename, remove, type, wrap, unwrap }) =>
      add === undefined || [rename, remove, type, wrap, unwrap].every(isMissing),
    {
      error: 'it must not rename, remove, retype, wrap or unwrap an added field',
    },
  )
  .refine(
    (change) =>
      change.remove === undefined ||
      Object.keys(change).every((key) => key === 'remove' || key === 'value'),
    {
      error: 'it must not change a removed field',
    },
  )
export type Change = z.infer<typeof Change>

function isMissing(value: unknown): boolean {
  return value === undefined
}

/** Maximum number of JSON paths with changes in one part of a route. */
const maxPlaces = 500

const JsonPath = z
  .string()
  .max(maxTextLength)
  .regex(/^\$(?:\.(?:[\w-]+|\*)|\[\*\])*$/, {
    error: 'it must be a JSON path such as $.list[*].text',
  })

const Changes = z
  .record(JsonPath, Change)
  .refine((changes) => Object.keys(changes).length <= maxPlaces, {
    error: `it must have at most ${maxPlaces} places`,
  })

const Day = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}$/, { error: 'it must be a date such as 2026-09-30' })
const Path = z
  .string()
  .max(maxTextLength)
  .regex(/^(?:\/[\w:{}.~-]+)+$/, { error: 'it must be a path such as /v1/:account_id/posts' })

/** All changes to one route. */
export const RouteOverlay = z.strictObject({
  date: Day.optional().describe('Date of the observation. Default: the date of the overlay.'),
  note: Text.optional().describe('A note about the observation.'),
  source: z.literal('observed').optional().describe('The source, always `observed`.'),
  absent: z.literal(true).optional().describe('True if this route does not exist in the service.'),
  new: z
    .literal(true)
    .optional()
    .describe(
      'True if this route does not exist in the sandbox. The sandbox then returns ' +
        'the first of `answers`.',
    ),
  method: z
    .enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])
    .optional()
    .describe('HTTP method of the route in the real service.'),
  path: Path.optional().describe(
    'Path of the route in the real service, with the same parameters.',
  ),
  permission: z
    .string()
    .max(100)
    .optional()
    .describe('The permission that the real service requires.'),
  status: z.int().min(200).max(299).optional().describe('The status of a successful response.'),
  query: Changes.optional().describe('Changes to the query, by JSON path.'),
  body: Changes.optional().describe('Changes to the body, by JSON path.'),
  answer: Changes.optional().describe(
    'Changes to `data`, or to the whole response if it has no envelope, by JSON path.',
  ),
  summary: Text.optional().describe('Summary of a new route.'),
  kind: z
    .enum(['relay', 'service'])
    .optional()
    .describe(
      "For a new route: relay if it needs the account's upstream session. Default: service.",
    ),
  answers: z
    .record(z.string().regex(/^[2-5]\d\d$/, { error: 'it must be a status' }), z.json())
    .refine((answers) => Object.keys(answers).length >= 1 && Object.keys(answers).length <= 20, {
      error: 'it must have 1 to 20 statuses',
    })
    .optional()
    .describe(
      'The responses of a new route, by status: `data` of a success, or an error message. ' +
        'The sandbox returns the first response.',
    ),
})
export type RouteOverlay = z.infer<typeof RouteOverlay>

/** Maximum number of routes in an overlay. */
const maxRoutes = 1000

/** Observed differences between a service and the sandbox. */
export const Overlay = z.strictObject({
  date: Day.optional().describe('Date of the observation.'),
  note: Text.optional().describe('A note about the observation.'),
  routes: z
    .record(z.string().max(maxTextLength), RouteOverlay)
    .refine((routes) => Object.keys(routes).length <= maxRoutes, {
      error: `it must have at most ${maxRoutes} routes`,
    })
    .describe('Changes by the id of the route, such as `GET /v1/:account_id/posts`.'),
})
export type Overlay = z.infer<typeof Overlay>

/** Changes to a value at a path and below it. */
export interface ChangeTree {
  /** The JSON path. */
  path: string
  change: Change | undefined
  /**
   * Changes below this path: by field name, under `[*]` for list entries, or under `*` for map
   * values.
   */
  inside: ReadonlyMap<string, ChangeTree>
}

/** Thrown if part of an overlay does not match its route. */
export class OverlayMismatchError extends Error {
  override readonly name = 'OverlayMismatchError'
  /** Path of the part that does not match, starting at the route. */
  readonly path: readonly string[]

  constructor(path: readonly string[], message: string) {
    super(message)
    this.path = path
  }
}

interface MutableChangeTree extends ChangeTree {
  change: Change | undefined
  inside: Map<string, MutableChangeTree>
}

/** Converts changes by JSON path to a tree. Returns undefined if there are no changes. */
export function toChangeTree(
  changes: Readonly<Record<string, Change>> | undefined,
): ChangeTree | undefined {
  if (changes === undefined) return undefined
  const root: MutableChangeTree = { path: '$', change: undefined, inside: new Map() }
  for (const [path, change] of Object.entries(changes)) {
    let node = root
    for (const step of parseJsonPath(path)) {
      const next = node.inside.get(step) ?? {
        path: node.path + (step === '[*]' ? step : `.${step}`),
        change: undefined,
        inside: new Map(),
      }
      node.inside.set(step, next)
      node = next
    }
    node.change = change
  }
  return root
}

/** Splits a JSON path into its steps: names, `[*]` and `*`. */
export function parseJsonPath(path: string): string[] {
  return path.match(/[\w-]+|\[\*\]|\*/g) ?? []
}

/** Returns the fields that only the service's version of an object has. */
export function listAddedFields({ inside }: ChangeTree): [name: string, tree: ChangeTree][] {
  return [...inside].filter(([, { change }]) => change?.add !== undefined)
}
