import type { Tables } from '../../src/resources/all-tables.ts'
import type { OpenTables } from '../../src/resources/make.ts'

/** Returns the tables of a sandbox with their indexes, which are not part of the public type. */
export function getIndexedTables(db: OpenTables): Tables {
  return db as object as Tables
}
