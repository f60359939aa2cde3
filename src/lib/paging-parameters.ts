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

/** Words in the names of parameters that restrict a list, grouped by the rows that remain. */
const bounds = [
  { kept: 'older', words: /(^|_)(before|until|end|to)(_|$)/ },
  { kept: 'newer', words: /(^|_)(after|since|start|from)(_|$)/ },
  { kept: 'next', words: /(^|_)(first|last|marker)(_|$)/ },
] as const

/**
 * Returns the kind of rows that remain if a parameter restricts a list. Undefined for other
 * parameters.
 */
export function getRangeDirection(name: string): (typeof bounds)[number]['kept'] | undefined {
  return bounds.find(({ words }) => words.test(name))?.kept
}
