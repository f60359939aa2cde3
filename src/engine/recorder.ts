/** Records what changes a world. Each method runs the change while the clock stands still, and returns its result. */
export interface Recorder {
  actions: <Result>(actions: readonly unknown[], run: () => Result) => Result
  /** `key` is the role of the key that the request sent. */
  request: <Result>(request: { key: string; method: string; path: string; body: string | null }, run: () => Result) => Result
}
