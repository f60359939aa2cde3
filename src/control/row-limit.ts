import { TooManyRowsError } from '../errors.ts'
import { prepareScenario } from '../scenario/prepare.ts'
import type { Scenario } from '../scenario/schema.ts'
import { countRecords } from '../scenario/texts.ts'

/** Maximum number of rows in a world for `POST /_sandbox/check`. */
export const maxCheckedRows = 200_000
/** Maximum number of rows in a table for `?contains=`. */
export const maxSearchedRows = 50_000
/** Maximum number of rows in a world for routes that write the whole world. */
export const maxSnapshotRows = 50_000
/** Maximum number of records that a scenario may contain on servers that share a store. */
const maxRecords = 50_000

/** Limits the rows that a request reads, so that the request does not block the server. */
export function enforceRowLimit(
  rows: number,
  { max, verb, advice }: { max: number; verb: string; advice: string },
): void {
  if (rows <= max) return
  throw new TooManyRowsError(
    `Failed to ${verb}: there are ${rows} rows, and a request may read at most ${max}. ${advice}`,
  )
}

/**
 * Checks that a scenario loads within about 2 seconds if several servers share the store. A server
 * that is blocked for longer cannot renew the leases on its worlds.
 *
 * @throws {TooManyRowsError}
 */
export async function rejectSlowScenario(
  { store }: { store: { leases: unknown } | undefined },
  scenario: string | Scenario,
  library: readonly Scenario[] | undefined,
): Promise<void> {
  if (store?.leases === undefined) return
  const { organisations, records: listed } = await prepareScenario(scenario, library).load()
  const records =
    countRecords(listed) +
    sumNumbers(organisations.flatMap(({ accounts }) => accounts.map(({ data }) => data)))
  if (records > maxRecords)
    throw new TooManyRowsError(
      `Failed to load the scenario: it has ${records} records, but servers that share ` +
        `--state load at most ${maxRecords}, because a server that is busy for too long ` +
        'loses its worlds. Load it on a server with its own --state.',
    )
}

function sumNumbers(value: unknown): number {
  if (typeof value === 'number') return value
  if (typeof value !== 'object' || value === null) return 0
  return Object.values(value).reduce((sum: number, each) => sum + sumNumbers(each), 0)
}
