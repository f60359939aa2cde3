/**
 * The ids of the records that an action made or changed, by what they are: `{ account: 101, fan:
 * 2001, transaction: '7001' }`.
 */
export type ActionIds = Readonly<Record<string, number | string | readonly number[] | undefined>>

/** An action that was applied, or a chapter that began. */
export interface DoneAction {
  id: number
  /** Sandbox time, RFC 3339. */
  at: string
  /** Time of the story, ms since its start. */
  story_ms: number
  /** The type of the action; of a story also `chapter`, `request` and `leap`. */
  type: string
  /** A sentence for people that says what happened. */
  text: string
  /**
   * The ids of what an action made or changed, by what they are; none of a chapter, a leap and a
   * request.
   */
  ids?: ActionIds
}

/** How many actions the log returns at most. */
const keptActions = 500

/** A log of the last actions. It drops the oldest ones. */
export class ActionLog {
  #entries: DoneAction[] = []
  #lastId = 0
  #rewinds = 0
  /** Called with the id of each action that was added. */
  onRecord: ((id: number) => void) | undefined

  /**
   * The id of the last action, even if the action was dropped since; 0 before the first one. The
   * log gives no id twice.
   */
  get lastId(): number {
    return this.#lastId
  }

  /**
   * How often `dropAfter` dropped actions. A client that sees another number has to read the log
   * again.
   */
  get rewinds(): number {
    return this.#rewinds
  }

  /** Adds an action. */
  record(action: Omit<DoneAction, 'id'>): void {
    this.#lastId += 1
    this.#entries.push({ id: this.#lastId, ...action })
    if (this.#entries.length > keptActions * 2) this.#entries = this.#entries.slice(-keptActions)
    this.onRecord?.(this.#lastId)
  }

  /** The actions after the one with this id, oldest first. */
  after(id: number): DoneAction[] {
    return this.#entries.slice(-keptActions).filter((entry) => entry.id > id)
  }

  /** Drops the actions after the one with this id, because the world went back to before them. */
  dropAfter(id: number): void {
    const kept = this.#entries.filter((entry) => entry.id <= id)
    if (kept.length === this.#entries.length) return
    this.#entries = kept
    this.#rewinds += 1
  }
}
