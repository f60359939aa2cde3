import type { Journal } from '../world/journal/journal.ts'

/** Maximum number of warnings per sandbox, including its worlds. */
const maxWarnings = 20
/** Maximum number of requests per check, so that a check takes only a few milliseconds. */
const maxJudged = 200

/**
 * Warns about client mistakes while the clients run. Covers the audit's errors and warnings, and
 * logs each combination of rule and route once.
 */
export class Warnings {
  /** Pairs of rule and route for which a warning was already logged. */
  readonly #known = new Set<string>()
  /** Id of the last checked request in each journal. */
  readonly #judged = new WeakMap<Journal, number>()

  /** True if a journal has unchecked requests. */
  isDue(journal: Journal): boolean {
    return this.#known.size < maxWarnings && this.#judged.get(journal) !== journal.lastId
  }

  /**
   * Checks the latest requests in a journal, and returns a line for each new mistake. `pageOf`
   * returns the console URL of a request.
   */
  async look(journal: Journal, pageOf?: (id: number) => string): Promise<string[]> {
    if (!this.isDue(journal)) return []
    this.#judged.set(journal, journal.lastId)
    const { findMistakes } = await import('./audit.ts')
    const since = Math.max(journal.checkpoint, journal.lastId - maxJudged)
    return findMistakes(journal, since).flatMap(({ finding, route }) => {
      const { rule, message, requests } = finding
      const key = `${rule} ${route}`
      if (this.#known.size >= maxWarnings || this.#known.has(key)) return []
      this.#known.add(key)
      const [id = 0] = requests
      const page = pageOf === undefined ? '' : ` ${pageOf(id)}`
      return [`Warning: ${message} (${rule}, request ${id})${page}`]
    })
  }
}
