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

/** A request in a recording. */
export interface RecordedRequest {
  /** Role of the key. Null if the key is unknown or was not sent. */
  key: string | null
  method: string
  path: string
  body: string | null
}

/** Response to a recorded request. */
export interface RecordedResponse {
  status: number
  /**
   * Code of the error in docs/errors.md. Null if the request succeeded, or if a fault replaced the
   * response.
   */
  code: string | null
}

/** Records changes to a world and the requests of its clients. */
export interface Recorder {
  /**
   * Runs actions while no real time passes, and records them. `run` must pass each action to
   * `note` at the time of the action. Returns the result of `run`.
   */
  actions: <Result>(run: (note: (action: object) => void) => Result) => Result
  /** Runs a request while no real time passes, and records it if it changes the world. */
  request: <Result>(request: RecordedRequest, run: () => Result) => Result
  /** Called after each client request. `isOpen` is true if the route needs no key. */
  onResponse: (request: RecordedRequest, answer: RecordedResponse & { isOpen: boolean }) => void
}
