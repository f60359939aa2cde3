import { truncateForMessage } from '../errors.ts'
import type { SurvivalFailure, SurvivalResult } from './survival.ts'

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

/** Describes a failed run in one line: the first finding, or the error. */
export function describeFailure({ findings: [finding], ...failure }: SurvivalFailure): string {
  return finding === undefined
    ? findErrorLine(failure)
    : truncateForMessage(`${finding.rule}: ${finding.message}`)
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
