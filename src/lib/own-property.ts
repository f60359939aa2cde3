/**
 * Reads an own property of an object by an untrusted name. Returns undefined for inherited names
 * such as `constructor`.
 */
export function getOwnProperty<Value>(
  object: Readonly<Record<string, Value>> | null | undefined,
  name: PropertyKey,
): Value | undefined {
  return object != null && Object.hasOwn(object, name) ? object[String(name)] : undefined
}
