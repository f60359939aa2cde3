import type { Survival, SurviveOptions } from '../variation/survival.ts'
import type { JournalEntry } from '../world/journal/journal-entry.ts'
import { describeValue, quoteText, SandboxError } from '../errors.ts'
import { changedTables } from '../generated/table-names.ts'
import { findNearestWord } from '../lib/nearest-word.ts'
import { isObject } from '../lib/plain-json.ts'
import type { TableName } from '../resources/all-tables.ts'
import type { Audit } from '../audit/audit.ts'
import type { Cost } from '../audit/cost.ts'
import { formatAudit } from '../audit/format-audit.ts'
import { describeNearMisses } from '../audit/near-misses.ts'
import type { VariableRoute } from '../api/route-id.ts'
import type { ReceivedFilter } from '../audit/request-filter.ts'
import { severities, formatCount } from '../audit/rule.ts'
import type { AuditFormat, Severity } from '../audit/rule.ts'

/** The sandbox members that the matchers use. */
export interface Audited {
  audit: () => Promise<Audit>
  cost: () => Cost
  received: (filter?: ReceivedFilter<string>) => readonly JournalEntry[]
  changes: () => ListedChanges
}

/** The same members of a remote sandbox or world, over HTTP. They return promises. */
export interface RemotelyAudited {
  audit: () => Promise<Audit>
  cost: () => Promise<Cost>
  received: (filter?: ReceivedFilter<string>) => Promise<readonly JournalEntry[]>
  changes: () => Promise<ListedChanges>
}

/**
 * The result of a matcher, which is a promise if the sandbox is remote. `Result` is the result type
 * of Vitest or Jest.
 */
type Expected<Result> = Result extends { cost: () => Promise<unknown> } ? Promise<void> : Result

/**
 * Types of the matchers for `expect` in Vitest and Jest. For their declaration, see docs/audit.md.
 */
export interface SandboxMatchers<Result = unknown> {
  /** Expects clients to have spent at most the given number of credits. */
  toCostAtMost: (credits: number) => Expected<Result>
  /**
   * Expects the audit to have no findings, or no findings with the severity `from` or worse.
   * @default from: 'hint'
   */
  toHaveNoFindings: (options?: { from?: Severity }) => Promise<Result>
  /** Expects at least one matching request, or exactly `times` of them. */
  toHaveReceived: {
    <Route extends string>(
      filter: ReceivedFilter<VariableRoute<Route>>,
      options?: { times?: number },
    ): Expected<Result>
    (filter: ReceivedFilter, options?: { times?: number }): Expected<Result>
  }
  /**
   * Expects exactly these numbers of added, changed and removed records since the checkpoint, by
   * table. Omitted kinds of changes are not compared. Omitted tables are compared only with
   * `only: true`: they must have no changes. Without an argument, expects any change.
   * @default only: false
   */
  toHaveChanged: (counts?: ChangeCounts, options?: { only?: boolean }) => Expected<Result>
  /**
   * Expects a function to survive each variation and bad day (docs/variation.md). Accepts the
   * options of `sandbox.survive`, and requires a sandbox in the same process.
   */
  toSurvive: (run: () => unknown, options?: Omit<SurviveOptions, 'print'>) => Promise<Result>
}

/** Numbers of added, changed and removed records, by table. */
export type ChangeCounts = Readonly<
  Partial<Record<TableName, { added?: number; changed?: number; removed?: number }>>
>

/** The result of the sandbox's `changes` method. */
interface ListedChanges {
  tables: readonly ({ table: string } & Record<
    'added' | 'changed' | 'removed',
    { total: number }
  >)[]
}

