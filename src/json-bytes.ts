const encoder = new TextEncoder()

/** A value that was already written as JSON, in UTF-8. */
export class JsonBytes {
  readonly bytes: Uint8Array

  constructor(value: unknown) {
    this.bytes = encoder.encode(JSON.stringify(value))
  }
}

/**
 * Writes an object as JSON whose lists may hold `JsonBytes`: as bytes where one does, so that they go in as they stand, and as
 * text where none does.
 */
export function toJson(value: Readonly<Record<string, unknown>>): string | Uint8Array {
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined)
  if (!entries.some(([, inner]) => isWritten(inner))) return JSON.stringify(value)
  const parts: Uint8Array[] = []
  let text = '{'
  for (const [place, [name, inner]] of entries.entries()) {
    text += `${place === 0 ? '' : ','}${JSON.stringify(name)}:`
    if (!isWritten(inner)) {
      text += JSON.stringify(inner)
      continue
    }
    for (const [index, { bytes }] of inner.entries()) {
      parts.push(encoder.encode(`${text}${index === 0 ? '[' : ','}`), bytes)
      text = ''
    }
    text += ']'
  }
  return concatenate([...parts, encoder.encode(`${text}}`)])
}

/** Puts pieces of UTF-8 text, some of them encoded already, behind one another. */
export function concatenate(parts: readonly (string | Uint8Array)[]): Uint8Array {
  const pieces = parts.map((part) => (typeof part === 'string' ? encoder.encode(part) : part))
  const whole = new Uint8Array(pieces.reduce((size, piece) => size + piece.length, 0))
  let end = 0
  for (const piece of pieces) {
    whole.set(piece, end)
    end += piece.length
  }
  return whole
}

function isWritten(value: unknown): value is JsonBytes[] {
  return Array.isArray(value) && value[0] instanceof JsonBytes
}
