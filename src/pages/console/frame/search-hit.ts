/** A search result. */
export interface SearchHit {
  kind: string
  text: string
  /** The field that matched, if the text does not show it. */
  match?: string | undefined
  /** Lower ranks come first. */
  rank: number
  /** The place that the result opens, or the function that it calls. */
  goal: string | (() => void)
}
