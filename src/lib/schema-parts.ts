import type { z } from 'zod'

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
  const {
    type,
    getter,
    innerType,
    in: input,
    out: output,
    options,
    discriminator,
  } = getSchemaDefinition(schema)
  // If a pipe starts with a transform, its output is the object schema. Otherwise, its input is.
  const wrapped =
    getter?.() ?? innerType ?? (getSchemaDefinition(input).type === 'transform' ? output : input)
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
