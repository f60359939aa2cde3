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
  /** Runs actions while the clock is stopped, and records them. Returns their result. */
  actions: <Result>(actions: readonly unknown[], run: () => Result) => Result
  /** Like `actions`, for a request that changes the world. */
  request: <Result>(request: RecordedRequest, run: () => Result) => Result
  /** Called after each client request. `isOpen` is true if the route needs no key. */
  onResponse: (request: RecordedRequest, answer: RecordedResponse & { isOpen: boolean }) => void
}
