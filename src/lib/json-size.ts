import { z } from 'zod'

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
