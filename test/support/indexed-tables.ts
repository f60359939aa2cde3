import type { Tables } from '../../src/resources/all-tables.ts'
import type { OpenTables } from '../../src/resources/make.ts'

/** The tables of a sandbox with their indexes, which its public type leaves out. */
export function indexedTables(db: OpenTables): Tables {
  return db as object as Tables
}
