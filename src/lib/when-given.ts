import { z } from 'zod'

/**
 * An optional field whose schema is made where somebody gives the field: most do not, and it may
 * take schemas of all resources.
 * @note By itself zod makes a lazy schema of every optional field, to see whether it takes
 * `undefined`.
 */
export function whenGiven<Schema extends z.ZodType>(
  make: () => Schema,
): z.ZodOptional<z.ZodLazy<Schema>> {
  const schema = z.lazy(make)
  schema._zod.optin = undefined
  schema._zod.optout = undefined
  return schema.optional()
}
