import { z } from 'zod'

/**
 * Creates an optional field with a lazy schema that is only created if a value is defined. The
 * schema may need the schemas of all resources.
 * @note zod would create every lazy optional schema to check if it accepts `undefined`.
 */
export function ifDefined<Schema extends z.ZodType>(
  make: () => Schema,
): z.ZodOptional<z.ZodLazy<Schema>> {
  const schema = z.lazy(make)
  schema._zod.optin = undefined
  schema._zod.optout = undefined
  return schema.optional()
}
