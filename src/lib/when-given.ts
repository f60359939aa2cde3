import { z } from 'zod'

/**
 * An optional field whose schema is created when the field is first present. Most requests omit it,
 * and its schema may need those of all resources.
 * @note zod itself would create every lazy optional schema, to check if it accepts `undefined`.
 */
export function whenGiven<Schema extends z.ZodType>(
  make: () => Schema,
): z.ZodOptional<z.ZodLazy<Schema>> {
  const schema = z.lazy(make)
  schema._zod.optin = undefined
  schema._zod.optout = undefined
  return schema.optional()
}
