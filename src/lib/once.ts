/**
 * Creates a value on first use and caches it. Used for expensive values such as schemas, because a
 * test file imports the whole library but uses little of it.
 */
export function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined
  return () => (made ??= { value: make() }).value
}
