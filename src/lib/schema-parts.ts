import type { z } from 'zod'

/**
 * Fields of a schema definition that contain nested schemas. The type of the schema determines
 * which of them exist.
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
 * Removes wrappers such as `optional` and `lazy` from a schema, and selects the union member that
 * matches the value.
 */
export function unwrap(schema: z.ZodType, value: unknown): z.ZodType | undefined {
  const {
    type,
    getter,
    innerType,
    in: input,
    out: output,
    options,
    discriminator,
  } = definitionOf(schema)
  // For a pipe that starts with a transform, the object is its output. Otherwise it is the input.
  const wrapped =
    getter?.() ?? innerType ?? (definitionOf(input).type === 'transform' ? output : input)
  if (wrapped !== undefined) return unwrap(wrapped, value)
  if (type !== 'union') return schema
  return options
    ?.map((option) => unwrap(option, value))
    .find((option) => fitsValue(definitionOf(option), value, discriminator))
}

function fitsValue(
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
export function definitionOf(schema: z.ZodType | undefined): SchemaDefinition {
  return (schema?.def ?? { type: '' }) as unknown as SchemaDefinition
}
