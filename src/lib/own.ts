/**
 * Reads an own property of an object. Undefined for inherited names such as `constructor`. For
 * untrusted names.
 */
export function own<Value>(
  object: Readonly<Record<string, Value>> | null | undefined,
  name: PropertyKey,
): Value | undefined {
  return object != null && Object.hasOwn(object, name) ? object[String(name)] : undefined
}
