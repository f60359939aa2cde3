import { fillPlaceholders } from '../lib/text.ts'
import { getEdgeCaseName } from './edge-texts.ts'
import type { SeedTexts } from './seed-texts.ts'

/** The names of a scenario's records, or only their number. */
export type Named = readonly string[] | number

/** Sources of names for records that the scenario does not name. */
export interface NameOptions {
  texts: Pick<SeedTexts, 'edge'>
  /** True if the names are edge cases. */
  isEdge: boolean
  /** Names from the creator's persona. */
  own: readonly string[]
  /**
   * Pattern for the names of further records, used when the persona has no more names. It contains
   * {NUMBER}.
   */
  numbered: string
}

/**
 * Returns the names of records: the names in the scenario, or else the names in the creator's
 * persona, followed by numbered names.
 */
export function chooseNames(named: Named, naming: NameOptions): readonly string[] {
  return typeof named === 'number'
    ? Array.from({ length: named }, (_, index) => chooseName(index, naming))
    : named
}

/**
 * Returns a name for a record that the scenario does not name: an edge case, a name from the
 * persona or a numbered name. `index` counts these records.
 */
export function chooseName(index: number, { texts, isEdge, own, numbered }: NameOptions): string {
  return isEdge
    ? getEdgeCaseName(texts, index)
    : (own[index] ?? fillPlaceholders(numbered, { NUMBER: String(index + 1) }))
}
