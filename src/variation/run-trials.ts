import type { Finding } from '../audit/rule.ts'
import { listAbandoned } from '../audit/rules/paging.ts'
import { SandboxError } from '../errors.ts'
import { findNewMistakes } from './run-record.ts'
import type { RunRecord } from './run-record.ts'
import { describeOutputDifference, maskOutput } from './compare-output.ts'
import type { RunOutput } from './compare-output.ts'
import type { Survival, SurvivalFailure, SurvivalResult } from './survival.ts'
import { findErrorLine, formatSurvivalTable } from './survival.ts'
import { trialNames } from './variation.ts'
import type { TrialName } from './variation.ts'
import { trials } from './trials.ts'
import type { Trial, TrialOptions, TrialRun } from './trials.ts'

/** The result of one run of a client. */
export interface Execution {
  /** True if a response was varied or a request failed. */
  isMet: boolean
  record: RunRecord
  /** Ids that the run created. They may differ between runs. */
  newIds: ReadonlySet<string>
  /** The output of the client. Not set if it has no output. */
  output?: RunOutput
  /**
   * Set if the client failed. `isEnded` is true if the client did not end by itself and was
   * stopped.
   */
  failure?: { exitCode: number | null; output: string; error?: unknown; isEnded?: true }
}

/** The trials to run, and the settings for the runs. */
export interface SurvivePlan extends TrialOptions {
  /** The trials to run. If a seed is given, only the runs of the trial with this seed. */
  only: readonly { name: TrialName; seed?: number | undefined }[]
  expectError?: RegExp | undefined
  /** Number of runs in parallel. */
  jobs: number
  /** Signal to stop. After it is aborted, no further run starts. */
  signal?: AbortSignal
  /** Called after the plain run, and after each further run. */
  onRun?: (progress: { done: number; total: number; broken?: SurvivalResult }) => void
}

/** All trials, with all their runs. */
export const everyTrial = trialNames.map((name) => ({ name }))

/**
 * Runs a client without changes, and then separately with each variation and bad day.
 * @throws {SandboxError} if the client fails without changes
 */
export async function runTrials(
  execute: (run: TrialRun | null) => Promise<Execution>,
  plan: SurvivePlan,
): Promise<Survival> {
  const { only, jobs, signal, onRun = () => {} } = plan
  const isStopped = () => signal?.aborted === true
  const plainRun = await execute(null)
  const { failure, record: plain } = plainRun
  if (failure !== undefined && !isStopped())
    throw new SandboxError(
      `Failed to vary the responses: the client also fails without variations: ${findErrorLine(failure)}`,
      { cause: failure.error },
    )
  const chosen = trials.filter(({ name }) => only.some((each) => each.name === name))
  const reference = new OutputReference(execute, plainRun)
  if (!isStopped() && chosen.some(({ keepsValues }) => keepsValues)) await reference.check()
  const results = new Map(
    chosen.map((trial) => [
      trial.name,
      createEmptyResult(trial, countSkippedRoutes(trial, plain, plan)),
    ]),
  )
  const runs = chosen.flatMap((trial) => createTrialRuns(trial, plain, plan))
  const total = runs.length
  let done = 0
  if (!isStopped()) onRun({ done, total })
  const work = async () => {
    for (let run = runs.shift(); run !== undefined; run = runs.shift()) {
      if (isStopped()) return
      const execution = await execute(run)
      // Ignores the result of a run that was stopped, because it says nothing about the client.
      if (isStopped()) return
      const result = results.get(run.name) as SurvivalResult
      const { expectError } = plan
      const isBroken = addRun(result, { run, execution, plain, reference, expectError })
      done += 1
      onRun({ done, total, ...(isBroken ? { broken: result } : {}) })
    }
  }
  await Promise.all(Array.from({ length: jobs }, work))
  const list = [...results.values()]
  const differs = list.some(({ failures }) => failures.some(hasDifference))
  // The data may have changed since the first runs, because time has passed.
  if (differs && !isStopped()) await reference.check()
  if (!reference.isRepeatable) list.forEach(dropDifferences)
  for (const { failures } of list) failures.sort((a, b) => a.seed - b.seed)
  const note = reference.isRepeatable ? {} : { note: notRepeatable }
  return {
    survived: list.every(({ failures }) => failures.length === 0),
    results: list,
    ...note,
    table: [formatSurvivalTable(list), ...Object.values(note)].join('\n'),
  }
}

const notRepeatable = 'output not compared: it is not repeatable'

/** The output of the client without changes, with which other outputs are compared. */
class OutputReference {
  readonly #execute: (run: null) => Promise<Execution>
  /** The masked output. Empty if the client has no output. */
  readonly text: string
  /** All output, including stderr. */
  readonly whole: string
  /** False if a further run without changes had another output. */
  isRepeatable = true

  constructor(execute: (run: null) => Promise<Execution>, plain: Execution) {
    this.#execute = execute
    this.text = toMaskedText(plain)
    this.whole = plain.output?.whole ?? ''
  }

  /** Runs the client once more, to find out whether its output is repeatable. */
  async check(): Promise<void> {
    if (this.text === '' || !this.isRepeatable) return
    const again = await this.#execute(null)
    this.isRepeatable = again.failure === undefined && toMaskedText(again) === this.text
  }

