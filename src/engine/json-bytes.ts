const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** A value that is already written as JSON, in UTF-8. `Row` is the value that the JSON stands for. */
export class WrittenRow<Row = unknown> {
  /** Only a type, without a value: it keeps a written post apart from a written comment. */
  declare readonly row?: Row
  readonly #bytes: Uint8Array
  /** Where the mark begins that was last looked for. */
  #markAt: { mark: string; place: number } | undefined

  /** @param row the value, of which parts may be written already, or its JSON in UTF-8 behind a comma */
  constructor(row: Writable<Row> | Uint8Array) {
    this.#bytes = row instanceof Uint8Array ? row : joined(toJson(',', row, ''))
  }

  /** How many bytes it takes. */
  get size(): number {
    return this.#bytes.length
  }

  /** The bytes as they stand in a list: a comma comes before every row but the first. */
  inList(index: number): Uint8Array {
    return index === 0 ? this.#bytes.subarray(1) : this.#bytes
  }

  /**
   * The same with another text where `mark` stands last: a field that is another one in each answer needs no row of its own. Both are plain
   * text of the same length, which JSON shows as it is. Without a mark it stays as it is.
   */
  filling(mark: string, text: string): WrittenRow<Row> {
    if (this.#markAt?.mark !== mark) this.#markAt = { mark, place: lastPlaceOf(this.#bytes, encoder.encode(mark)) }
    const { place } = this.#markAt
    if (place < 0) return this
    const bytes = this.#bytes.slice()
    for (let index = 0; index < text.length; index += 1) bytes[place + index] = text.charCodeAt(index)
    return new WrittenRow<Row>(bytes)
  }

  /** Where `JSON.stringify` comes across it, it becomes what it stands for. */
  toJSON(): Row {
    return JSON.parse(decoder.decode(this.inList(0))) as Row
  }
}

/** Where one series of bytes stands last in another; -1 where it does not. */
function lastPlaceOf(bytes: Uint8Array, wanted: Uint8Array): number {
  for (let place = bytes.length - wanted.length; place >= 0; place -= 1)
    if (wanted.every((byte, index) => bytes[place + index] === byte)) return place
  return -1
}

/**
 * Data of which any part may be written already: `{ list: Post[] }` or `{ list: WrittenRow<Post>[] }`. A map stands for an object with
 * keys of any name, such as ids: an object with large numbers as keys takes ten times as long to make and to walk.
 */
export type Writable<Data> =
  | Data
  | WrittenRow<Data>
  | (string extends keyof Data ? ReadonlyMap<string, Writable<Data[keyof Data]>> : never)
  | (Data extends readonly (infer Item)[]
      ? readonly Writable<Item>[]
      : Data extends object
        ? { [Field in keyof Data]: Writable<Data[Field]> }
        : never)

/** What data stand for of which parts are written already: `{ list: WrittenRow<Post[]> }` for `{ list: Post[] }`. */
export type Unwritten<Data> =
  Data extends WrittenRow<infer Row>
    ? Row
    : Data extends readonly (infer Item)[]
      ? Unwritten<Item>[]
      : Data extends object
        ? { [Field in keyof Data]: Unwritten<Data[Field]> }
        : Data

/**
 * Writes a value as JSON, between the texts `before` and `after`. Where it is written already, or a field of it is, or an item of a list
 * of its, the result is a series of pieces of UTF-8, so that these bytes are not copied. Otherwise the result is text.
 */
export function toJson(before: string, value: unknown, after: string): string | readonly Uint8Array[] {
  if (!holdsWritten(value)) return `${before}${JSON.stringify(value)}${after}`
  const writer = new Writer(before)
  writer.write(value)
  return writer.end(after)
}

/** How deep a written part may lie to be found. Deeper ones are read and written again. */
const deepest = 2

function holdsWritten(value: unknown, depth = 0): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (value instanceof WrittenRow || value instanceof Map) return true
  if (Array.isArray(value)) return value[0] instanceof WrittenRow
  if (depth === deepest) return false
  for (const field in value) if (holdsWritten((value as Readonly<Record<string, unknown>>)[field], depth + 1)) return true
  return false
}

/** Writes JSON in pieces. */
class Writer {
  readonly #pieces: Uint8Array[] = []
  #text: string

  constructor(before: string) {
    this.#text = before
  }

  write(value: unknown, depth = 0): void {
    if (!holdsWritten(value, depth)) this.#text += JSON.stringify(value)
    else if (value instanceof WrittenRow) this.#add(value.inList(0))
    else if (Array.isArray(value)) this.#writeList(value)
    else this.#writeFields(value instanceof Map ? value : Object.entries(value as Readonly<Record<string, unknown>>), depth)
  }

  end(after: string): readonly Uint8Array[] {
    this.#pieces.push(toUtf8(this.#text + after))
    return this.#pieces
  }

  #writeList(rows: readonly WrittenRow[]): void {
    this.#text += '['
    for (const [place, row] of rows.entries()) this.#add(row.inList(place))
    this.#text += ']'
  }

  #writeFields(fields: Iterable<[name: string, value: unknown]>, depth: number): void {
    this.#text += '{'
    let mark = ''
    for (const [name, inner] of fields) {
      if (inner === undefined) continue
      this.#text += `${mark}${JSON.stringify(name)}:`
      mark = ','
      this.write(inner, depth + 1)
    }
    this.#text += '}'
  }

  #add(bytes: Uint8Array): void {
    if (this.#text !== '') this.#pieces.push(toUtf8(this.#text))
    this.#text = ''
    this.#pieces.push(bytes)
  }
}

/**
 * What stands between written parts, in UTF-8.
 * @note It is mostly short and plain, and a call of the encoder takes five times as long as these few characters.
 */
function toUtf8(text: string): Uint8Array {
  if (text.length > longestByHand) return encoder.encode(text)
  const bytes = new Uint8Array(text.length)
  for (let place = 0; place < text.length; place += 1) {
    const code = text.charCodeAt(place)
    if (code > lastPlain) return encoder.encode(text)
    bytes[place] = code
  }
  return bytes
}

const longestByHand = 128
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
export function firstHalf(body: string | Uint8Array | readonly Uint8Array[] | null): Uint8Array<ArrayBuffer> {
  const bytes = concatenate(toPieces(body))
  return bytes.subarray(0, bytes.length >> 1)
}

/** The bytes of an answer, in pieces. */
export function toPieces(body: string | Uint8Array | readonly Uint8Array[] | null): readonly Uint8Array[] {
  if (body === null) return []
  if (typeof body === 'string') return [encoder.encode(body)]
  return body instanceof Uint8Array ? [body] : body
}

/** The number of bytes of all pieces together. */
export function sizeOf(pieces: readonly Uint8Array[]): number {
  return pieces.reduce((size, piece) => size + piece.length, 0)
}
