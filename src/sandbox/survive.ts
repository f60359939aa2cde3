import type { TrialRun } from '../variation/trials.ts'
import { z } from 'zod'
import { checkInput, formatValue } from '../api/check-input.ts'
import { SandboxError } from '../errors.ts'
import { everyTrial, runTrials } from '../variation/run-trials.ts'
import type { Execution } from '../variation/run-trials.ts'
import type { Survival, SurviveOptions } from '../variation/survival.ts'
import { toOutputText } from '../variation/compare-output.ts'
import { trialNames } from '../variation/variation.ts'
import type { World } from '../resources/world.ts'
import { startTrialRun } from './trial.ts'
import { isError, isRegExp } from '../lib/realms.ts'

/** Options of `runSurvivalTest`. */
const SurviveChoice = z.lazy(() =>
  z.strictObject({
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
  }),
)

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
      `Failed to vary the responses: the argument must be a function (got ${formatValue(attempt)}).`,
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
