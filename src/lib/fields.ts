import { z } from 'zod'
import { isWholeCents } from './money.ts'
import { parseSandboxTime, parseTime, toIsoTime } from './time.ts'
import type { PlatformTime } from './time.ts'

/** Maximum length of a path or query value, characters. */
export const maxQueryLength = 2_000
const edgeSchema = { type: 'string', examples: ['2026-09-01'] }
const decimalInteger = /^(0|[1-9]\d*)$/

/**
 * Schema of a query integer from `min` to `max`. Larger values are rejected, or lowered to `max` if
 * `clamp` is set.
 */
export function createQueryIntegerSchema({
  min,
  max = Number.MAX_SAFE_INTEGER,
  clamp = false,
}: {
  min: number
  max?: number
  clamp?: boolean
}) {
  const hasMaximum = max < Number.MAX_SAFE_INTEGER && !clamp
  const expected = hasMaximum
    ? `it must be an integer from ${min} to ${max}`
    : `it must be an integer of at least ${min}`
  return createQueryValueSchema(
    expected,
    { type: 'integer', minimum: min, ...(hasMaximum ? { maximum: max } : {}) },
    (text) => {
      if (!decimalInteger.test(text)) return undefined
      const value = Number(text)
      if (value < min) return undefined
      if (clamp) return Math.min(value, max)
      return value <= max && Number.isSafeInteger(value) ? value : undefined
    },
  )
}

/** Schema of a list's page size. */
export function createPageLimitSchema(
  standard: number,
  max: number,
  { clamp = false }: { clamp?: boolean } = {},
) {
  return createQueryIntegerSchema({ min: 1, max, clamp })
    .default(standard)
    .describe(`Rows per page.${clamp ? ` Values above ${max} are lowered to ${max}.` : ''}`)
}

/** Schema of the page size in most lists. */
export const listLimit = createPageLimitSchema(10, 100)

/** The number of rows to skip in a list. */
export const offset = createQueryIntegerSchema({ min: 0 })
  .default(0)
  .describe('Number of rows to skip.')

/** A query integer of at least 0 that may be omitted. */
export const optionalInteger = createQueryIntegerSchema({ min: 0 }).optional()

/** A query flag: `true` or `false`. */
export const queryFlag = createQueryValueSchema(
  'it must be true or false',
  { type: 'boolean' },
  (text) => {
    if (text === 'true') return true
    return text === 'false' ? false : undefined
  },
)

/** An id in the path. */
export const pathId = createQueryValueSchema(
  'it must be an integer',
  { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER, examples: [2001] },
  parseId,
)

/** A string with a maximum length. Longer strings skip all further validation. */
export function createTextSchema(maxLength: number) {
  return z.string().max(maxLength, { abort: true })
}

/** An id in a body. */
export const bodyId = z.int()

/** Maximum amount, dollars. */
export const maxDollars = 1_000_000_000

/** A dollar amount in a body, with at most two decimals. */
export const dollarAmount = z
  .number()
  .max(maxDollars)
  .refine(isWholeCents, { error: 'it must be dollars with at most two decimals' })

/** Maximum length of a time in a body, characters. */
const maxTimeLength = 100

const timeForms =
  'YYYY-MM-DD, YYYY-MM-DD HH:MM:SS, RFC 3339 with a zone, now, or relative such as -7d'

function isTime(text: string): boolean {
  return parseTime(text, { now: 0 }) !== undefined
}

/** The price to unlock a post or message, in a body. */
export const unlockPrice = dollarAmount
  .refine((price) => price === 0 || (price >= 3 && price <= 200), {
    error: 'it must be 0, or from 3 to 200',
  })
  .meta({
    anyOf: [
      { type: 'number', const: 0 },
      { type: 'number', minimum: 3, maximum: 200 },
    ],
  })

/** Default maximum number of ids in a body list. */
export const maxBodyIds = 1_000

/** Ids in a body or a record, without duplicates. */
export function createUniqueIdsSchema<Id extends z.ZodType<number | string>>(id: Id) {
  return z
    .array(id)
    .max(maxBodyIds)
    .refine((ids) => new Set(ids).size === ids.length, {
      error: 'it must not contain duplicate ids',
    })
    .meta({ uniqueItems: true })
}

/** Media of a post, story or message. */
export const mediaIds = createUniqueIdsSchema(bodyId)

const maxTags = 100

/** Ids of people tagged in a post or message. */
export const taggedPeople = createUniqueIdsSchema(bodyId.min(1)).max(maxTags)

/** Ids of the release-form tags of a post. */
export const releaseFormTags = createUniqueIdsSchema(createTextSchema(200).min(1)).max(maxTags)

/** The price to unlock a post, dollars. */
export const postPrice = dollarAmount.min(0)

/** Whole days from the publication of a post until it is removed. */
export const expireDays = z.int().min(1).max(30)

/** A time in a filter. The route handler resolves relative times with the clock. */
export const timeExpression = createTextSchema(maxTimeLength)
  .refine(isTime, { error: `it must be ${timeForms}` })
  .describe(
    'YYYY-MM-DD, YYYY-MM-DD HH:MM:SS (UTC), RFC 3339, now, or relative: -7d, -12h, -2 weeks.',
  )
  .meta({ examples: ['-30d', '2026-09-01', '2026-09-01T12:00:00Z'] })

