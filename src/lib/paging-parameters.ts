/** Query parameters that select a page or the sort order of a list, but do not filter it. */
export const pageNames: ReadonlySet<string> = new Set([
  'limit',
  'offset',
  'page',
  'order',
  'sort',
  'sort_by',
  'sort_dir',
])

/**
 * Parameters whose values clients choose, although a next_page contains the defaults too. All other
 * parameters that differ in a next_page are cursors.
 */
export const chosenNames: ReadonlySet<string> = new Set([
  'limit',
  'order',
  'sort',
  'sort_by',
  'sort_dir',
  'start_date',
  'end_date',
])

/**
 * Words that occur in the names of filter parameters, grouped by the kind of rows that the filter
 * keeps.
 */
const bounds = [
  { kept: 'older', words: /(^|_)(before|until|end|to)(_|$)/ },
  { kept: 'newer', words: /(^|_)(after|since|start|from)(_|$)/ },
  { kept: 'next', words: /(^|_)(first|last|marker)(_|$)/ },
] as const

/**
 * Returns the kind of rows that a filter parameter keeps, or undefined if the parameter is not a
 * filter.
 */
export function getRangeDirection(name: string): (typeof bounds)[number]['kept'] | undefined {
  return bounds.find(({ words }) => words.test(name))?.kept
}
