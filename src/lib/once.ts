/**
 * Creates a value on first use and caches it. Expensive values such as schemas are then only
 * created if used. A test file imports the whole library, but uses little of it.
 */
export function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined
  return () => (made ??= { value: make() }).value
}
