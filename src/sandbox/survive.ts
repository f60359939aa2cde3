import { z } from 'zod'
import { check, show } from '../control/check.ts'
import { variationNames } from '../world/variation-choice.ts'
import type { VariationChoice } from '../world/variation-choice.ts'
import { variation } from '../api/variation.ts'
import { SandboxError } from '../errors.ts'
import { survive } from '../variation/survive.ts'
import type { Run, Survival, SurviveOptions } from '../variation/survive.ts'
import type { World } from '../resources/world.ts'

/** Options of `survive`. */
const SurviveChoice = z.lazy(() =>
  z.strictObject({
    seeds: z.int().min(1).max(10_000).optional(),
    only: z.array(z.enum(variationNames)).min(1).max(variationNames.length).optional(),
    delayMs: z.int().min(0).max(60_000).optional(),
    print: z
      .custom<(table: string) => void>((value) => typeof value === 'function', {
        error: 'it must be a function',
      })
      // oxlint-disable-next-line no-console
      .default(() => (table: string) => console.log(table)),
  }),
)

/**
 * Runs a function under each variation, prints which ones it survives, and restores the world.
 * @throws {SandboxError}
 */
export async function surviveIn(
  world: () => World,
  attempt: () => unknown,
  options: SurviveOptions,
): Promise<Survival> {
  if (typeof attempt !== 'function')
    throw new SandboxError(`Failed to vary the answers (${show(attempt)}): give a function to try.`)
  const { print, ...checked } = check(SurviveChoice, options, { verb: 'vary the answers' })
  const experiment = new Experiment(world)
  try {
    const survival = await survive((choice) => experiment.run(choice, attempt), checked)
    print(survival.table)
    return survival
  } finally {
    experiment.restore()
  }
}

/** Runs a function several times from the same state of a world. */
class Experiment {
  readonly #worldNow: () => World
  readonly #world: World
  readonly #start
  readonly #checkpoint: number

  constructor(world: () => World) {
    this.#worldNow = world
    this.#world = world()
    this.#start = this.#world.snapshot()
    this.#checkpoint = this.#world.journal.checkpoint
  }

  /**
   * Restores the start and runs the function with a variation. @throws {SandboxError} if the
   * function reset the sandbox.
   */
  async run(choice: VariationChoice | null, attempt: () => unknown): Promise<Run> {
    const world = this.#world
    const varying = world.service(variation)
    this.restore()
    varying.choice = choice
    world.journal.checkpoint = world.journal.lastId
    const failure = await failureOf(attempt)
    if (this.#worldNow() !== world || varying.choice !== choice)
      throw new SandboxError(
        'Failed to vary the answers: the function reset or restored the sandbox, or loaded ' +
          'another scenario. Leave that out: the sandbox ' +
          'restores its state before each run.',
      )
    const variator = await varying.variator
    return { isMet: (variator?.changed ?? 0) > 0, ...(failure && { failure }) }
  }

  /** Restores the start. */
  restore(): void {
    this.#world.restore(this.#start)
    this.#world.journal.checkpoint = this.#checkpoint
  }
}

async function failureOf(attempt: () => unknown): Promise<{ error: unknown } | undefined> {
  try {
    await attempt()
    return undefined
  } catch (error) {
    return { error }
  }
}