  /** Describes how the output of a run differs. Empty if it is the same or cannot be compared. */
  describeDifference(execution: Execution): string {
    return this.text === '' || !this.isRepeatable
      ? ''
      : describeOutputDifference(this.text, toMaskedText(execution))
  }
}

function toMaskedText({ output, newIds }: Execution): string {
  return maskOutput(output?.text ?? '', newIds)
}

function hasDifference({ difference }: SurvivalFailure): boolean {
  return difference !== undefined
}

/** Counts the runs that failed only because of their output as survived. */
function dropDifferences(result: SurvivalResult): void {
  const kept = result.failures.filter((failure) => !hasDifference(failure))
  result.survived += result.failures.length - kept.length
  result.failures = kept
}

function createTrialRuns(
  trial: Trial,
  { day }: RunRecord,
  { only, ...plan }: SurvivePlan,
): TrialRun[] {
  const seeds = only.flatMap(({ name, seed }) => (name === trial.name ? [seed] : []))
  const most = seeds.reduce((max: number, seed) => Math.max(max, seed ?? 0), plan.seeds)
  const runs = trial.runsOf(day, { ...plan, seeds: most })
  return runs.filter(({ seed }) => seeds.some((wanted) => (wanted ?? seed) === seed))
}

/** Returns the number of routes for which no run took place, or 0 if a single run was selected. */
function countSkippedRoutes(trial: Trial, { day }: RunRecord, plan: SurvivePlan): number {
  const isWhole = plan.only.some(({ name, seed }) => name === trial.name && seed === undefined)
  if (trial.kind === 'variation' || !isWhole) return 0
  return Math.max(0, trial.runsOf(day, { ...plan, seeds: Infinity }).length - plan.seeds)
}

function createEmptyResult(
  { name, kind, breaks, source }: Trial,
  skippedRoutes: number,
): SurvivalResult {
  const counts = { runs: 0, met: 0, survived: 0, reported: 0, skippedRoutes }
  return { name, kind, ...counts, failures: [], breaks, source }
}

/** A run to judge. */
interface JudgedRun {
  run: TrialRun
  execution: Execution
  plain: RunRecord
  reference: OutputReference
  expectError: RegExp | undefined
}

/** Adds a run to a result. Returns true if the client failed. */
function addRun(result: SurvivalResult, judged: JudgedRun): boolean {
  const { run, execution, plain } = judged
  const { isMet, record, failure } = execution
  const trial = trials.find(({ name }) => name === run.name) as Trial
  const findings = findNewMistakes(record, plain, trial).filter(
    // A client that fails at its end has reported the failure.
    ({ rule }) => failure === undefined || rule !== listAbandoned.name,
  )
  const difference = findings.length > 0 || !isMet ? '' : findDifference(trial, judged)
  const outcome = getRunOutcome(trial, { ...judged, findings, difference })
  result.runs += 1
  if (isMet) result.met += 1
  if (outcome === 'reported') result.reported += 1
  if (outcome === 'survived' && isMet) result.survived += 1
  if (outcome !== 'broken') return false
  const { exitCode = null, output = '', error } = failure ?? {}
  result.failures.push({
    seed: run.seed,
    exitCode,
    findings,
    requests: record.requests,
    output: difference === '' ? output : (execution.output?.whole ?? ''),
    ...(difference === '' ? {} : { difference }),
    ...(error === undefined ? {} : { error }),
  })
  return true
}

/** Describes how the output of a successful run differs from the usual one. */
function findDifference(
  { kind, keepsValues }: Trial,
  { execution, plain, reference }: JudgedRun,
): string {
  if (execution.failure !== undefined || !keepsValues) return ''
  // A client that shows only the first rows of a list may show fewer of them.
  const { unreadLists } = execution.record
  const isPartial =
    kind === 'variation' &&
    unreadLists.size > 0 &&
    [...unreadLists].every((list) => plain.unreadLists.has(list))
  return isPartial ? '' : reference.describeDifference(execution)
}

function getRunOutcome(
  { kind, isOnlyReported }: Trial,
  {
    findings,
    difference,
    execution: { failure, output },
    reference,
    expectError,
  }: JudgedRun & { findings: readonly Finding[]; difference: string },
): 'survived' | 'reported' | 'broken' {
  if (findings.length > 0) return 'broken'
  // An output that always matches reports nothing.
  const isNewReport = (text: string | undefined) =>
    isExpected(text, expectError) && !isExpected(reference.whole, expectError)
  if (difference !== '')
    return kind === 'bad-day' && isNewReport(output?.whole) ? 'reported' : 'broken'
  if (failure === undefined) return 'survived'
  if (kind === 'variation' || failure.isEnded === true) return 'broken'
  if (expectError === undefined) return 'reported'
  if (!isExpected(failure.output, expectError)) return 'broken'
  return isOnlyReported ? 'reported' : 'survived'
}

function isExpected(output = '', expectError: RegExp | undefined): boolean {
  return expectError !== undefined && output.search(expectError) !== -1
}
