import { TooManyRowsError } from '../errors.ts'

/** Maximum number of rows of a world that `POST /_sandbox/check` reads. */
export const maxCheckedRows = 200_000
/** Maximum number of rows of a table that `?contains=` searches. */
export const maxSearchedRows = 50_000
/** Maximum number of rows of a world whose whole snapshot a route writes. */
export const maxSnapshotRows = 50_000

/** Requires that a request reads few rows, so that it does not stall a server. */
export function requireFewRows(
  rows: number,
  { max, verb, advice }: { max: number; verb: string; advice: string },
): void {
  if (rows <= max) return
  throw new TooManyRowsError(
    `Failed to ${verb}: there are ${rows} rows, and a request may read at most ${max}. ${advice}`,
  )
}
