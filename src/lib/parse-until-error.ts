import type { z } from 'zod'

/** Maximum number of issues to collect from a schema. */
export const maxFindings = 12

/**
 * Option to stop at the first invalid part, for `schema.safeParse(value, stopEarly)`. Otherwise, a
 * body with 100,000 invalid items would create 100,000 issues, although only one is reported.
 * @note zod supports this option, but its types do not list it for `safeParse`.
 */
export const stopEarly = { abortEarly: true } as z.core.ParseContext<z.core.$ZodIssue>

const atOnce = { ...stopEarly, async: false } as const

/**
 * Returns the same result as `schema.safeParse(value, stopEarly)`. This function is twice as fast
 * for valid values, because it does not copy the options.
 */
export function parseUntilFirstError<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
): z.ZodSafeParseResult<z.output<Schema>> {
  const payload = schema._zod.run({ value, issues: [] }, atOnce)
  if (payload instanceof Promise || payload.issues.length > 0)
    return schema.safeParse(value, stopEarly)
  return { success: true, data: payload.value as z.output<Schema> }
}
