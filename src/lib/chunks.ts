import { isBytes } from './realms.ts'

const encoder = new TextEncoder()

/** The body of a response: text, bytes, or chunks of UTF-8. */
type Body = string | Uint8Array | readonly Uint8Array[] | null

/** Returns the bytes of a body, in chunks. */
export function toChunks(body: Body): readonly Uint8Array[] {
  if (body === null) return []
  if (typeof body === 'string') return [encoder.encode(body)]
  return isBytes(body) ? [body] : body
}

/** Joins chunks into one. */
export function joinChunks(chunks: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(countBytes(chunks))
  let end = 0
  for (const chunk of chunks) {
    whole.set(chunk, end)
    end += chunk.length
  }
  return whole
}

/** Returns the total length of chunks. */
export function countBytes(chunks: readonly Uint8Array[]): number {
  return chunks.reduce((sum, { length }) => sum + length, 0)
}

/** Returns the first half of a body. */
export function takeFirstHalf(body: Body): Uint8Array<ArrayBuffer> {
  const bytes = joinChunks(toChunks(body))
  return bytes.subarray(0, bytes.length >> 1)
}
