import type { Tables } from '../../src/resources/all-tables.ts'
import type { OpenTables } from '../../src/resources/make.ts'

/** Returns a sandbox's tables with their indexes, which the public type hides. */
export function getIndexedTables(db: OpenTables): Tables {
  return db as object as Tables
}
