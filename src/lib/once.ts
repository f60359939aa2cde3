/**
 * Creates a value on first use and caches it. Used for expensive values such as schemas, because
 * test files import the whole library but use only a small part of it.
 */
export function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined
  return () => (made ??= { value: make() }).value
}
