/** A request in a recording. */
export interface RecordedRequest {
  /** The role of the key; null if the key is unknown or absent. */
  key: string | null
  method: string
  path: string
  body: string | null
}

/** The result of a recorded request. */
export interface RecordedResponse {
  status: number
  /** The code of the error in docs/errors.md; null on success, or if a fault set the response. */
  code: string | null
}

/** Records the changes to a world and the requests of its clients. */
export interface Recorder {
  /** Stops the clock while it runs and records actions. Returns the result of the actions. */
  actions: <Result>(actions: readonly unknown[], run: () => Result) => Result
  /** Like `actions`, for a request that changes the world. */
  request: <Result>(request: RecordedRequest, run: () => Result) => Result
  /** Called after each request of a client. `isOpen` is true if the route needs no key. */
  answered: (request: RecordedRequest, answer: RecordedResponse & { isOpen: boolean }) => void
}
