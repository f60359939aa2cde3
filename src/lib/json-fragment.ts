const encoder = new TextEncoder()
const decoder = new TextDecoder()

/**
 * A value that is already written as JSON, in UTF-8. `Row` is the value that the JSON stands for.
 */
export class JsonFragment<Row = unknown> {
  /** Only a type, without a value: it keeps a written post apart from a written comment. */
  declare readonly row?: Row
  readonly #bytes: Uint8Array
  /** The bytes without the comma, once it stood first in an answer. */
  #asFirst: Uint8Array | undefined
  /** The text that stands in place of as many bytes. */
  #filled: { place: number; text: string } | undefined
  /** Where the mark begins that was last looked for. */
  #markAt: { mark: string; place: number } | undefined

  /**
   * @param row the value, of which parts may be written already, or its JSON in UTF-8 behind a
   * comma
   */
  constructor(row: Writable<Row> | Uint8Array) {
    this.#bytes = row instanceof Uint8Array ? row : joined(toJson(',', row, ''))
  }

  /** How many bytes it takes. */
  get size(): number {
    return this.#bytes.length
  }

  /** Adds it to an answer as it stands in a list: a comma comes before every row but the first. */
  addTo(pieces: Pieces, index: number): void {
    if (this.#filled === undefined) {
      pieces.add(index === 0 ? (this.#asFirst ??= this.#bytes.subarray(1)) : this.#bytes)
      return
    }
    const { place, text } = this.#filled
    pieces.add(this.#bytes.subarray(index === 0 ? 1 : 0, place))
    pieces.addText(text)
    pieces.add(this.#bytes.subarray(place + text.length))
  }

  /**
   * The same with another text where `mark` stands last: a field that is another one in each answer
   * needs no row of its own. Both are plain text of the same length, which JSON shows as it is.
   * Without a mark it stays as it is.
   */
  filling(mark: string, text: string): JsonFragment<Row> {
    if (this.#markAt?.mark !== mark)
      this.#markAt = { mark, place: lastPlaceOf(this.#bytes, encoder.encode(mark)) }
    const { place } = this.#markAt
    if (place < 0) return this
    const filled = new JsonFragment<Row>(this.#bytes)
    filled.#filled = { place, text }
    return filled
  }

  /** Where `JSON.stringify` comes across it, it becomes what it stands for. */
  toJSON(): Row {
    return JSON.parse(decoder.decode(joined(toJson('', this, '')))) as Row
  }
}

/** Where one series of bytes stands last in another; -1 where it does not. */
function lastPlaceOf(bytes: Uint8Array, wanted: Uint8Array): number {
  for (let place = bytes.length - wanted.length; place >= 0; place -= 1)
    if (wanted.every((byte, index) => bytes[place + index] === byte)) return place
  return -1
}

/**
 * An object by ids, in the order in which they were set.
 * @note A plain object with large numbers as keys takes ten times as long to make and to walk.
 */
export class ById<Value> extends Map<string, Value> {
  /** Where `JSON.stringify` comes across it, it becomes what it stands for. */
  toJSON(): Record<string, Value> {
    return Object.fromEntries(this)
  }
}

/**
 * Data of which any part may be written already: `{ list: Post[] }` or `{ list:
 * JsonFragment<Post>[] }`.
 */
export type Writable<Data> =
  | Data
  | JsonFragment<Data>
  | (string extends keyof Data ? ById<Writable<Data[keyof Data]>> : never)
  | (Data extends readonly (infer Item)[]
      ? readonly Writable<Item>[]
      : Data extends object
        ? { [Field in keyof Data]: Writable<Data[Field]> }
        : never)

/**
 * What data stand for of which parts are written already: `{ list: JsonFragment<Post[]> }` for `{
 * list: Post[] }`.
 */
export type WithoutFragments<Data> =
  Data extends JsonFragment<infer Row>
    ? Row
    : Data extends readonly (infer Item)[]
      ? WithoutFragments<Item>[]
      : Data extends object
        ? { [Field in keyof Data]: WithoutFragments<Data[Field]> }
        : Data

/**
 * Writes a value as JSON, between the texts `before` and `after`. Where it is written already, or a
 * field of it is, or an item of a list of its, the result is a series of pieces of UTF-8, so that
 * these bytes are not copied. Otherwise the result is text.
 */
export function toJson(
  before: string,
  value: unknown,
  after: string,
): string | readonly Uint8Array[] {
  if (!holdsWritten(value)) return `${before}${JSON.stringify(value)}${after}`
  const pieces = new Pieces(before)
  write(value, pieces, 0)
  pieces.addText(after)
  return pieces.end()
}

/** How deep a written part may lie to be found. Deeper ones are read and written again. */
const deepest = 2

function holdsWritten(value: unknown, depth = 0): value is object {
  if (typeof value !== 'object' || value === null) return false
  if (value instanceof JsonFragment || value instanceof ById) return true
  if (Array.isArray(value)) return value[0] instanceof JsonFragment
  if (depth === deepest) return false
  for (const field in value)
    if (holdsWritten((value as Readonly<Record<string, unknown>>)[field], depth + 1)) return true
  return false
}

/** Writes a value that holds something written. */
function write(value: object, pieces: Pieces, depth: number): void {
  if (value instanceof JsonFragment) value.addTo(pieces, 0)
  else if (Array.isArray(value)) writeList(value, pieces)
  else writeFields(value, pieces, depth)
}

function writeList(rows: readonly JsonFragment[], pieces: Pieces): void {
  pieces.addText('[')
  for (let place = 0; place < rows.length; place += 1) rows[place]?.addTo(pieces, place)
  pieces.addText(']')
}

function writeFields(object: object, pieces: Pieces, depth: number): void {
  pieces.addText('{')
  let mark = ''
  const writeField = (inner: unknown, name: string) => {
    if (inner === undefined) return
    pieces.addText(`${mark}${JSON.stringify(name)}:`)
    mark = ','
    if (holdsWritten(inner, depth + 1)) write(inner, pieces, depth + 1)
    else pieces.addText(JSON.stringify(inner))
  }
  if (object instanceof ById) object.forEach(writeField)
  else
    for (const name of Object.keys(object))
      writeField((object as Readonly<Record<string, unknown>>)[name], name)
  pieces.addText('}')
}

/**
 * What an answer is made of: bytes that are written already, and the text between them, which is
 * written at once at the end.
 * @note A typed array for each short text takes longer than all else about an answer: its memory
 * lies outside of the heap.
 */
class Pieces {
  #text: string
  readonly #bytes: Uint8Array[] = []
  /** The length of all text before each of them. */
  readonly #textBefore: number[] = []

  constructor(text: string) {
    this.#text = text
  }

  addText(text: string): void {
    this.#text += text
  }

  add(bytes: Uint8Array): void {
    this.#bytes.push(bytes)
    this.#textBefore.push(this.#text.length)
  }

  /** All of it, in order. */
  end(): readonly Uint8Array[] {
    const text = toUtf8(this.#text)
    const isPlain = text.length === this.#text.length
    const between = (start: number, end: number) =>
      isPlain ? text.subarray(start, end) : toUtf8(this.#text.slice(start, end))
    const pieces: Uint8Array[] = []
    let done = 0
    for (let place = 0; place < this.#bytes.length; place += 1) {
      const before = this.#textBefore[place] ?? 0
      if (before > done) pieces.push(between(done, before))
      pieces.push(this.#bytes[place] as Uint8Array)
      done = before
    }
    if (done < this.#text.length) pieces.push(between(done, this.#text.length))
    return pieces
  }
}

/**
 * What stands between written parts, in UTF-8.
 * @note It is mostly short and plain, and a call of the encoder takes five times as long as these
 * few characters.
 */
function toUtf8(text: string): Uint8Array {
  if (text.length > maxManualLength) return encoder.encode(text)
  const bytes = new Uint8Array(text.length)
  for (let place = 0; place < text.length; place += 1) {
    const code = text.charCodeAt(place)
    if (code > lastPlain) return encoder.encode(text)
    bytes[place] = code
  }
  return bytes
}

const maxManualLength = 128
const lastPlain = 0x7f

function joined(written: string | readonly Uint8Array[]): Uint8Array {
  return typeof written === 'string' ? encoder.encode(written) : concatenate(written)
}

/** Joins pieces of UTF-8 into one. */
export function concatenate(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(sizeOf(pieces))
  let end = 0
  for (const piece of pieces) {
    whole.set(piece, end)
    end += piece.length
  }
  return whole
}

/** The first half of the bytes of an answer. */
export function firstHalf(
  body: string | Uint8Array | readonly Uint8Array[] | null,
): Uint8Array<ArrayBuffer> {
  const bytes = concatenate(toPieces(body))
  return bytes.subarray(0, bytes.length >> 1)
}

/** The bytes of an answer, in pieces. */
export function toPieces(
  body: string | Uint8Array | readonly Uint8Array[] | null,
): readonly Uint8Array[] {
  if (body === null) return []
  if (typeof body === 'string') return [encoder.encode(body)]
  return body instanceof Uint8Array ? [body] : body
}

/** The number of bytes of all pieces together. */
export function sizeOf(pieces: readonly Uint8Array[]): number {
  let size = 0
  for (const piece of pieces) size += piece.length
  return size
}
