import type { AuditedRequest } from './audited-request.ts'
import type { RequestHistory } from './request-history.ts'

/**
 * The severities, worst first. `error`: the request fails or does harm. `warning`: it wastes
 * credits or will fail later. `hint`: it could be better.
 */
export const severities = ['error', 'warning', 'hint'] as const
export type Severity = (typeof severities)[number]

/** The formats of an audit. */
export const auditFormats = ['json', 'text', 'markdown'] as const
export type AuditFormat = (typeof auditFormats)[number]

/** A mistake of a client. */
export interface Finding {
  /** The name of the rule in docs/audit.md. */
  rule: string
  severity: Severity
  /** A sentence that describes the mistake. */
  message: string
  /** Number of occurrences. */
  count: number
  /** Ids of the journal's requests with the mistake, at most 100. */
  requests: number[]
  /** Advice for the client. */
  advice: string
  /** The section of the reference that the rule is based on. */
  source: string
}

/** One occurrence of a mistake, with its requests. */
export interface Occurrence {
  message: string
  /** @default the number of requests */
  count?: number
  requests: readonly AuditedRequest[]
}

/** A mistake that clients make, how to detect it and how to fix it. */
export interface Rule {
  name: string
  severity: Severity
  /** The mistake, in a sentence. */
  mistake: string
  advice: string
  source: string
  /** Client code with the mistake, and the same code without it. */
  example: { wrong: string; right: string }
  find: (history: RequestHistory) => readonly Occurrence[]
}

/** Declares a rule of the audit. */
export function defineRule(rule: Rule): Rule {
  return rule
}
