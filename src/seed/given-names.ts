import { fillIn } from '../lib/text.ts'
import { edgeName } from './edge-texts.ts'
import type { SeedTexts } from './seed-texts.ts'

/** Names of things in a scenario, or only their number. */
export type Named = readonly string[] | number

/** Names for things that a scenario leaves without a name. */
export interface Naming {
  texts: Pick<SeedTexts, 'edge'>
  /** True if their names are edge cases. */
  isEdge: boolean
  /** Names that their creator uses. */
  own: readonly string[]
  /** The name once the creator has no more names, with {NUMBER}. */
  numbered: string
}

/**
 * The names of things: those that the scenario gives, or as many of the creator's own, numbered
 * where the creator has no more.
 */
export function givenNames(named: Named, naming: Naming): readonly string[] {
  return typeof named === 'number'
    ? Array.from({ length: named }, (_, index) => givenName(index, naming))
    : named
}

/**
 * The name of the `index`-th thing that a scenario leaves without one: what its creator calls it,
 * else its number; or an edge case.
 */
export function givenName(index: number, { texts, isEdge, own, numbered }: Naming): string {
  return isEdge
    ? edgeName(texts, index)
    : (own[index] ?? fillIn(numbered, { NUMBER: String(index + 1) }))
}
