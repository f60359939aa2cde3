import type { z } from 'zod'

/** What of a schema's definition tells what is inside it; which of these it has depends on its type. */
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

/** The names of the fields of the object at a path of a value, by the schema of the whole; undefined where the schema does not tell. */
export function allowedFields(schema: z.ZodType, path: readonly PropertyKey[], value: unknown): string[] | undefined {
  let [inner, at]: [z.ZodType | undefined, unknown] = [unwrap(schema, value), value]
  for (const key of path) {
    const isSingle = typeof key === 'number' && !Array.isArray(at)
    // Where one thing may stand in place of a list, the path counts it as the first.
    if (!isSingle) at = (at as Record<PropertyKey, unknown> | null | undefined)?.[key]
    const { element, valueType, shape } = definitionOf(inner)
    const next: z.ZodType | undefined = element ?? valueType ?? shape?.[String(key)]
    inner = next && unwrap(next, at)
  }
  const { shape } = definitionOf(inner)
  return shape && Object.keys(shape)
}

/** Looks through what is wrapped around a schema, and into that one of several that takes the value. */
function unwrap(schema: z.ZodType, value: unknown): z.ZodType | undefined {
  const { type, getter, innerType, in: before, out, options, discriminator } = definitionOf(schema)
  const single = getter?.() ?? innerType ?? (definitionOf(before).type === 'transform' ? out : before)
  if (single !== undefined) return unwrap(single, value)
  if (type !== 'union') return schema
  return options?.map((option) => unwrap(option, value)).find((option) => isMeant(definitionOf(option), value, discriminator))
}

function isMeant({ type, shape }: Definition, value: unknown, discriminator: string | undefined): boolean {
  if (discriminator === undefined) return type === (Array.isArray(value) ? 'array' : typeof value)
  return shape?.[discriminator]?.safeParse((value as Record<string, unknown> | null | undefined)?.[discriminator]).success === true
}

function definitionOf(schema: z.ZodType | undefined): Definition {
  return (schema?.def ?? { type: '' }) as unknown as Definition
}
