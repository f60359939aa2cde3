import type { Finding } from './compare.ts'

/** How a route of the service compares with the sandbox. */
export type Outcome = 'same' | 'differs' | 'refused' | 'absent' | 'not tried'

/** What is known of a route of the service. It holds no value of the service. */
export interface RouteResult {
  id: string
  outcome: Outcome
  findings: readonly Finding[]
  /** The places, as JSON paths, that no answer showed. */
  notSeen: readonly string[]
  /** Why it was refused, or not tried. */
  why?: string
  /** Set where its largest page is still to be tried. */
  awaitsProbe?: true
}

/** Whether anything more is to be learnt of a route. */
export function isSettled({ outcome }: RouteResult): boolean {
  return outcome !== 'not tried'
}
