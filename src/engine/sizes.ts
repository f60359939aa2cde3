import { z } from 'zod'

/** A size that a scenario can give an account's data: what it may be, what it is when left out, and how many fans it takes. */
export interface Size<Schema extends z.ZodType = z.ZodType> {
  schema: () => Schema
  fallback: z.output<Schema>
  /** Told all sizes of the account. */
  fansNeeded?: (sizes: never) => number
}

/** The sizes of a resource, by name. */
export type Sizes = Readonly<Record<string, Size>>

/** What the sizes of a resource come to. */
export type SizesOf<Declared> = { [Name in keyof Declared]: Declared[Name] extends Size<infer Schema> ? z.output<Schema> : never }

/** How many of something there are. */
export const count = z.int().min(0).max(1_000_000)

/** Declares a size. `schema` is called when a scenario is first read. */
export function size<Schema extends z.ZodType, All = never>(
  schema: () => Schema,
  fallback: z.output<Schema>,
  fansNeeded?: (sizes: All) => number,
): Size<Schema> {
  return { schema, fallback, fansNeeded: fansNeeded as Size['fansNeeded'] }
}
