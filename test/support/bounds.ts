import type { Sandbox } from 'creator-api-sandbox'
import { expect } from 'vitest'
import { measureBounds, isWithinBound } from '../../scripts/data-report/bounds.ts'
import { edges } from '../../scripts/edge-cases.ts'

/**
 * Expects seeded data to be within the bounds of the data report. If a scenario is expected to
 * contain the edge cases of docs/scenarios.md, all edge cases must occur.
 */
export async function expectWithinBounds(
  sandbox: Sandbox,
  { hasEdges }: { hasEdges: boolean },
): Promise<void> {
  const odd = (await measureBounds(sandbox)).filter((finding) => !isWithinBound(finding))
  expect(
    odd.map(({ who, bound: { about, what }, value }) => `${who} ${about}: ${what}: ${value}`),
  ).toEqual([])
  const missing = hasEdges ? edges.filter(({ find }) => find(sandbox.db) === undefined) : []
  expect(missing.map(({ what }) => what)).toEqual([])
}
