import type { Sent } from './sent.ts'
import type { RequestHistory } from './request-history.ts'

/**
 * How bad a finding is, the worst first: it fails or harms, it costs or breaks some day, it could
 * be done better.
 */
export const severities = ['error', 'warning', 'hint'] as const
export type Severity = (typeof severities)[number]

/** How an audit can be written. */
export const auditFormats = ['json', 'text', 'markdown'] as const
export type AuditFormat = (typeof auditFormats)[number]

/** Something that a client does wrong. */
export interface Finding {
  /** The name of the rule in docs/audit.md. */
  rule: string
  severity: Severity
  /** What was seen, in a sentence. */
  message: string
  /** How often it was seen. */
  count: number
  /** The ids of the requests in the journal that show it, the first hundred. */
  requests: number[]
  /** What to do about it. */
  advice: string
  /** Where the API says so. */
  source: string
}

/** What a rule sees: a sentence, and the requests that show it. */
export interface Sight {
  message: string
  /** @default the number of requests */
  count?: number
  requests: readonly Sent[]
}

/** A mistake that clients make, how it is seen in a journal, and how it is mended. */
export interface Rule {
  name: string
  severity: Severity
  /** The mistake, in a sentence. */
  mistake: string
  advice: string
  source: string
  /** The mistake and its mending, as few lines of a client. */
  example: { wrong: string; right: string }
  find: (history: RequestHistory) => readonly Sight[]
}

/** Declares a rule. */
export function defineRule(rule: Rule): Rule {
  return rule
}
