/** Walks the rows that pass a test. It reads no further than its caller does. */
export function* filterRows<Row>(rows: Iterable<Row>, accepts: (row: Row) => boolean): Generator<Row, void, void> {
  for (const row of rows) if (accepts(row)) yield row
}
