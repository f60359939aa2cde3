import { joinChunks, toChunks } from './chunks.ts'
import { isBytes } from './realms.ts'

const encoder = new TextEncoder()
const decoder = new TextDecoder()
const comma = encoder.encode(',')

/**
 * A value already serialised as JSON in UTF-8, such as a row of a list. `Row` is the type of the
 * value.
 */
export class JsonFragment<Row = unknown> {
  /**
   * Only for the type checker. Makes fragments of different row types not assignable to each other.
   */
  declare readonly row?: Row
  readonly bytes: Uint8Array

  /** @param row the value, which may contain fragments, or JSON in UTF-8 */
  constructor(row: WithFragments<Row> | Uint8Array) {
    const chunks = toChunks(isBytes(row) ? row : toJson('', row, ''))
    this.bytes = chunks.length === 1 ? (chunks[0] as Uint8Array) : joinChunks(chunks)
  }

  /**
   * Returns the JSON with the last occurrence of a placeholder replaced, for a field that differs
   * in each response. Both strings must be ASCII, have the same length, and need no escaping in
   * JSON. Returns the fragment itself if it does not contain the placeholder.
   */
  replaceLast(placeholder: string, text: string): JsonFragment<Row> {
    const place = getLastIndex(this.bytes, placeholder)
    if (place < 0) return this
    const bytes = this.bytes.slice()
    for (let index = 0; index < text.length; index += 1)
      bytes[place + index] = text.charCodeAt(index)
    return new JsonFragment<Row>(bytes)
  }

  /** Called by `JSON.stringify`. */
  toJSON(): Row {
    return JSON.parse(decoder.decode(this.bytes)) as Row
  }
}

/** Returns the last index of an ASCII string in bytes, or -1 if there is none. */
function getLastIndex(bytes: Uint8Array, text: string): number {
  for (let place = bytes.length - text.length; place >= 0; place -= 1) {
    let index = 0
    while (index < text.length && bytes[place + index] === text.charCodeAt(index)) index += 1
    if (index === text.length) return place
  }
  return -1
}

/** Data in which any part may be a fragment, such as `{ list: JsonFragment<Post>[] }`. */
export type WithFragments<Data> =
  | Data
  | JsonFragment<Data>
  | (Data extends readonly (infer Item)[]
      ? readonly WithFragments<Item>[]
      : Data extends object
        ? { [Field in keyof Data]: WithFragments<Data[Field]> }
        : never)

/** The inverse of `WithFragments`: `{ list: Post[] }` for `{ list: JsonFragment<Post[]> }`. */
export type WithoutFragments<Data> =
  Data extends JsonFragment<infer Row>
    ? Row
    : Data extends readonly (infer Item)[]
      ? WithoutFragments<Item>[]
      : Data extends object
        ? { [Field in keyof Data]: WithoutFragments<Data[Field]> }
        : Data

/**
 * Serialises a value between two strings. If the value contains fragments, the result is a list of
 * UTF-8 chunks, without copying the fragments. Otherwise, the result is a string.
 */
export function toJson(
  before: string,
  value: unknown,
  after: string,
): string | readonly Uint8Array[] {
  if (!containsFragment(value)) return `${before}${JSON.stringify(value)}${after}`
  const parts: (string | Uint8Array)[] = [before]
  write(value, parts, 0)
  parts.push(after)
  return encodeParts(parts)
}

/** Maximum nesting depth of fragments. Deeper fragments are parsed and serialised again. */
const maxDepth = 2

function containsFragment(value: unknown, depth = 0): value is object {
  if (typeof value !== 'object' || value === null) return false
  if (value instanceof JsonFragment) return true
  if (Array.isArray(value)) return value[0] instanceof JsonFragment
  if (depth === maxDepth) return false
  for (const field in value)
    if (containsFragment((value as Readonly<Record<string, unknown>>)[field], depth + 1))
      return true
  return false
}

/** Serialises a value with fragments. In a list, either all items are fragments or no item is. */
function write(value: object, parts: (string | Uint8Array)[], depth: number): void {
  if (value instanceof JsonFragment) {
    parts.push(value.bytes)
  } else if (Array.isArray(value)) {
    parts.push('[')
    for (const [index, { bytes }] of (value as JsonFragment[]).entries())
      if (index === 0) parts.push(bytes)
      else parts.push(comma, bytes)
    parts.push(']')
  } else {
    let separator = '{'
    for (const [name, inner] of Object.entries(value)) {
      if (inner === undefined) continue
      parts.push(`${separator}${JSON.stringify(name)}:`)
      separator = ','
      if (containsFragment(inner, depth + 1)) write(inner, parts, depth + 1)
      else parts.push(JSON.stringify(inner))
    }
    parts.push('}')
  }
}

/** Encodes strings as UTF-8. Encodes adjacent strings together. */
function encodeParts(parts: readonly (string | Uint8Array)[]): readonly Uint8Array[] {
  const chunks: Uint8Array[] = []
  let text = ''
  for (const part of parts) {
    if (typeof part === 'string') {
      text += part
      continue
    }
    if (text !== '') chunks.push(encoder.encode(text))
    text = ''
    chunks.push(part)
  }
  if (text !== '') chunks.push(encoder.encode(text))
  return chunks
}
