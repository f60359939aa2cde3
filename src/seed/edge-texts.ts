import type { SeedTexts } from './seed-texts.ts'

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
