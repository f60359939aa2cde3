import { importModules } from '../lib/import-modules.ts'
import { ReadBudget } from './audited-request.ts'
import type { Journal } from '../world/journal/journal.ts'
import { runInSlices } from '../world/work.ts'
import type { PausePolicy } from '../world/work.ts'

/** Maximum number of warnings per sandbox, including its worlds. */
const maxWarnings = 20
/** Maximum number of requests per check, so that a check takes only a few milliseconds. */
const maxJudged = 200
/** Maximum length of the bodies that one check parses, characters. */
const maxParsedLength = 1024 * 1024
/** Maximum processing time of one check, ms. */
const maxCheckMs = 50
/**
 * Number of requests per second whose check takes little time. The time of these is not limited,
 * because even one request takes long on a busy machine.
 */
const fewRequests = 20

/** Options of a check. */
interface WarningOptions {
  /** @default no limit, so that the same requests always get the same warnings */
  budget?: ReadBudget
  /** Divides the check into slices. */
  pace?: PausePolicy | undefined
  /** Returns the console URL of a request. */
  pageOf?: (id: number) => string
}

/** Creates the limits of one check. Without `now`, and for few requests, only text is limited. */
export function createWarningBudget(requests = 0, now?: () => number): ReadBudget {
  const limited = requests > fewRequests ? now : undefined
  return new ReadBudget({ characters: maxParsedLength, ms: maxCheckMs, now: limited })
}

/**
 * Warns about client mistakes while the clients run. Covers the audit's errors and warnings, and
 * logs each combination of rule and route once.
 */
export class Warnings {
  /** Pairs of rule and route for which a warning was already logged. */
  readonly #known = new Set<string>()
  /** The last checked request in each journal. Ids start again when a journal is emptied. */
  readonly #judged = new WeakMap<Journal, { id: number; timesEmptied: number }>()
  #hasLeftOut = false

  /** Number of requests of a journal that are still to check. 0 after the last warning. */
  countDue(journal: Journal): number {
    if (this.#known.size >= maxWarnings) return 0
    const judged = this.#judged.get(journal)
    return journal.lastId - (judged?.timesEmptied === journal.timesEmptied ? judged.id : 0)
  }

  /**
   * Checks the latest requests in a journal, and returns a line for each new mistake. The first
   * time that requests do not fit in the budget, a line says so.
   */
  async look(
    journal: Journal,
    { budget = createWarningBudget(), pace, pageOf }: WarningOptions = {},
  ): Promise<string[]> {
    if (this.countDue(journal) === 0) return []
    this.#judged.set(journal, { id: journal.lastId, timesEmptied: journal.timesEmptied })
    const { findMistakes } = await importModules(() => import('./audit.ts'))
    const since = Math.max(journal.checkpoint, journal.lastId - maxJudged)
    const mistakes = await runInSlices(findMistakes(journal, { since }, budget), pace)
    const lines = mistakes.flatMap(({ finding, route }) => {
      const { rule, message, requests } = finding
      const key = `${rule} ${route}`
      if (this.#known.size >= maxWarnings || this.#known.has(key)) return []
      this.#known.add(key)
      const [id = 0] = requests
      const page = pageOf === undefined ? '' : ` ${pageOf(id)}`
      return [`Warning: ${message} (${rule}, request ${id})${page}`]
    })
    return [...lines, ...this.#describeLeftOut(budget)]
  }

  #describeLeftOut({ leftOut, isSpent }: ReadBudget): string[] {
    if (this.#hasLeftOut || (leftOut.size === 0 && !isSpent)) return []
    this.#hasLeftOut = true
    const [id] = leftOut
    const what = id === undefined ? 'some requests' : `some requests, such as request ${id}`
    return [
      `Warning: The warnings left out ${what}, because their bodies are too long or they arrived ` +
        'too fast. The audit checks more of them. This line is printed only once.',
    ]
  }
}
