import type { Finding } from './compare-shape.ts'

/** Outcome of comparing a route with the service. */
export type Outcome = 'same' | 'differs' | 'refused' | 'absent' | 'not tried'

/** The result for a route, without any values from the service. */
export interface RouteResult {
  id: string
  outcome: Outcome
  findings: readonly Finding[]
  /** JSON paths that did not occur in any response. */
  notSeen: readonly string[]
  /** Reason why the route was refused or could not be tested. */
  why?: string
  /** True if the maximum page size has not been tested yet. */
  awaitsProbe?: true
}

/** True if the route needs no further requests. */
export function isResultFinal({ outcome }: RouteResult): boolean {
  return outcome !== 'not tried'
}
