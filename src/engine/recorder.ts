/** Whoever writes down what changes a world. Both run what they are told of, at one moment of the clock. */
export interface Recorder {
  actions: <Result>(actions: readonly unknown[], run: () => Result) => Result
  /** `key` is the role of the request's key. */
  request: <Result>(request: { key: string; method: string; path: string; body: string | null }, run: () => Result) => Result
}
