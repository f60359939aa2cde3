import type { Finding } from '../audit/rule.ts'
import type { RunRequest } from './run-record.ts'
import type { TrialName } from './variation.ts'
import type { TrialKind, TrialOptions } from './trials.ts'
import { truncateForMessage } from '../errors.ts'

/** Options for `survive`. */
export interface SurviveOptions extends Partial<TrialOptions> {
  /**
   * Maximum number of runs per variation and bad day.
   * @default 20
   */
  seeds?: number
  /**
   * Variations and bad days to run.
   * @default all
   */
  only?: readonly TrialName[]
  /** Maximum delay of `slow-answers`, ms of real time. @default 20 */
  delayMs?: number
  /** Delay of `late-answer` and `hanging-read`, ms of real time. @default 5000 */
  lateMs?: number
  /**
   * Matches the errors that count as reports of a bad day. Any other error counts as a failure.
   * @default on a bad day, any error counts as a report
   */
  expectError?: RegExp
  /**
   * Called with the table.
   * @default console.log
   */
  print?: (table: string) => void
}

/** A run in which the client failed. */
export interface SurvivalFailure {
  seed: number
  /** Exit code of a command. Null if the command was killed, or if a function was run. */
  exitCode: number | null
  /** Mistakes that did not occur in the plain run, which has no variation or bad day. */
  findings: Finding[]
  /** The requests of the run. */
  requests: readonly RunRequest[]
  /** The error, or the last lines of the command's output. Empty if the run succeeded. */
  output: string
  /** The first lines that differ from the output of the plain run. Not set if none differ. */
  difference?: string
  /** The thrown value, if a function was run. */
  error?: unknown
}

/** A client's results for one variation or bad day. */
export interface SurvivalResult {
  name: TrialName
  kind: TrialKind
  runs: number
  /** Number of runs in which a response was varied or a request failed. */
  met: number
  /** Number of these runs that the client handled correctly. */
  survived: number
  /** Number of runs in which the client reported the bad day with an error. */
  reported: number
  /**
   * Number of routes on which the bad day was not simulated, because `seeds` is lower than the
   * number of routes.
   */
  skippedRoutes: number
  failures: SurvivalFailure[]
  /** Describes a client that fails under these conditions. */
  breaks: string
  /** The part of the API contract that allows this variation or bad day. */
  source: string
}

/** The result of `survive`. */
export interface Survival {
  /** True if no run failed. */
  survived: boolean
  results: SurvivalResult[]
  /** Says that outputs were not compared, because they differ between plain runs. */
  note?: string
  /** The results as a table, with one line per variation and bad day, followed by the note. */
  table: string
}

/** Formats results as a table with one row per variation and bad day. */
export function formatSurvivalTable(results: readonly SurvivalResult[]): string {
  const isReported = results.some(({ reported }) => reported > 0)
  const rows = results.map((result) => {
    const [first] = result.failures
    return [
      result.name,
      formatSurvivedRuns(result),
      ...(isReported ? [result.reported === 0 ? '' : String(result.reported)] : []),
      first === undefined ? '' : `seed ${first.seed}: ${describeFailure(first)}`,
    ]
  })
  const head = ['name', 'survived', ...(isReported ? ['reported'] : []), 'first broken by']
  const widths = head.map((_, column) =>
    Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)),
  )
  return [head, ...rows]
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/**
 * Formats the number of survived runs, such as `3 of 5`. Ignores runs in which the client reported
 * an error.
 */
export function formatSurvivedRuns({ met, survived, reported, failures }: SurvivalResult): string {
  if (failures.length === 0 && met === 0) return 'not triggered'
  return failures.length === 0 && survived === 0 && reported > 0
    ? ''
    : `${survived} of ${survived + failures.length}`
}

/** Describes a failed run in one line: the first finding, the difference, or the error. */
export function describeFailure({ findings: [finding], ...failure }: SurvivalFailure): string {
  if (finding !== undefined) return truncateForMessage(`${finding.rule}: ${finding.message}`)
  if (failure.difference === undefined) return findErrorLine(failure)
  const lines = failure.difference.split('\n')
  const shown = [lines[0], ...['-', '+'].map((sign) => lines.find((line) => line[0] === sign))]
  return truncateForMessage(shown.filter((line) => line !== undefined).join(' '))
}

/**
 * Returns the first line of an error. For the output of a command, returns the line with the last
 * error.
 */
export function findErrorLine({
  exitCode,
  output,
}: Pick<SurvivalFailure, 'exitCode' | 'output'>): string {
  const lines = output.split('\n').filter((line) => line.trim() !== '')
  if (exitCode === null) return truncateForMessage(lines[0] ?? 'no message')
  const last = (lines.findLast((line) => errorLine.test(line)) ?? lines.at(-1))?.trim()
  return truncateForMessage(`exit code ${exitCode}${last === undefined ? '' : `: ${last}`}`)
}

/** Matches an error line of a programming language or test runner, such as `ValueError: no id`. */
const errorLine = /^(?:E|--- FAIL)?\s*(?:[\w.]*(?:Error|Exception)|panic|error)\b.{0,20}: ./
