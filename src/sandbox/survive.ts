import type { TrialRun } from '../variation/trials.ts'
import { z } from 'zod'
import { lazyStrictObject } from '../lib/fields.ts'
import { checkInput } from '../api/check-input.ts'
import { describeValue, SandboxError } from '../errors.ts'
import { everyTrial, runTrials } from '../variation/run-trials.ts'
import type { Execution } from '../variation/run-trials.ts'
import type { Survival, SurviveOptions } from '../variation/survival.ts'
import { toOutputText } from '../variation/compare-output.ts'
import { trialNames } from '../variation/variation.ts'
import type { World } from '../resources/world.ts'
import { isError, isRegExp } from '../lib/realms.ts'
import { variation } from '../api/variation-service.ts'
import { minuteMs } from '../lib/time.ts'
import { readRunRecord } from '../variation/run-record.ts'

/** Options of `runSurvivalTest`. */
const SurviveChoice = lazyStrictObject(() => ({
  seeds: z.int().min(1).max(10_000).default(20),
  only: z.array(z.enum(trialNames)).min(1).max(trialNames.length).optional(),
  delayMs: z.int().min(0).max(60_000).default(20),
  lateMs: z.int().min(0).max(600_000).default(5000),
  expectError: z
    .custom<RegExp>((value) => isRegExp(value), {
      error: 'it must be a regular expression',
    })
    .optional(),
  print: z
    .custom<(table: string) => void>((value) => typeof value === 'function', {
      error: 'it must be a function',
    })
    // oxlint-disable-next-line no-console
    .default(() => (table: string) => console.log(table)),
}))

/**
 * Runs a function with each variation and each simulated bad day of the service. Prints a table of
 * the results and restores the world.
 *
 * @throws {SandboxError}
 */
export async function runSurvivalTest(
  world: () => World,
  attempt: () => unknown,
  options: SurviveOptions,
): Promise<Survival> {
  if (typeof attempt !== 'function')
    throw new SandboxError(
      `Failed to vary the responses: the argument must be a function (got ${describeValue(attempt)}).`,
    )
  const { print, only, ...checked } = checkInput(SurviveChoice, options, {
    verb: 'vary the responses',
  })
  const experiment = new RepeatedRun(world, attempt)
  try {
    const survival = await runTrials((run) => experiment.run(run), {
      ...checked,
      only: only?.map((name) => ({ name })) ?? everyTrial,
      jobs: 1,
    })
    print(survival.table)
    return survival
  } finally {
    experiment.restore()
  }
}

/** Runs a function several times, each time from the same state of a world. */
class RepeatedRun {
  readonly #worldNow: () => World
  readonly #attempt: () => unknown
  readonly #world: World
  readonly #start
  readonly #checkpoint: number

  constructor(world: () => World, attempt: () => unknown) {
    this.#worldNow = world
    this.#attempt = attempt
    this.#world = world()
    this.#start = this.#world.snapshot()
    this.#checkpoint = this.#world.journal.checkpoint
  }

  /**
   * Restores the initial state and runs the function with a variation or with faults.
   *
   * @throws {SandboxError} if the function reset the sandbox
   */
  async run(run: TrialRun | null): Promise<Execution> {
    this.restore()
    const finish = startTrialRun(
      {
        worldNow: this.#worldNow,
        client: 'function',
        advance: (ms) => this.#world.clock.advance(ms),
      },
      run,
    )
    const ended = await settle(this.#attempt)
    return { ...(await finish()), ...toResult(ended) }
  }

  /** Restores the initial state. */
  restore(): void {
    this.#world.restore(this.#start)
    this.#world.journal.checkpoint = this.#checkpoint
  }
}

type Settled = { returned: unknown } | { thrown: unknown }

async function settle(attempt: () => unknown): Promise<Settled> {
  try {
    return { returned: await attempt() }
  } catch (error) {
    return { thrown: error }
  }
}

function toResult(ended: Settled): Pick<Execution, 'failure' | 'output'> {
  if ('returned' in ended) {
    const text = toOutputText(ended.returned)
    return text === undefined ? {} : { output: { text, whole: text } }
  }
  const { thrown } = ended
  const output = isError(thrown) ? `${thrown.name}: ${thrown.message}` : String(thrown)
  return { failure: { exitCode: null, output, error: thrown } }
}

/** The part of a run's result that the sandbox can observe. */
export type ObservedRun = Pick<Execution, 'isMet' | 'record' | 'newIds'>

/** The world of a run, and the client that runs in it. */
interface TrialTarget {
  /** Returns the current world. Loading a scenario replaces the world. */
  worldNow: () => World
  client: 'function' | 'command'
  /** Advances the clock of the world, ms. */
  advance: (ms: number) => void
}

/**
 * Applies a run's variation or faults to a world. The returned function reports the requests that
 * the client has sent since then. It throws a `SandboxError` if the client reset the world.
 */
export function startTrialRun(
  { worldNow, client, advance }: TrialTarget,
  run: TrialRun | null,
): () => Promise<ObservedRun> {
  const world = worldNow()
  const { faults, journal } = world
  const varying = world.service(variation)
  varying.choice = run?.variation ?? null
  const ids = new Set(run?.faults.map((fault) => faults.add(fault).id))
  let isOver = false
  faults.onTimeUp = () => {
    if (run?.endsMinute === true && !isOver) advance(minuteMs - (world.clock.now() % minuteMs))
  }
  const since = journal.lastId
  const lastChange = world.changeLog.last
  journal.checkpoint = since
  const { choice } = varying
  const { lastId } = faults.state()
  const { timesEmptied } = journal
  return async () => {
    isOver = true
    faults.onTimeUp = undefined
    await endDelays(world)
    if (
      worldNow() !== world ||
      varying.choice !== choice ||
      faults.state().lastId < lastId ||
      journal.timesEmptied !== timesEmptied
    )
      throw new SandboxError(
        `Failed to vary the responses: the ${client} reset or restored the sandbox, or loaded ` +
          'another scenario. Remove this call: each run starts with the same data.',
      )
    const variator = await varying.variator
    const record = readRunRecord(journal, { since, inRealTime: run?.endsMinute === true })
    const isHit = record.requests.some(({ fault }) => fault !== null && ids.has(fault))
    const newIds = new Set(world.changeLog.listAddedIds(lastChange).map(String))
    return { isMet: isHit || (variator?.changed ?? 0) > 0, record, newIds }
  }
}

/** Maximum number of microtasks until a request is recorded after its delay. */
const maxTurns = 100

/**
 * Ends the delays of requests that the client has abandoned, because these requests must be
 * recorded too.
 */
async function endDelays({ faults, journal }: World): Promise<void> {
  const last = journal.lastId + faults.endDelays()
  for (let turn = 0; turn < maxTurns && journal.lastId < last; turn += 1) await Promise.resolve()
}
