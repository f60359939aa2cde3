import type { Journal } from '../world/journal/journal.ts'

/** Maximum number of warnings of a sandbox with all its worlds. */
const maxWarnings = 20
/** Number of latest requests that one check judges. It limits a check to a few milliseconds. */
const maxJudged = 200

/**
 * Warns of mistakes of clients while they run: the first time that a rule of the audit finds an
 * error or a warning on a route.
 */
export class Warnings {
  /** The rules and routes that were warned of. */
  readonly #known = new Set<string>()
  /** The last request of each journal at the last look. */
  readonly #judged = new WeakMap<Journal, number>()

  /** Returns true if a journal has requests that were not judged yet. */
  isDue(journal: Journal): boolean {
    return this.#known.size < maxWarnings && this.#judged.get(journal) !== journal.lastId
  }

  /**
   * Judges the last requests of a journal, and returns a line for each new mistake. `pageOf`
   * returns the address of a request in the console.
   */
  async look(journal: Journal, pageOf?: (id: number) => string): Promise<string[]> {
    if (!this.isDue(journal)) return []
    this.#judged.set(journal, journal.lastId)
    const { mistakesIn } = await import('./audit.ts')
    const since = Math.max(journal.checkpoint, journal.lastId - maxJudged)
    return mistakesIn(journal, since).flatMap(({ finding, route }) => {
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
