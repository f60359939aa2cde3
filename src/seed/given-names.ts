import { fillPlaceholders } from '../lib/text.ts'
import type { SeedTexts } from './seed-texts.ts'

/** The names of a scenario's records, or only their number. */
type Named = readonly string[] | number

/** Sources of names for records that the scenario does not name. */
interface NameOptions {
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

/**
 * Returns an edge case for the text of a record, as HTML. The index of the record selects the edge
 * case.
 */
export function getEdgeCaseText({ edge }: Pick<SeedTexts, 'edge'>, index: number): string {
  return edge.texts[index % edge.texts.length] ?? ''
}

/** Returns an edge case for a name. Repeated names get a number at the end. */
export function getEdgeCaseName({ edge }: Pick<SeedTexts, 'edge'>, index: number): string {
  const name = edge.names[index % edge.names.length] ?? ''
  const turn = Math.floor(index / edge.names.length) + 1
  return turn === 1 ? name : `${name} ${turn}`
}
