import type { SortedList } from '../../data/sorted-list.ts'
import { parseIso } from '../../lib/time.ts'
import type { Span } from './window.ts'

/** Returns the rows within a time span. The list must be sorted by `time`, newest first. */
export function findRowsInSpan<Row>(
  list: SortedList<Row>,
  { start, end }: Span,
  time: (row: Row) => string,
): Row[] {
  const newest = list.rank((row) => parseIso(time(row)) <= end)
  const pastOldest = list.rank((row) => parseIso(time(row)) < start)
  return list.slice(newest, pastOldest)
}
