import type { SeedTexts } from './seed-texts.ts'

/**
 * Returns an edge case in place of a text, as HTML. The index of the record decides which one.
 */
export function edgeText({ edge }: Pick<SeedTexts, 'edge'>, index: number): string {
  return edge.texts[index % edge.texts.length] ?? ''
}

/**
 * Writes an edge case in place of a name: they take turns, and from the second turn on have its
 * number behind them.
 */
export function edgeName({ edge }: Pick<SeedTexts, 'edge'>, index: number): string {
  const name = edge.names[index % edge.names.length] ?? ''
  const turn = Math.floor(index / edge.names.length) + 1
  return turn === 1 ? name : `${name} ${turn}`
}
