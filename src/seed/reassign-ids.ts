import { compareIds } from '../data/rows.ts'

/**
 * Reassigns the ids of records so that they increase with time. This is necessary because each
 * seeding step appends its records to the records of the previous step. The records must be sorted
 * by id. A record without a time stays directly after the previous record.
 * @param timeOf returns the time of a record, ISO; null without a time
 * @returns the new id of each record whose id changed, by its old id
 */
export function reassignIdsByTime<Row extends { id: number | string }>(
  rows: readonly Row[],
  timeOf: (row: Row) => string | null,
): Map<Row['id'], Row['id']> {
  const ids = rows.map(({ id }) => id)
  const times: string[] = []
  for (const row of rows) times.push(timeOf(row) ?? times.at(-1) ?? '')
  // Sorting a plain array is faster here than a typed array, because the rows are partly in order.
  const order = rows.map((_, place) => place)
  order.sort((a, b) => compareIds(times[a] ?? '', times[b] ?? ''))
  const changed = new Map<Row['id'], Row['id']>()
  for (let place = 0; place < order.length; place += 1) {
    const row = rows[order[place] ?? 0]
    const id = ids[place]
    if (row === undefined || id === undefined || row.id === id) continue
    changed.set(row.id, id)
    row.id = id
  }
  return changed
}
