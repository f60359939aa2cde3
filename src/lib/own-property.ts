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

/**
 * Reads a value at a path such as `['roles', 0]`, as in zod issues. Returns undefined if the path
 * does not exist.
 */
export function getAtPath(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (inner, key) => getOwnProperty(inner as Record<string, unknown> | null | undefined, key),
    value,
  )
}