/** The result of a matcher. */
export interface Verdict {
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
  toCostAtMost(sandbox: Audited | RemotelyAudited, max: number): Verdict | Promise<Verdict> {
    requireSandbox('toCostAtMost', sandbox, 'cost')
    if (typeof max !== 'number' || !(max >= 0))
      throw new SandboxError(
        `toCostAtMost: the number of credits is ${describeValue(max)}. Use a number from 0.`,
      )
    return resolveVerdict(sandbox.cost(), (cost) => {
      const pass = cost.credits <= max
      return {
        pass,
        message: () => describeCost(cost, pass ? `more than ${max}` : `at most ${max}`),
      }
    })
  },
  async toHaveNoFindings(
    sandbox: Pick<Audited, 'audit'>,
    options: { from?: Severity } = {},
  ): Promise<Verdict> {
    requireSandbox('toHaveNoFindings', sandbox, 'audit')
    requireKnownKeys('toHaveNoFindings', options, { what: 'option', known: ['from'] })
    const { from = 'hint' } = options
    const minRank = severities.indexOf(from)
    if (minRank === -1)
      throw new SandboxError(
        `Failed to check for findings (from: ${JSON.stringify(from)}): the severity must be one ` +
          `of ${severities.join(', ')}.`,
      )
    const audit = await sandbox.audit()
    const findings = audit.findings.filter(
      ({ severity }) => severities.indexOf(severity) <= minRank,
    )
    const pass = findings.length === 0
    return {
      pass,
      message: () =>
        `Expected ${pass ? 'findings' : 'no findings'}:\n\n${formatAudit({ ...audit, findings })}`,
    }
  },
  toHaveReceived(
    sandbox: Audited | RemotelyAudited,
    filter: ReceivedFilter<string>,
    options: { times?: number } = {},
  ): Verdict | Promise<Verdict> {
    requireSandbox('toHaveReceived', sandbox, 'changes')
    requireKnownKeys('toHaveReceived', options, { what: 'option', known: ['times'] })
    const { times } = options
    if (times !== undefined) requireCount('toHaveReceived: times', times)
    return resolveVerdict(sandbox.received(filter), (found) =>
      resolveVerdict(found.length === 0 ? sandbox.received() : found, (all) =>
        compareReceivedCount(found, { all, filter, times }),
      ),
    )
  },
  toHaveChanged(
    sandbox: Pick<Audited, 'changes'> | Pick<RemotelyAudited, 'changes'>,
    counts?: ChangeCounts,
    options: { only?: boolean } = {},
  ): Verdict | Promise<Verdict> {
    requireSandbox('toHaveChanged', sandbox, 'changes')
    requireKnownKeys('toHaveChanged', options, { what: 'option', known: ['only'] })
    if (counts !== undefined) requireChangeCounts(counts)
    else if (options.only === true)
      throw new SandboxError('toHaveChanged: name the tables that { only: true } allows.')
    return resolveVerdict(sandbox.changes(), (changes) =>
      compareChangeCounts(changes, counts, options.only === true),
    )
  },
  async toSurvive(
    sandbox: { survive?: Survive },
    run: Parameters<Survive>[0],
    options: Omit<SurviveOptions, 'print'> = {},
  ): Promise<Verdict> {
    if (typeof sandbox.survive !== 'function')
      throw new SandboxError(
        'Failed to vary the responses: this world is on a server. Pass a sandbox that runs in ' +
          'this process, or run the tests with: npx creator-api-sandbox survive -- COMMAND.',
      )
    const { survived, table } = await sandbox.survive(run, { ...options, print: () => {} })
    return {
      pass: survived,
      message: () =>
        `Expected the function ${survived ? 'not to survive' : 'to survive'}:\n\n${table}`,
    }
  },
}

type Survive = (run: () => unknown, options: SurviveOptions) => Promise<Survival>

function compareChangeCounts(
  { tables }: ListedChanges,
  counts: ChangeCounts | undefined,
  isOnly: boolean,
): Verdict {
  const pass =
    counts === undefined
      ? tables.length > 0
      : Object.entries(counts).every(([name, kinds]) => {
          const found = tables.find(({ table }) => table === name)
          return changeKinds.every(
            (kind) => kinds[kind] === undefined || kinds[kind] === (found?.[kind].total ?? 0),
          )
        }) &&
        (!isOnly || tables.every(({ table }) => Object.hasOwn(counts, table)))
  const expected =
    counts === undefined
      ? 'changes'
      : `changes like ${JSON.stringify(counts)}${isOnly ? ' and no others' : ''}`
  const lines = tables.map(
    (table) =>
      `  ${table.table}: ${changeKinds.map((kind) => `${table[kind].total} ${kind}`).join(', ')}`,
  )
  const message = () =>
    `Expected ${pass ? 'no ' : ''}${expected}. Changes since the checkpoint: ` +
    (lines.length === 0 ? 'none.' : `\n${lines.join('\n')}`)
  return { pass, message }
}

const changeKinds = ['added', 'changed', 'removed'] as const

