import type { JournalEntry } from '../engine/journal.ts'
import { SandboxError } from '../errors.ts'
import type { Audit } from './audit.ts'
import type { Cost } from './cost.ts'
import { formatAudit } from './format.ts'
import { describeMiss } from './miss.ts'
import type { ReceivedFilter } from './received.ts'
import { severities } from './rule.ts'
import type { AuditFormat, Severity } from './rule.ts'
import { count } from './trail.ts'

/** The part of a sandbox that the matchers ask. */
export interface Audited {
  audit: () => Promise<Audit>
  cost: () => Cost
  received: (filter?: ReceivedFilter) => readonly JournalEntry[]
}

/** What the matchers add to `expect`, for the types of Vitest and Jest: docs/audit.md has the lines that declare it. */
export interface SandboxMatchers<Result = unknown> {
  /** Expects that clients spent so many credits at most. */
  toCostAtMost: (credits: number) => Result
  /** Expects that the audit finds nothing, or nothing as bad as `from`. @default from: 'hint' */
  toHaveNoFindings: (options?: { from?: Severity }) => Promise<Result>
  /** Expects a request that matches, or exactly so many. */
  toHaveReceived: (filter: ReceivedFilter, options?: { times?: number }) => Result
}

interface Verdict {
  pass: boolean
  message: () => string
}

/**
 * Matchers of Vitest and Jest for a sandbox.
 *
 * @example
 * expect.extend(matchers)
 * await expect(sandbox).toHaveNoFindings()
 */
export const matchers = {
  toCostAtMost(sandbox: Audited, max: number): Verdict {
    const cost = sandbox.cost()
    const pass = cost.credits <= max
    return { pass, message: () => describeCost(cost, pass ? `more than ${max}` : `at most ${max}`) }
  },
  async toHaveNoFindings(sandbox: Audited, { from = 'hint' }: { from?: Severity } = {}): Promise<Verdict> {
    const least = severities.indexOf(from)
    if (least === -1)
      throw new SandboxError(`Failed to look for findings from ${JSON.stringify(from)}: it must be one of ${severities.join(', ')}.`)
    const audit = await sandbox.audit()
    const findings = audit.findings.filter(({ severity }) => severities.indexOf(severity) <= least)
    const pass = findings.length === 0
    return { pass, message: () => `Expected ${pass ? 'findings' : 'no findings'}:\n\n${formatAudit({ ...audit, findings })}` }
  },
  toHaveReceived(sandbox: Audited, filter: ReceivedFilter, { times }: { times?: number } = {}): Verdict {
    const { length } = sandbox.received(filter)
    const pass = times === undefined ? length > 0 : length === times
    const wanted = times === undefined ? 'a request' : count(times, 'request')
    const message = () => {
      const miss = length === 0 ? ` ${describeMiss(sandbox.received(), filter)}` : ''
      return `Expected ${pass ? 'not ' : ''}${wanted} like ${JSON.stringify(filter)}: ${length === 0 ? 'none' : length} came.${miss}`
    }
    return { pass, message }
  },
}

/**
 * Requires that clients spent so many credits at most since the last checkpoint, whatever the test runner.
 *
 * @throws {Error} with the routes that cost most.
 */
export function expectCost(sandbox: Pick<Audited, 'cost'>, { max }: { max: number }): void {
  const cost = sandbox.cost()
  if (cost.credits > max) throw new Error(describeCost(cost, `at most ${max}`))
}

/** Writes an audit as text for a terminal, as Markdown for a pull request, or as JSON. */
export function writeAudit(audit: Audit, format?: AuditFormat): string {
  return formatAudit(audit, format)
}

/** The most routes that a failure names. */
const mostRoutes = 5

function describeCost({ credits, routes }: Cost, expected: string): string {
  const dearest = Object.entries(routes)
    .toSorted(([, a], [, b]) => b.credits - a.credits)
    .slice(0, mostRoutes)
    .map(([name, spent]) => `  ${String(spent.credits).padStart(5)}  ${name}`)
  return `Expected ${expected} credits, and ${count(credits, 'credit')} went:\n${dearest.join('\n')}`
}
