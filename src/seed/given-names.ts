import { fillPlaceholders } from '../lib/text.ts'
import { getEdgeCaseName } from './edge-texts.ts'
import type { SeedTexts } from './seed-texts.ts'

/** Names of records in a scenario, or only the number of records. */
export type Named = readonly string[] | number

/** Names for records whose names the scenario does not set. */
export interface NameOptions {
  texts: Pick<SeedTexts, 'edge'>
  /** True if the names are edge cases. */
  isEdge: boolean
  /** Names from the creator's persona. */
  own: readonly string[]
  /** Name for further records when the persona has no more names. It contains {NUMBER}. */
  numbered: string
}

/**
 * Returns the names of records: those from the scenario, or else those of the creator's persona,
 * followed by numbered names.
 */
export function chooseNames(named: Named, naming: NameOptions): readonly string[] {
  return typeof named === 'number'
    ? Array.from({ length: named }, (_, index) => chooseName(index, naming))
    : named
}

/**
 * Returns the name of the `index`-th record without a name in the scenario: an edge case, a name
 * from the persona, or a numbered name.
 */
export function chooseName(index: number, { texts, isEdge, own, numbered }: NameOptions): string {
  return isEdge
    ? getEdgeCaseName(texts, index)
    : (own[index] ?? fillPlaceholders(numbered, { NUMBER: String(index + 1) }))
}
