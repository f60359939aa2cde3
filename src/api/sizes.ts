import { z } from 'zod'

/** A setting for the size of an account's data in a scenario, such as the number of posts. */
export interface Size<Schema extends z.ZodType = z.ZodType> {
  schema: () => Schema
  /** Default value. */
  fallback: z.output<Schema>
  /** Returns the number of fans that this size requires, based on all sizes of the account. */
  fansNeeded?: (sizes: never) => number
}

/** The sizes of a resource, by name. */
export type Sizes = Readonly<Record<string, Size>>

/** The values of a resource's sizes, by name. */
export type SizeValues<Declared> = {
  [Name in keyof Declared]: Declared[Name] extends Size<infer Schema> ? z.output<Schema> : never
}

/** Schema for a number of records. */
export const count = z.int().min(0).max(1_000_000)

/** Declares a size. `schema` is called when the first scenario is read. */
export function defineSize<Schema extends z.ZodType, All = never>(
  schema: () => Schema,
  fallback: z.output<Schema>,
  fansNeeded?: (sizes: All) => number,
): Size<Schema> {
  return { schema, fallback, fansNeeded: fansNeeded as Size['fansNeeded'] }
}
