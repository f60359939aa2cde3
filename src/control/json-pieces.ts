import type { Work } from '../world/work.ts'

/** Minimum length of a text that is sent in pieces, characters. */
const minLength = 1024 * 1024
/** Length of the text in one unit of work, characters. Small responses are one unit. */
const unitLength = 16 * 1024
/** Maximum depth of objects whose fields are written one by one. */
const maxDepth = 3

/**
 * Writes a value as `JSON.stringify` does, in small units of work. A long text is returned as UTF-8
 * in pieces.
 */
export function* writeJson(value: unknown): Work<string | Uint8Array[]> {
  const texts: string[] = []
  const pieces: Uint8Array[] = []
  let length = 0
  let unit = 0
  for (const part of writeParts(value, 0)) {
    texts.push(part)
    length += part.length
    unit += part.length
    if (length >= minLength) {
      pieces.push(encoder.encode(texts.splice(0).join('')))
      length = 0
    }
    if (unit >= unitLength) {
      unit = 0
      yield
    }
  }
  const rest = texts.join('')
  return pieces.length === 0 ? rest : [...pieces, encoder.encode(rest)]
}

const encoder = new TextEncoder()

function* writeParts(value: unknown, depth: number): Generator<string, void> {
  if (typeof value === 'string' && value.length > unitLength) {
    yield* writeLongText(value)
    return
  }
  if (depth === maxDepth || !isPlain(value)) {
    yield JSON.stringify(value) ?? 'null'
    return
  }
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries())
      yield `${index === 0 ? '[' : ','}${JSON.stringify(item) ?? 'null'}`
    yield value.length === 0 ? '[]' : ']'
    return
  }
  const entries = Object.entries(value).filter(([, inner]) => !isOmitted(inner))
  for (const [index, [name, inner]] of entries.entries()) {
    yield `${index === 0 ? '{' : ','}${JSON.stringify(name)}:`
    yield* writeParts(inner, depth + 1)
  }
  yield entries.length === 0 ? '{}' : '}'
}

function* writeLongText(text: string): Generator<string, void> {
  yield '"'
  for (let start = 0; start < text.length;) {
    let end = start + unitLength
    // `JSON.stringify` would escape both halves of a surrogate pair.
    if (/[\uD800-\uDBFF]/.test(text.charAt(end - 1))) end += 1
    yield JSON.stringify(text.slice(start, end)).slice(1, -1)
    start = end
  }
  yield '"'
}

/** True for a value that `JSON.stringify` omits from an object. */
function isOmitted(value: unknown): boolean {
  return value === undefined || typeof value === 'function' || typeof value === 'symbol'
}

/** True for a list, and for an object that `JSON.stringify` writes field by field. */
function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false
  if (Array.isArray(value)) return true
  const prototype: unknown = Object.getPrototypeOf(value)
  return (prototype === Object.prototype || prototype === null) && !('toJSON' in value)
}

/** A control plane response with text instead of JSON. */
export class TextResponse {
  readonly contentType: string
  readonly text: string

  constructor(contentType: string, text: string) {
    this.contentType = contentType
    this.text = text
  }
}
