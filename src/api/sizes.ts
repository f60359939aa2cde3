import { z } from 'zod'

/** A size that a scenario can give the data of an account, such as the number of its posts. */
export interface Size<Schema extends z.ZodType = z.ZodType> {
  schema: () => Schema
  /** The value of a size that the scenario leaves out. */
  fallback: z.output<Schema>
  /** The number of fans that the size needs. It receives all sizes of the account. */
  fansNeeded?: (sizes: never) => number
}

/** The sizes of a resource, by name. */
export type Sizes = Readonly<Record<string, Size>>

/** The values of the sizes of a resource, by name. */
export type SizesOf<Declared> = {
  [Name in keyof Declared]: Declared[Name] extends Size<infer Schema> ? z.output<Schema> : never
}

/** A number of records. */
export const count = z.int().min(0).max(1_000_000)

/** Declares a size. `schema` runs when the first scenario is read. */
export function size<Schema extends z.ZodType, All = never>(
  schema: () => Schema,
  fallback: z.output<Schema>,
  fansNeeded?: (sizes: All) => number,
): Size<Schema> {
  return { schema, fallback, fansNeeded: fansNeeded as Size['fansNeeded'] }
}
