import type { z } from 'zod'
import { getSchemaDefinition, unwrapSchema } from '../lib/schema-parts.ts'

/**
 * Returns the fields that a schema allows in the object at a path within a value, or undefined if
 * any field is allowed.
 */
export function listAllowedFields(
  schema: z.ZodType,
  path: readonly PropertyKey[],
  value: unknown,
): string[] | undefined {
  let innerValue = value
  let innerSchema = unwrapSchema(schema, value)
  for (const key of path) {
    // A schema may accept a single item in place of a list. The path then contains an index,
    // although the value is not a list.
    const isSingleItem = typeof key === 'number' && !Array.isArray(innerValue)
    if (!isSingleItem)
      innerValue = (innerValue as Record<PropertyKey, unknown> | null | undefined)?.[key]
    const { element, valueType, shape } = getSchemaDefinition(innerSchema)
    const next: z.ZodType | undefined = element ?? valueType ?? shape?.[String(key)]
    innerSchema = next && unwrapSchema(next, innerValue)
  }
  const { shape } = getSchemaDefinition(innerSchema)
  return shape && Object.keys(shape)
}
