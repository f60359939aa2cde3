import type { Finding } from '../audit/rule.ts'
import type { RunRequest } from './run-record.ts'
import type { TrialName } from './trial-names.ts'
import type { TrialKind, TrialOptions } from './trials.ts'

/** Options of `survive`. */
export interface SurviveOptions extends Partial<TrialOptions> {
  /** Maximum number of runs of each variation and bad day. @default 20 */
  seeds?: number
  /** The variations and bad days. @default all */
  only?: readonly TrialName[]
  /** Maximum delay of slow-answers, real ms. @default 20 */
  delayMs?: number
  /** Delay of late-answer, real ms. @default 5000 */
  lateMs?: number
  /**
   * The error with which the function reports a bad day. With it, any other error is a failure.
   * @default an error on a bad day counts as reported
   */
  expectError?: RegExp
  /** Receives the table. @default console.log */
  print?: (table: string) => void
}

/** A run that broke the client. */
export interface SurvivalFailure {
  seed: number
  /** The exit code of a command. Null if it was ended, and in process. */
  exitCode: number | null
  /** Mistakes that the run without a variation or bad day did not have. */
  findings: Finding[]
  /** The requests of the run. */
  requests: readonly RunRequest[]
  /** The error, or the last lines of the command. Empty if the run succeeded. */
  output: string
  /** The thrown value. In process only. */
  error?: unknown
}

/** The result of a client under one variation or bad day. */
export interface SurvivalResult {
  name: TrialName
  kind: TrialKind
  runs: number
  /** Number of runs in which an answer varied, or a request failed. */
  met: number
  /** Number of runs that met it, and in which the client did the right thing. */
  survived: number
  /** Number of runs in which the client reported the bad day by an error. */
  reported: number
  failures: SurvivalFailure[]
  /** A kind of client that fails under it. */
  breaks: string
  /** The part of the contract that allows it. */
  source: string
}

/** The result of `survive`. */
export interface Survival {
  /** True if no run failed. */
  survived: boolean
  results: SurvivalResult[]
  /** The results as text, one line for each variation and bad day. */
  table: string
}
