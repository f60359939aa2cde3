import { fillPlaceholders } from '../lib/text.ts'
import { edgeName } from './edge-texts.ts'
import type { SeedTexts } from './seed-texts.ts'

/** Names of records in a scenario, or only their number. */
export type Named = readonly string[] | number

/** Names for records that have no name in the scenario. */
export interface Naming {
  texts: Pick<SeedTexts, 'edge'>
  /** True if the names are edge cases. */
  isEdge: boolean
  /** Names from the creator's persona. */
  own: readonly string[]
  /** The name after the persona's names are used up, with {NUMBER}. */
  numbered: string
}

/**
 * Returns the names of records: names from the scenario, or else from the creator's persona,
 * followed by numbered names.
 */
export function givenNames(named: Named, naming: Naming): readonly string[] {
  return typeof named === 'number'
    ? Array.from({ length: named }, (_, index) => givenName(index, naming))
    : named
}

/**
 * Returns the name of the `index`-th record without a name in the scenario: an edge case, a name
 * from the persona, or a numbered name.
 */
export function givenName(index: number, { texts, isEdge, own, numbered }: Naming): string {
  return isEdge
    ? edgeName(texts, index)
    : (own[index] ?? fillPlaceholders(numbered, { NUMBER: String(index + 1) }))
}
