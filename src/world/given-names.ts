import { fillIn } from '../engine/text.ts'

/** What a scenario says of some things: their names, or how many there are. */
export type Named = readonly string[] | number

/** The names of things: those that the scenario gives, or as many of the creator's own, numbered where the creator has no more. */
export function givenNames(named: Named, own: readonly string[], numbered: string): readonly string[] {
  return typeof named === 'number' ? Array.from({ length: named }, (_, index) => givenName(own, index, numbered)) : named
}

/** The name of the `index`-th thing that a scenario leaves without one: what its creator calls it, else its number. */
export function givenName(own: readonly string[], index: number, numbered: string): string {
  return own[index] ?? fillIn(numbered, { NUMBER: String(index + 1) })
}
