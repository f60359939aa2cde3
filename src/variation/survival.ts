import type { Finding } from '../audit/rule.ts'
import type { RunRequest } from './run-record.ts'
import type { TrialName } from './trial-names.ts'
import type { TrialKind, TrialOptions } from './trials.ts'

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
  /** Delay of `late-answer`, ms of real time. @default 5000 */
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
  /** The results as a table, with one line per variation and bad day. */
  table: string
}
