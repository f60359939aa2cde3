import { variationNames } from '../world/variation-choice.ts'
import type { VariationChoice, VariationName } from '../world/variation-choice.ts'
import { cut, SandboxError } from '../errors.ts'
import { variations } from './variations.ts'

/** Options of `survive`. */
export interface SurviveOptions {
  /** Number of runs with each variation. Each run has a different seed. @default 20 */
  seeds?: number
  /** The variations. @default all */
  only?: readonly VariationName[]
  /** Maximum delay of slow-answers, in ms of real time. @default 20 */
  delayMs?: number
  /** Receives the table. @default console.log */
  print?: (table: string) => void
}

/** The result of a function with one variation. */
export interface SurvivalResult {
  variation: VariationName
  runs: number
  survived: number
  /** Number of runs with a varied answer. If it is 0, the function was not tested. */
  met: number
  /** The first run that failed. Null if all succeeded. */
  failure: { seed: number; error: unknown } | null
  /** A kind of client that fails with the variation. */
  breaks: string
  /** The part of the contract that allows the variation. */
  source: string
}

/** The result of `survive`. */
export interface Survival {
  /** True if no run failed. */
  survived: boolean
  results: SurvivalResult[]
  /** The results as text, one line per variation. */
  table: string
}

/** The result of one run. */
export interface Run {
  /** True if at least one answer was varied. */
  isMet: boolean
  failure?: { error: unknown }
}

/**
 * Runs a function without variations, then with each variation separately.
 *
 * @throws {SandboxError} if it fails without a variation
 */
export async function survive(
  run: (choice: VariationChoice | null) => Promise<Run>,
  { seeds = 20, only = variationNames, delayMs = 20 }: Omit<SurviveOptions, 'print'>,
): Promise<Survival> {
  const { failure: ownFailure } = await run(null)
  if (ownFailure !== undefined)
    throw new SandboxError(
      'Failed to vary the answers: the function also fails without variations: ' +
        `${describe(ownFailure.error)}`,
      {
        cause: ownFailure.error,
      },
    )
  const results: SurvivalResult[] = []
  for (const { name, breaks, source } of variations.filter((each) => only.includes(each.name))) {
    const result: SurvivalResult = {
      variation: name,
      runs: seeds,
      survived: 0,
      met: 0,
      failure: null,
      breaks,
      source,
    }
    for (let seed = 1; seed <= seeds; seed += 1) {
      const { isMet, failure } = await run({ seed, only: [name], delayMs })
      if (isMet) result.met += 1
      if (failure === undefined) result.survived += 1
      else result.failure ??= { seed, error: failure.error }
    }
    results.push(result)
  }
  return {
    survived: results.every(({ failure }) => failure === null),
    results,
    table: toTable(results),
  }
}

function toTable(results: readonly SurvivalResult[]): string {
  const width = Math.max(...results.map(({ variation }) => variation.length), 'variation'.length)
  const lines = results.map(({ variation, runs, survived, met, failure }) => {
    const outcome = failure === null && met === 0 ? 'not met' : `${survived} of ${runs}`
    const what = failure === null ? '' : `  seed ${failure.seed}: ${describe(failure.error)}`
    return `${variation.padEnd(width)}  ${outcome.padEnd('survived'.length)}${what}`.trimEnd()
  })
  return [`${'variation'.padEnd(width)}  survived  first broken by`, ...lines].join('\n')
}

/** Returns the first line of a thrown value. */
function describe(error: unknown): string {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  return cut(text.split('\n', 1)[0] ?? '')
}
