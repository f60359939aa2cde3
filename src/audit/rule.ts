import type { AuditedRequest } from './audited-request.ts'
import type { RequestHistory } from './request-history.ts'

/**
 * Severities, worst first. `error`: the request fails or does harm. `warning`: the request wastes
 * credits, or will fail in the future. `hint`: the request could be improved.
 */
export const severities = ['error', 'warning', 'hint'] as const
export type Severity = (typeof severities)[number]

/** Output formats of an audit. */
export const auditFormats = ['json', 'text', 'markdown'] as const
export type AuditFormat = (typeof auditFormats)[number]

/** A mistake of a client. */
export interface Finding {
  /** Name of the rule, as in docs/audit.md. */
  rule: string
  severity: Severity
  /** Description of the mistake, as a sentence. */
  message: string
  /** Number of occurrences. */
  count: number
  /** Journal ids of the requests that contain the mistake, at most 100 ids. */
  requests: number[]
  /** Advice on how to fix the client. */
  advice: string
  /** Section of the reference on which the rule is based. */
  source: string
}

/** An occurrence of a mistake, with the requests that it consists of. */
export interface Occurrence {
  message: string
  /** @default the number of requests */
  count?: number
  requests: readonly AuditedRequest[]
}

/** A mistake that clients can make, how to detect it, and how to fix it. */
export interface Rule {
  name: string
  severity: Severity
  /** Description of the mistake, as a sentence. */
  mistake: string
  advice: string
  source: string
  /** Example of client code with the mistake, and the corrected code. */
  example: { wrong: string; right: string }
  find: (history: RequestHistory) => readonly Occurrence[]
}

/** Declares a rule of the audit. */
export function defineRule(rule: Rule): Rule {
  return rule
}

/** `1 request`, `2 requests`. */
export function formatCount(amount: number, noun: string): string {
  return `${amount} ${noun}${amount === 1 ? '' : 's'}`
}
