import { takePage } from './store/sorted-list.ts'

/** Which rows of a list are wanted: so many skipped, at most so many taken. */
export interface PageQuery {
  offset: number
  limit: number
}

/** One page of rows. */
export interface PageOf<Row> {
  rows: Row[]
  hasMore: boolean
  /** Where the next page begins; null on the last one. */
  next: { offset: number } | null
}

/** What can be read by place: a sorted list, an array, the members of a user list. */
export type Sliceable<Row> = { slice: (from: number, to: number) => readonly Row[] } & (
  | { readonly size: number }
  | { readonly length: number }
)

/** A part of a list, from one place up to but not including another, and the direction in which it is read. */
export interface ListPart {
  /** @default 0 */
  from?: number
  /** @default the size of the list */
  to?: number
  /** Whether the last row comes first. @default false */
  backwards?: boolean
}

/** One page of a list, or of a part of it. */
export function pageOf<Row>(
  list: Sliceable<Row>,
  { offset, limit }: PageQuery,
  { from = 0, to = 'size' in list ? list.size : list.length, backwards = false }: ListPart = {},
): PageOf<Row> {
  const size = Math.max(0, to - from)
  const reached = Math.min(offset + limit, size)
  const rows = backwards
    ? list.slice(from + size - reached, Math.max(from, from + size - offset)).toReversed()
    : list.slice(from + offset, from + reached)
  return { rows: [...rows], ...continued(reached < size, reached) }
}

/** One page of rows that are walked, no further than the first row after it. */
export function pageOfWalk<Row>(rows: Iterable<Row>, { offset, limit }: PageQuery): PageOf<Row> {
  const found = takePage(rows, { offset, limit: limit + 1 })
  return { rows: found.slice(0, limit), ...continued(found.length > limit, offset + limit) }
}

/** What follows a page that ends at a place: the next one, if there is more. */
export function continued(hasMore: boolean, reached: number): Pick<PageOf<never>, 'hasMore' | 'next'> {
  return { hasMore, next: hasMore ? { offset: reached } : null }
}
