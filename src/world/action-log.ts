/**
 * Ids of the records that an action created or changed, by kind. For example: `{ account: 101, fan:
 * 2001, transaction: '7001' }`.
 */
export type ActionIds = Readonly<Record<string, number | string | readonly number[] | undefined>>

/** An action that was applied, or a chapter that started. */
export interface DoneAction {
  id: number
  /** Sandbox time, RFC 3339. */
  at: string
  /** Story time, ms since the start of the story. */
  story_ms: number
  /** Type of the action. A story can also have `chapter`, `request` and `leap`. */
  type: string
  /** Description of the action, as one sentence. */
  text: string
  /** Description of a story's request for an audience, from the scenario. */
  shown?: string
  /**
   * Ids of the records that the action created or changed. Absent for chapters, requests and leaps.
   */
  ids?: ActionIds
  /** The payment of the action: amount, tax, fee, and the creator's share (net). Dollars. */
  payment?: { amount: number; tax: number; fee: number; net: number }
}

/** Maximum number of actions that the log returns. */
const maxActions = 500

/** The latest actions. The oldest actions are dropped. */
export class ActionLog {
  #entries: DoneAction[] = []
  #lastId = 0
  #rewinds = 0
  /** Called with the id of each action that is added. */
  onRecord: ((id: number) => void) | undefined

  /**
   * Id of the last action, even if the action was dropped. 0 if there was no action. Ids are never
   * reused.
   */
  get lastId(): number {
    return this.#lastId
  }

  /**
   * Number of times that a restore removed actions. When this number changes, clients must read the
   * whole log again.
   */
  get rewinds(): number {
    return this.#rewinds
  }

  /** Adds an action. */
  record(action: Omit<DoneAction, 'id'>): void {
    this.#lastId += 1
    this.#entries.push({ id: this.#lastId, ...action })
    if (this.#entries.length > maxActions * 2) this.#entries = this.#entries.slice(-maxActions)
    this.onRecord?.(this.#lastId)
  }

  /** Returns the actions after the given id, oldest first. */
  after(id: number): DoneAction[] {
    return this.#entries.slice(-maxActions).filter((entry) => entry.id > id)
  }

  /**
   * Removes the actions after the given id. Called when the world is restored to an earlier state.
   */
  dropAfter(id: number): void {
    const kept = this.#entries.filter((entry) => entry.id <= id)
    if (kept.length === this.#entries.length) return
    this.#entries = kept
    this.#rewinds += 1
  }

  /** Replaces the actions with those of an earlier state. Later actions get new ids. */
  restore(actions: readonly DoneAction[]): void {
    this.#entries = [...actions]
    this.#lastId = Math.max(this.#lastId, actions.at(-1)?.id ?? 0)
    this.#rewinds += 1
  }
}
