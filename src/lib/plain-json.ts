import { z } from 'zod'

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
    (key, place) => key === others[place] && isSameJson(getValue(one, key), getValue(other, key)),
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

/** Schema of JSON with a maximum length in characters. */
export function createBoundedJsonSchema(maxCharacters: number) {
  return z
    .unknown()
    .refine((value) => estimateJsonSize(value, maxCharacters) <= maxCharacters, {
      error: `it must have at most ${maxCharacters} characters as JSON`,
    })
    .meta({ 'x-max-characters': maxCharacters })
}
