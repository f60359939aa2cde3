/** An action that was done, or a chapter that began. */
export interface DoneAction {
  id: number
  /** Sandbox time, RFC 3339. */
  at: string
  /** Time of the story, ms since its start. */
  story_ms: number
  /** The action's, or `chapter`. */
  type: string
  /** What happened, for people. */
  text: string
}

/** How many actions the log keeps. */
const keptActions = 500

/** The last actions; old ones make room for new ones. */
export class ActionLog {
  #entries: DoneAction[] = []
  #lastId = 0
  #rewinds = 0

  /** The id of the last action, whether it was dropped since or not; 0 when there was none. No id is given twice. */
  get lastId(): number {
    return this.#lastId
  }

  /** How often actions were dropped: whoever has read them has to read again. */
  get rewinds(): number {
    return this.#rewinds
  }

  /** Writes an action down. */
  record(done: Omit<DoneAction, 'id'>): void {
    this.#lastId += 1
    this.#entries.push({ id: this.#lastId, ...done })
    if (this.#entries.length > keptActions * 2) this.#entries = this.#entries.slice(-keptActions)
  }

  /** The actions after that one, oldest first. */
  after(id: number): DoneAction[] {
    return this.#entries.slice(-keptActions).filter((entry) => entry.id > id)
  }

  /** Drops the actions after that one: the world went back to before they were done. */
  dropAfter(id: number): void {
    const kept = this.#entries.filter((entry) => entry.id <= id)
    if (kept.length === this.#entries.length) return
    this.#entries = kept
    this.#rewinds += 1
  }
}
