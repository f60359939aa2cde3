import type { z } from 'zod'
import { definitionOf, unwrap } from '../lib/schema-parts.ts'

/**
 * Lists the fields that a schema allows in the object at a path of a value. Undefined if the schema
 * does not list them.
 */
export function allowedFields(
  schema: z.ZodType,
  path: readonly PropertyKey[],
  value: unknown,
): string[] | undefined {
  let innerValue = value
  let innerSchema = unwrap(schema, value)
  for (const key of path) {
    // A single item may replace a list of one. The path still says index 0, but the value has no
    // such level.
    const isSingleItem = typeof key === 'number' && !Array.isArray(innerValue)
    if (!isSingleItem)
      innerValue = (innerValue as Record<PropertyKey, unknown> | null | undefined)?.[key]
    const { element, valueType, shape } = definitionOf(innerSchema)
    const next: z.ZodType | undefined = element ?? valueType ?? shape?.[String(key)]
    innerSchema = next && unwrap(next, innerValue)
  }
  const { shape } = definitionOf(innerSchema)
  return shape && Object.keys(shape)
}
