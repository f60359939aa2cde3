const encoder = new TextEncoder()

/** A row of a list that is already written as JSON, in UTF-8. `Row` is the row that the JSON stands for. */
export class WrittenRow<Row = unknown> {
  /** Only a type, without a value: it keeps a written post apart from a written comment. */
  declare readonly row?: Row
  readonly #bytes: Uint8Array

  constructor(row: Row) {
    this.#bytes = encoder.encode(`,${JSON.stringify(row)}`)
  }

  /** The bytes as they stand in a list: a comma comes before every row but the first. */
  inList(index: number): Uint8Array {
    return index === 0 ? this.#bytes.subarray(1) : this.#bytes
  }
}

/** Data whose lists may hold written rows in place of rows: `{ list: Post[] }` or `{ list: WrittenRow<Post>[] }`. */
export type Writable<Data> = {
  [Field in keyof Data]: Data[Field] extends readonly (infer Row)[] ? Data[Field] | readonly WrittenRow<Row>[] : Data[Field]
}

/**
 * Writes an object as JSON, between the texts `before` and `after`. Where a list of the object holds written rows, the result is a
 * series of pieces of UTF-8, so that the bytes of the rows are not copied. Otherwise the result is text.
 */
export function toJson(before: string, value: Readonly<Record<string, unknown>>, after: string): string | readonly Uint8Array[] {
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined)
  if (!entries.some(([, inner]) => isWritten(inner))) return `${before}${JSON.stringify(value)}${after}`
  const pieces: Uint8Array[] = []
  let text = `${before}{`
  for (const [index, [name, inner]] of entries.entries()) {
    text += `${index === 0 ? '' : ','}${JSON.stringify(name)}:`
    if (!isWritten(inner)) {
      text += JSON.stringify(inner)
      continue
    }
    pieces.push(encoder.encode(`${text}[`), ...inner.map((row, place) => row.inList(place)))
    text = ']'
  }
  return [...pieces, encoder.encode(`${text}}${after}`)]
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

function isWritten(value: unknown): value is WrittenRow[] {
  return Array.isArray(value) && value[0] instanceof WrittenRow
}
