import { variationNames } from '../world/variation-choice.ts'
import type { VariationChoice, VariationName } from '../world/variation-choice.ts'
import { cut, SandboxError } from '../errors.ts'
import { variations } from './variations.ts'

/** How to look what a client survives. */
export interface SurviveOptions {
  /** How often the function runs under each variation, each time by another seed. @default 20 */
  seeds?: number
  /** The variations. @default all */
  only?: readonly VariationName[]
  /** How long slow-answers waits at most, real ms. @default 20 */
  delayMs?: number
  /** Is given the table. @default console.log */
  print?: (table: string) => void
}

/** What became of a function under one variation. */
export interface SurvivalResult {
  variation: VariationName
  runs: number
  survived: number
  /**
   * In how many runs an answer varied: a function that never meets what varies survives it unseen.
   */
  met: number
  /** The first run that failed; null where none did. */
  failure: { seed: number; error: unknown } | null
  /** A client that it breaks. */
  breaks: string
  /** Where the contract allows it. */
  source: string
}

/** What a client survives. */
export interface Survival {
  /** Whether it survived everything. */
  survived: boolean
  results: SurvivalResult[]
  /** The results as text, a line for each variation. */
  table: string
}

/** How one run ended. */
export interface Run {
  /** Whether an answer varied. */
  isMet: boolean
  failure?: { error: unknown }
}

/**
 * Runs a function without a variation, then under each alone. @throws {SandboxError} when it fails
 * without one.
 */
export async function survive(
  run: (choice: VariationChoice | null) => Promise<Run>,
  { seeds = 20, only = variationNames, delayMs = 20 }: Omit<SurviveOptions, 'print'>,
): Promise<Survival> {
  const { failure: ownFailure } = await run(null)
  if (ownFailure !== undefined)
    throw new SandboxError(
      `Failed to vary the answers: the function fails without that, too: ` +
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

/** The first line of what was thrown. */
function describe(error: unknown): string {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  return cut(text.split('\n', 1)[0] ?? '')
}
