import { readFileSync } from 'node:fs'
import { parse } from 'yaml'

/**
 * A kind of value that clients must handle, and the record in the scenario `everything` that
 * contains the value.
 */
export interface ValueClass {
  what: string
  table: string
  id: number | string
  /** The fields of the record that contain the value. */
  fields: readonly string[]
}

/** All kinds of values in the scenario `everything`. */
export const everything = parse(
  readFileSync(new URL('../fixtures/everything.yaml', import.meta.url), 'utf8'),
) as readonly ValueClass[]
