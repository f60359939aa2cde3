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

/** Words in the names of parameters that bound a list, by the side of the rows that they keep. */
const bounds = [
  { kept: 'older', words: /(^|_)(before|until|end|to)(_|$)/ },
  { kept: 'newer', words: /(^|_)(after|since|start|from)(_|$)/ },
  { kept: 'next', words: /(^|_)(first|last|marker)(_|$)/ },
] as const

/** Returns which rows a bound keeps. Undefined if the parameter bounds no list. */
export function keptBy(name: string): (typeof bounds)[number]['kept'] | undefined {
  return bounds.find(({ words }) => words.test(name))?.kept
}
