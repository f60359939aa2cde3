import { z } from 'zod'
import { estimateJsonSize } from './plain-json.ts'

/**
 * The fields of a zod schema definition that can contain nested schemas. The schema's type
 * determines which of them exist.
 */
export interface SchemaDefinition {
  type: string
  getter?: () => z.ZodType
  innerType?: z.ZodType
  in?: z.ZodType
  out?: z.ZodType
  element?: z.ZodType
  valueType?: z.ZodType
  shape?: Record<string, z.ZodType>
  catchall?: z.ZodType
  options?: readonly z.ZodType[]
  discriminator?: string
}

/**
 * Removes wrappers such as `optional` and `lazy` from a schema. For a union, returns the member
 * that matches the value.
 */
export function unwrapSchema(schema: z.ZodType, value: unknown): z.ZodType | undefined {
  const definition = getSchemaDefinition(schema)
  const { type, getter, innerType, options, discriminator } = definition
  // If a pipe starts with a transform, its output is the object schema. Otherwise, its input is.
  const wrapped =
    getter?.() ??
    innerType ??
    definition[getSchemaDefinition(definition.in).type === 'transform' ? 'out' : 'in']
  if (wrapped !== undefined) return unwrapSchema(wrapped, value)
  if (type !== 'union') return schema
  return options
    ?.map((option) => unwrapSchema(option, value))
    .find((option) => matchesValue(getSchemaDefinition(option), value, discriminator))
}

function matchesValue(
  { type, shape }: SchemaDefinition,
  value: unknown,
  discriminator: string | undefined,
): boolean {
  if (discriminator === undefined) return type === (Array.isArray(value) ? 'array' : typeof value)
  return (
    shape?.[discriminator]?.safeParse(
      (value as Record<string, unknown> | null | undefined)?.[discriminator],
    ).success === true
  )
}

/** Returns the definition of a schema. */
export function getSchemaDefinition(schema: z.ZodType | undefined): SchemaDefinition {
  return (schema?.def ?? { type: '' }) as unknown as SchemaDefinition
}

/**
 * Creates an optional field with a lazy schema. The schema is created only if the field has a
 * value, because it may need the schemas of all resources.
 * @note zod itself would always create the schema, to check if it accepts `undefined`.
 */
export function createOptionalSchema<Schema extends z.ZodType>(
  make: () => Schema,
): z.ZodOptional<z.ZodLazy<Schema>> {
  const schema = z.lazy(make)
  schema._zod.optin = undefined
  schema._zod.optout = undefined
  return schema.optional()
}

/** Maximum number of issues to collect from a schema. */
export const maxFindings = 12

/**
 * Option to stop at the first invalid part, for `schema.safeParse(value, stopEarly)`. Otherwise, a
 * body with 100,000 invalid items would create 100,000 issues, although only one is reported.
 * @note zod supports this option, but its types do not list it for `safeParse`.
 */
export const stopEarly = { abortEarly: true } as z.core.ParseContext<z.core.$ZodIssue>

const atOnce = { ...stopEarly, async: false } as const

/**
 * Returns the same result as `schema.safeParse(value, stopEarly)`. This function is twice as fast
 * for valid values, because it does not copy the options.
 */
export function parseUntilFirstError<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
): z.ZodSafeParseResult<z.output<Schema>> {
  const payload = schema._zod.run({ value, issues: [] }, atOnce)
  if (payload instanceof Promise || payload.issues.length > 0)
    return schema.safeParse(value, stopEarly)
  return { success: true, data: payload.value as z.output<Schema> }
}

/** Schema of JSON with a maximum length in characters. */
export function createBoundedJsonSchema(maxCharacters: number) {
  return z
    .unknown()
    .refine((value) => estimateJsonSize(value, maxCharacters) <= maxCharacters, {
      error: `it must have at most ${maxCharacters} characters as JSON`,
    })
    .meta({ 'x-max-characters': maxCharacters })
}
