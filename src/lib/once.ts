/**
 * Makes a value when it is first asked for, and keeps it. What takes time to make, such as a
 * schema, costs nothing so where nobody asks: a test file imports the whole library, and uses
 * little of it.
 */
export function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined
  return () => (made ??= { value: make() }).value
}
