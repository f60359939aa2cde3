/** Query parameters of lists that choose a page or an order, and leave no row out. */
export const pageNames: ReadonlySet<string> = new Set([
  'limit',
  'offset',
  'page',
  'order',
  'sort',
  'sort_by',
  'sort_dir',
])

/** Words of parameters that bound a list by time or by a row, as cursors do. */
const boundWords = /(^|_)(before|after|since|until|start|end|from|to|first|last|marker)(_|$)/

/** True if a query parameter bounds a list by time or by a row. */
export function isBound(name: string): boolean {
  return boundWords.test(name)
}
