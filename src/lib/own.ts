/**
 * Reads a property that an object itself has; undefined for `constructor` and others that every
 * object inherits. For names that come from outside.
 */
export function own<Value>(
  object: Readonly<Record<string, Value>> | null | undefined,
  name: PropertyKey,
): Value | undefined {
  return object != null && Object.hasOwn(object, name) ? object[String(name)] : undefined
}
