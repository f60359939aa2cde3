/** True if a value is an object, but not an array. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** True if two values are equal as JSON, including the order of keys. */
export function isSameJson(one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null)
    return false
  if (Array.isArray(one) !== Array.isArray(other)) return false
  const keys = Object.keys(one)
  const others = Object.keys(other)
  if (keys.length !== others.length) return false
  return keys.every(
    (key, index) => key === others[index] && isSameJson(getValue(one, key), getValue(other, key)),
  )
}

/** Copies a JSON value. Spreading an object first preserves its hidden class, which is faster. */
export function copyJson<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(copyJson) as Value
  // A field `__proto__` is copied as an own property.
  const copy = { ...(value as Record<string, unknown>) }
  for (const key in copy) {
    const part = copy[key]
    if (typeof part === 'object' && part !== null) copy[key] = copyJson(part)
  }
  return copy as Value
}

function getValue(value: object, key: string): unknown {
  return (value as Readonly<Record<string, unknown>>)[key]
}

/**
 * Estimates the length of a value as JSON, in characters. Stops counting once the length exceeds
 * `max`. Does not use recursion.
 */
export function estimateJsonSize(value: unknown, max: number = Number.MAX_SAFE_INTEGER): number {
  // This fast path helps because most lists in records are empty.
  if (Array.isArray(value) && value.length === 0) return 2
  const rest: unknown[] = [value]
  let size = 0
  while (rest.length > 0 && size <= max) {
    const next = rest.pop()
    if (typeof next === 'string') size += next.length + 2
    else if (typeof next !== 'object' || next === null) size += 8
    else if (Array.isArray(next)) {
      size += 2 + next.length
      // Once the limit is exceeded, the remaining items are not counted.
      if (size <= max) for (const item of next) rest.push(item)
    } else {
      size += 2
      for (const key in next) {
        size += key.length + 4
        rest.push((next as Record<string, unknown>)[key])
        if (size > max) break
      }
    }
  }
  return size
}

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

/** Maximum nesting depth of a request body. No route needs more than half of it. */
const deepest = 64

/**
 * Parses the JSON body of a request. Returns undefined if it is not JSON, or is nested so deeply
 * that recursion could overflow the stack.
 */
export function parseJsonBody(body: string | null): unknown {
  if (body === null || isTooDeep(body)) return undefined
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

function isTooDeep(json: string): boolean {
  if (json.length <= deepest) return false
  let depth = 0
  let isInText = false
  for (let index = 0; index < json.length; index += 1) {
    const character = json[index]
    if (isInText) {
      if (character === '\\') index += 1
      else if (character === '"') isInText = false
    } else if (character === '"') isInText = true
    else if (character === '{' || character === '[') depth += 1
    else if (character === '}' || character === ']') depth -= 1
    if (depth > deepest) return true
  }
  return false
}

/**
 * True if a value contains a pattern: every object field, and every array item at the same index.
 */
export function matchesPattern(value: unknown, pattern: unknown): boolean {
  if (typeof pattern !== 'object' || pattern === null) return value === pattern
  if (
    typeof value !== 'object' ||
    value === null ||
    Array.isArray(value) !== Array.isArray(pattern)
  )
    return false
  return Object.entries(pattern).every(
    ([field, inner]) =>
      Object.hasOwn(value, field) &&
      matchesPattern((value as Record<string, unknown>)[field], inner),
  )
}
