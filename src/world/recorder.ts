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
