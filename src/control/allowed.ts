import type { z } from 'zod'

/** The fields of a schema's definition that lead to the schemas inside it. The type of the schema decides which ones it has. */
interface Definition {
  type: string
  getter?: () => z.ZodType
  innerType?: z.ZodType
  in?: z.ZodType
  out?: z.ZodType
  element?: z.ZodType
  valueType?: z.ZodType
  shape?: Record<string, z.ZodType>
  options?: readonly z.ZodType[]
  discriminator?: string
}

/** Lists the fields that a schema allows in the object at a path of a value; undefined where the schema does not say. */
export function allowedFields(schema: z.ZodType, path: readonly PropertyKey[], value: unknown): string[] | undefined {
  let innerValue = value
  let innerSchema = unwrap(schema, value)
  for (const key of path) {
    // A single item may replace a list of one. The path still says index 0, but the value has no such level.
    const isSingleItem = typeof key === 'number' && !Array.isArray(innerValue)
    if (!isSingleItem) innerValue = (innerValue as Record<PropertyKey, unknown> | null | undefined)?.[key]
    const { element, valueType, shape } = definitionOf(innerSchema)
    const next: z.ZodType | undefined = element ?? valueType ?? shape?.[String(key)]
    innerSchema = next && unwrap(next, innerValue)
  }
  const { shape } = definitionOf(innerSchema)
  return shape && Object.keys(shape)
}

/** Removes wrappers such as `optional` and `lazy` from a schema, and chooses the member of a union that fits the value. */
function unwrap(schema: z.ZodType, value: unknown): z.ZodType | undefined {
  const { type, getter, innerType, in: input, out: output, options, discriminator } = definitionOf(schema)
  // A pipe that begins with a transform has its object behind it, any other pipe has it in front.
  const wrapped = getter?.() ?? innerType ?? (definitionOf(input).type === 'transform' ? output : input)
  if (wrapped !== undefined) return unwrap(wrapped, value)
  if (type !== 'union') return schema
  return options?.map((option) => unwrap(option, value)).find((option) => fitsValue(definitionOf(option), value, discriminator))
}

function fitsValue({ type, shape }: Definition, value: unknown, discriminator: string | undefined): boolean {
  if (discriminator === undefined) return type === (Array.isArray(value) ? 'array' : typeof value)
  return shape?.[discriminator]?.safeParse((value as Record<string, unknown> | null | undefined)?.[discriminator]).success === true
}

function definitionOf(schema: z.ZodType | undefined): Definition {
  return (schema?.def ?? { type: '' }) as unknown as Definition
}
