import type { Finding } from '../audit/rule.ts'
import { SandboxError } from '../errors.ts'
import { findNewMistakes } from './run-record.ts'
import type { RunRecord } from './run-record.ts'
import type { Survival, SurvivalResult } from './survival.ts'
import { findErrorLine, formatSurvivalTable } from './survival.ts'
import { trialNames } from './variation.ts'
import type { TrialName } from './variation.ts'
import { trials } from './trials.ts'
import type { Trial, TrialKind, TrialOptions, TrialRun } from './trials.ts'

/** The result of one run of a client. */
export interface Execution {
  /** True if a response was varied or a request failed. */
  isMet: boolean
  record: RunRecord
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
  const { failure, record: plain } = await execute(null)
  if (failure !== undefined && !isStopped())
    throw new SandboxError(
      `Failed to vary the responses: the client also fails without variations: ${findErrorLine(failure)}`,
      { cause: failure.error },
    )
  const chosen = trials.filter(({ name }) => only.some((each) => each.name === name))
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
      const isBroken = addRun(result, { run, execution, plain, expectError: plan.expectError })
      done += 1
      onRun({ done, total, ...(isBroken ? { broken: result } : {}) })
    }
  }
  await Promise.all(Array.from({ length: jobs }, work))
  for (const { failures } of results.values()) failures.sort((a, b) => a.seed - b.seed)
  const list = [...results.values()]
  return {
    survived: list.every(({ failures }) => failures.length === 0),
    results: list,
    table: formatSurvivalTable(list),
  }
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

/** Adds a run to a result. Returns true if the client failed. */
function addRun(
  result: SurvivalResult,
  {
    run,
    execution: { isMet, record, failure },
    plain,
    expectError,
  }: { run: TrialRun; execution: Execution; plain: RunRecord; expectError: RegExp | undefined },
): boolean {
  const findings = findNewMistakes(record, plain)
  const outcome = getRunOutcome(result.kind, { findings, failure, expectError })
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
    output,
    ...(error === undefined ? {} : { error }),
  })
  return true
}

function getRunOutcome(
  kind: TrialKind,
  {
    findings,
    failure,
    expectError,
  }: {
    findings: readonly Finding[]
    failure: Execution['failure']
    expectError: RegExp | undefined
  },
): 'survived' | 'reported' | 'broken' {
  if (findings.length > 0) return 'broken'
  if (failure === undefined) return 'survived'
  if (kind === 'variation' || failure.isEnded === true) return 'broken'
  if (expectError === undefined) return 'reported'
  return failure.output.search(expectError) === -1 ? 'broken' : 'survived'
}
