import { z } from 'zod'

/**
 * An optional field whose schema is created when the field is first given. Most requests do not
 * give it, and it may need schemas of all resources.
 * @note zod itself would create a lazy schema of every optional field, to check if it accepts
 *   `undefined`.
 */
export function whenGiven<Schema extends z.ZodType>(
  make: () => Schema,
): z.ZodOptional<z.ZodLazy<Schema>> {
  const schema = z.lazy(make)
  schema._zod.optin = undefined
  schema._zod.optout = undefined
  return schema.optional()
}