/** Throws if the argument of `toHaveChanged` would not be compared as it was meant. */
function requireChangeCounts(counts: ChangeCounts): void {
  const matcher = 'toHaveChanged'
  if (!isObject(counts) || Object.keys(counts).length === 0)
    throw new SandboxError(
      `${matcher}: ${describeValue(counts)} names no table. Pass numbers by table, such as ` +
        '{ posts: { added: 1 } }, or nothing to expect any change.',
    )
  requireKnownKeys(matcher, counts, { what: 'table', known: changedTables })
  for (const [table, kinds] of Object.entries(counts)) {
    if (!isObject(kinds) || Object.keys(kinds).length === 0)
      throw new SandboxError(
        `${matcher}: ${table} is ${describeValue(kinds)}. Pass numbers, such as { added: 1 }.`,
      )
    requireKnownKeys(`${matcher}, ${table}`, kinds, { what: 'kind of change', known: changeKinds })
    for (const [kind, count] of Object.entries(kinds))
      if (count !== undefined) requireCount(`${matcher}: ${table}.${kind}`, count)
  }
}

/** Throws if a key is unknown, because the matcher would ignore it. */
function requireKnownKeys(
  matcher: string,
  given: object,
  { what, known }: { what: string; known: readonly string[] },
): void {
  const key = Object.keys(given).find((name) => !known.includes(name))
  if (key === undefined) return
  const nearest = findNearestWord(known, key)
  throw new SandboxError(
    `${matcher}: there is no ${what} ${quoteText(key)}. ` +
      (nearest === undefined ? `Use one of ${known.join(', ')}.` : `Do you mean ${nearest}?`),
  )
}

/** Throws if a value is not a count. `subject` is the start of the error. */
function requireCount(subject: string, value: unknown): void {
  if (!Number.isInteger(value) || Number(value) < 0)
    throw new SandboxError(`${subject} is ${describeValue(value)}. Use an integer from 0.`)
}

/** Throws if a matcher was given something other than a sandbox or a world. */
function requireSandbox(matcher: string, given: unknown, method: string): void {
  if (typeof (given as Record<string, unknown> | null | undefined)?.[method] !== 'function')
    throw new SandboxError(
      `${matcher}: expect was given ${describeValue(given)}. Give it a sandbox or a world, such as ` +
        `expect(sandbox).${matcher}(…).`,
    )
}

function resolveVerdict<Value>(
  value: Value | Promise<Value>,
  judge: (value: Value) => Verdict | Promise<Verdict>,
): Verdict | Promise<Verdict> {
  return isPromise(value) ? value.then(judge) : judge(value)
}

/** True for a promise of any realm. */
function isPromise<Value>(value: Value | Promise<Value>): value is Promise<Value> {
  return typeof (value as Promise<Value> | null)?.then === 'function'
}

function compareReceivedCount(
  { length }: readonly JournalEntry[],
  {
    all,
    filter,
    times,
  }: {
    all: readonly JournalEntry[]
    filter: ReceivedFilter<string>
    times: number | undefined
  },
): Verdict {
  const pass = times === undefined ? length > 0 : length === times
  const wanted = times === undefined ? 'a request' : formatCount(times, 'request')
  const message = () => {
    const miss = length === 0 ? ` ${describeNearMisses(all, filter)}` : ''
    return (
      `Expected ${pass ? 'not ' : ''}${wanted} like ${JSON.stringify(filter)}: received ` +
      `${length === 0 ? 'none' : length}.${miss}`
    )
  }
  return { pass, message }
}

/**
 * Throws if clients have spent more than `max` credits since the last checkpoint. Works with any
 * test runner.
 * @throws {Error} with a list of the most expensive routes
 */
export function expectCost(sandbox: Pick<Audited, 'cost'>, { max }: { max: number }): void {
  const cost = sandbox.cost()
  if (cost.credits > max) throw new Error(describeCost(cost, `at most ${max}`))
}

/** Writes an audit as text for a terminal, as Markdown for a pull request, or as JSON. */
export function writeAudit(audit: Audit, format?: AuditFormat): string {
  return formatAudit(audit, format)
}

/** Maximum number of routes to list in a failure message. */
const maxRoutes = 5

function describeCost({ credits, routes }: Cost, expected: string): string {
  const mostExpensive = Object.entries(routes)
    .toSorted(([, a], [, b]) => b.credits - a.credits)
    .slice(0, maxRoutes)
    .map(([name, spent]) => `  ${String(spent.credits).padStart(5)}  ${name}`)
  return (
    `Expected ${expected} credits, but ${formatCount(credits, 'credit')} were ` +
    `spent:\n${mostExpensive.join('\n')}`
  )
}
