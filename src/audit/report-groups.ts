import { groupBy } from '../lib/iterables.ts'
import type { AuditedRequest } from './audited-request.ts'
import type { Occurrence } from './rule.ts'

/**
 * Reports the requests of each group of mistakes as one occurrence. `describe` gets the first
 * mistake of the group.
 */
export function reportGroups<Mistake extends { request: AuditedRequest }>(
  mistakes: readonly Mistake[],
  keyOf: (mistake: Mistake) => string,
  describe: (first: Mistake) => string,
): Occurrence[] {
  return [...groupBy(mistakes, keyOf).values()].map((group) => {
    const [first] = group as [Mistake]
    return { message: describe(first), requests: group.map(({ request }) => request) }
  })
}