/** A time in a body. It is converted to the format of records. */
export const bodyTime = createTextSchema(maxTimeLength)
  .refine((text) => parseSandboxTime(text) !== undefined, {
    error: 'it must be an RFC 3339 time or a date, from 2004 to 2286, or null',
  })
  .meta({ examples: ['2026-10-01T12:00:00Z'] })
  .transform((text) => toIsoTime(parseSandboxTime(text) ?? 0))

/** A future time in a body, with a time zone. */
export const bodyTimestamp = createTextSchema(maxTimeLength).refine(
  (text) => parseSandboxTime(text) !== undefined && text.length > 'YYYY-MM-DD'.length,
  {
    error: 'it must be an RFC 3339 time before 2286, such as 2026-10-01T09:00:00Z',
  },
)

/** The time window of a report, for `readWindow`. Both ends are inclusive. */
export function createWindowSchema() {
  return {
    start_date: createWindowBoundSchema()
      .optional()
      .describe('Window start. Default: two years ago, UTC.'),
    end_date: createWindowBoundSchema()
      .optional()
      .describe('Window end. Default: end of today, UTC.'),
  }
}

/**
 * The time window of a report, for `readWindow` with `thirtyDays`. Covers the last 30 days by
 * default.
 */
export function createThirtyDayWindowSchema() {
  return {
    ...createWindowSchema(),
    start_date: createWindowBoundSchema()
      .optional()
      .describe('Window start. Default: 30 days ago, UTC.'),
  }
}

/**
 * The time window for a link's statistics, for `readOpenEndedWindow`. A missing start or end means
 * that the window is not limited on that side.
 */
export function createOpenEndedWindowSchema() {
  return {
    date_start: createWindowBoundSchema()
      .optional()
      .describe('Window start. Default: the creation time of the link.'),
    date_end: createWindowBoundSchema().optional().describe('Window end. Default: now.'),
  }
}

/** Query parameter for the start or end of a time window. */
export function createWindowBoundSchema() {
  return createQueryValueSchema(`it must be ${timeForms}`, edgeSchema, (text) =>
    isTime(text) ? text : undefined,
  )
}

/**
 * The start or end of a time window, on a route that rejects time zones. Accepts `YYYY-MM-DD
 * HH:MM:SS`, separated by a space or a `T`.
 */
export function createLocalTimeBoundSchema() {
  const forms = timeForms.replace('RFC 3339 with a zone', 'YYYY-MM-DDTHH:MM:SS')
  return createQueryValueSchema(`it must be ${forms}, without a zone`, edgeSchema, (text) => {
    const spaced = text.replace(/^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}:\d{2})$/, '$1 $2')
    return isTime(spaced) && !/^\d{4}-\d{2}-\d{2}[Tt]/.test(spaced) ? spaced : undefined
  })
}

/** A time in a response that comes from the service's own data: RFC 3339 in UTC, with `Z`. */
export const instant = z.iso.datetime()

/** A time in a response that comes from the platform, in the format of `toPlatformTime`. */
export const platformTime = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\+00:00$/)
  .meta({ format: 'date-time', examples: ['2026-09-01T12:00:00+00:00'] }) as unknown as z.ZodType<
  PlatformTime,
  PlatformTime
>

/** Response to a write that returns no data. */
export const Success = lazyObject(() => ({ success: z.literal(true) }))

/** A reference to a user or creator. */
export const ShortUser = lazyObject(() => ({ id: z.int(), _view: z.string() }))

/** A data point of a chart. */
export const ChartPoint = lazyObject(() => ({ date: platformTime, count: z.int() }))

/** A change between two windows, as `computePercentChange` returns it. */
export const percentChange = z
  .number()
  .describe('Percentage change from the previous window of the same length.')

/**
 * Parses an id. Returns undefined unless the string is a plain decimal integer in the safe range,
 * such as `101`.
 */
export function parseId(text: string): number | undefined {
  return decimalInteger.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : undefined
}

/**
 * Schema of a query or path value. `parse` converts the string, `expected` is the error message,
 * and `maxLength` is in characters.
 */
export function createQueryValueSchema<Value>(
  expected: string,
  jsonSchema: Record<string, unknown>,
  parse: (text: string) => Value | undefined,
  { maxLength = maxQueryLength }: { maxLength?: number } = {},
) {
  return createTextSchema(maxLength)
    .transform((text, context) => {
      const value = parse(text)
      if (value !== undefined) return value
      context.addIssue({ code: 'custom', message: expected })
      return z.NEVER
    })
    .register(z.globalRegistry, jsonSchema)
}

/**
 * Marks a field or schema as missing from the reference. The OpenAPI document and the docs show
 * this.
 */
export function markAsInferred<Schema extends z.ZodType>(schema: Schema): Schema {
  return schema.meta({ 'x-source': 'inferred' }) as Schema
}

/** Creates an object schema on first use, so that importing the library does not build it. */
export function lazyObject<Shape extends z.ZodRawShape>(getShape: () => Shape) {
  return z.lazy(() => z.object(getShape()))
}

/** Creates the schema of an object that the reference does not describe, on first use. */
export function lazyInferredObject<Shape extends z.ZodRawShape>(getShape: () => Shape) {
  return z.lazy(() => markAsInferred(z.object(getShape())))
}

/** Creates the schema of a list response that the reference does not describe, on first use. */
export function lazyInferredList<Row extends z.ZodType>(row: Row) {
  return lazyInferredObject(() => ({ list: z.array(row), hasMore: z.boolean() }))
}

/** Creates the schema of an object without other fields, on first use. */
export function lazyStrictObject<Shape extends z.ZodRawShape>(getShape: () => Shape) {
  return z.lazy(() => z.strictObject(getShape()))
}
