import { takePage } from '../../lib/iterables.ts'

/** The number of rows to skip and the page size. */
export interface PageQuery {
  offset: number
  limit: number
}

/** One page of rows. */
export interface ListPage<Row> {
  rows: Row[]
  hasMore: boolean
  /** Offset of the next page, or null on the last page. */
  next: { offset: number } | null
}

/** A list that can be read by index: a sorted list, an array, or the members of a user list. */
export type Sliceable<Row> = { slice: (from: number, to: number) => readonly Row[] } & (
  | { readonly size: number }
  | { readonly length: number }
)

/** A range of a list: its first index, the index after its last row, and the reading direction. */
export interface ListPart {
  /** @default 0 */
  from?: number
  /** @default the size of the list */
  to?: number
  /** True to read from the last row to the first. @default false */
  backwards?: boolean
}

/** Reads one page of a list, or of a range within the list. */
export function readPage<Row>(
  list: Sliceable<Row>,
  { offset, limit }: PageQuery,
  { from = 0, to = 'size' in list ? list.size : list.length, backwards = false }: ListPart = {},
): ListPage<Row> {
  const size = Math.max(0, to - from)
  const reached = Math.min(offset + limit, size)
  const rows = backwards
    ? list.slice(from + size - reached, Math.max(from, from + size - offset)).toReversed()
    : list.slice(from + offset, from + reached)
  return { rows: [...rows], ...createNextPage(reached < size, reached) }
}

/** Reads one page of an iterable. Stops at the first row after the page. */
export function readIterablePage<Row>(
  rows: Iterable<Row>,
  { offset, limit }: PageQuery,
): ListPage<Row> {
  const found = takePage(rows, { offset, limit: limit + 1 })
  return { rows: found.slice(0, limit), ...createNextPage(found.length > limit, offset + limit) }
}

/** Returns the offset of the next page if there are more rows. */
export function createNextPage(
  hasMore: boolean,
  reached: number,
): Pick<ListPage<never>, 'hasMore' | 'next'> {
  return { hasMore, next: hasMore ? { offset: reached } : null }
}
