const encoder = new TextEncoder()

/** A value of a list that was already written as JSON, in UTF-8. */
export class JsonBytes {
  readonly #bytes: Uint8Array

  constructor(value: unknown) {
    this.#bytes = encoder.encode(`,${JSON.stringify(value)}`)
  }

  /** The bytes as they stand in a list: a comma before all but the first. */
  inList(index: number): Uint8Array {
    return index === 0 ? this.#bytes.subarray(1) : this.#bytes
  }
}

/**
 * Writes an object as JSON whose lists may hold `JsonBytes`: in pieces of UTF-8 where one does, so that they go in as they stand
 * and nothing is copied, and as text where none does. `after` is text to write behind it.
 */
export function toJson(before: string, value: Readonly<Record<string, unknown>>, after: string): string | readonly Uint8Array[] {
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined)
  if (!entries.some(([, inner]) => isWritten(inner))) return `${before}${JSON.stringify(value)}${after}`
  const pieces: Uint8Array[] = []
  let text = `${before}{`
  for (const [place, [name, inner]] of entries.entries()) {
    text += `${place === 0 ? '' : ','}${JSON.stringify(name)}:`
    if (!isWritten(inner)) {
      text += JSON.stringify(inner)
      continue
    }
    pieces.push(encoder.encode(`${text}[`), ...inner.map((row, index) => row.inList(index)))
    text = ']'
  }
  return [...pieces, encoder.encode(`${text}}${after}`)]
}

/** Puts pieces of UTF-8 text behind one another. */
export function concatenate(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(sizeOf(pieces))
  let end = 0
  for (const piece of pieces) {
    whole.set(piece, end)
    end += piece.length
  }
  return whole
}

/** How many bytes the pieces have together. */
export function sizeOf(pieces: readonly Uint8Array[]): number {
  return pieces.reduce((size, piece) => size + piece.length, 0)
}

function isWritten(value: unknown): value is JsonBytes[] {
  return Array.isArray(value) && value[0] instanceof JsonBytes
}
