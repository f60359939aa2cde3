import type { Sent } from './sent.ts'
import type { RequestHistory } from './request-history.ts'

/**
 * The severities, the worst first. error: it fails or does harm. warning: it costs or will break.
 * hint: it could be better.
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
  /** A sentence that describes it. */
  message: string
  /** Number of occurrences. */
  count: number
  /** Ids of the requests in the journal that show it, at most 100. */
  requests: number[]
  /** Advice for the client. */
  advice: string
  /** The section of the reference that says so. */
  source: string
}

/** One finding of a rule, and the requests that show it. */
export interface Sight {
  message: string
  /** @default the number of requests */
  count?: number
  requests: readonly Sent[]
}

/** A mistake of clients: how to detect it and how to fix it. */
export interface Rule {
  name: string
  severity: Severity
  /** The mistake, in a sentence. */
  mistake: string
  advice: string
  source: string
  /** The mistake and its fix as a few lines of a client. */
  example: { wrong: string; right: string }
  find: (history: RequestHistory) => readonly Sight[]
}

/** Declares a rule. */
export function defineRule(rule: Rule): Rule {
  return rule
}
