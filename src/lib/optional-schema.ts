import { z } from 'zod'

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
