/** A request as a recording keeps it. */
export interface RecordedRequest {
  /** The role of the key that the request sent; null without one of the sandbox. */
  key: string | null
  method: string
  path: string
  body: string | null
}

/** How a request ended. */
export interface RecordedAnswer {
  status: number
  /** The code of the error in docs/errors.md; null on success, and for what a fault answered. */
  code: string | null
}

/** Records what changes a world, and what clients ask of it. */
export interface Recorder {
  /** Runs a change while the clock stands still, and returns its result. */
  actions: <Result>(actions: readonly unknown[], run: () => Result) => Result
  /** The same, of a request. */
  request: <Result>(request: RecordedRequest, run: () => Result) => Result
  /**
   * Is told of each request of a client once it is answered. `isOpen`: of a route that needs no
   * key.
   */
  answered: (request: RecordedRequest, answer: RecordedAnswer & { isOpen: boolean }) => void
}
