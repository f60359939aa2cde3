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
