import type { Work } from '../work.ts'

/** Texts up to this length are parsed at once. */
const quicklyParsed = 256 * 1024
/**
 * Values that lie deeper than this are parsed at once: the records of a snapshot do, which lie in
 * tables.
 */
const unitDepth = 3
/** How much text goes into a unit of work, characters. */
const unitLength = 64 * 1024

/**
 * What a value is replaced by: one of a list that lies in an object, in an object. `keys` are those
 * of the two.
 */
export type Replace = (keys: readonly [string, string], value: unknown) => unknown

/**
 * A text, or its pieces in order, which are never in memory all at once. They can be gone through
 * more than once.
 */
export type JsonText = string | Iterable<string>

/**
 * Parses JSON as `JSON.parse` does, a large text in units. In a large text, `replace` may put
 * others in the place of the items of lists that lie as tables in a snapshot do: what it does not
 * keep is not held until the whole is parsed. @throws {SyntaxError}
 */
export function* parsingJson(text: JsonText, replace?: Replace): Work<unknown> {
  if (isShort(text)) return JSON.parse(text)
  const reader = new Reader(text, replace)
  try {
    const value = yield* reading(reader, [])
    if (reader.peek() !== '') throw reader.malformed()
    return value
  } finally {
    reader.close()
  }
}

/**
 * Reads what stands in an object before the entry of that key; undefined in a text that is short
 * enough to be parsed at once, and where there is no such entry. @throws {SyntaxError}
 */
export function parseHead(text: JsonText, key: string): Record<string, unknown> | undefined {
  if (isShort(text)) return undefined
  const reader = new Reader(text)
  try {
    return readHead(reader, key)
  } finally {
    reader.close()
  }
}

function isShort(text: JsonText): text is string {
  return typeof text === 'string' && text.length <= quicklyParsed
}

function readHead(reader: Reader, key: string): Record<string, unknown> | undefined {
  if (reader.peek() !== '{') return undefined
  const entries: [string, unknown][] = []
  for (reader.take('{'); reader.peek() === '"'; reader.take(',')) {
    const next = JSON.parse(reader.takeValue()) as string
    if (next === key) return Object.fromEntries(entries)
    reader.take(':')
    entries.push([next, JSON.parse(reader.takeValue())])
    if (reader.peek() === '}') return undefined
  }
  throw reader.malformed()
}

/**
 * Reads the next value. `keys` lead to it, as far as they are those of objects: undefined is an
 * item of a list.
 */
function* reading(reader: Reader, keys: readonly (string | undefined)[]): Work<unknown> {
  const opening = keys.length < unitDepth ? reader.peek() : ''
  if (opening === '[') return yield* readingItems(reader, keys)
  if (opening === '{') return Object.fromEntries(yield* readingEntries(reader, keys))
  const value = reader.replaced(keys, JSON.parse(reader.takeValue()))
  if (reader.isUnitFull()) yield
  return value
}

function* readingItems(reader: Reader, keys: readonly (string | undefined)[]): Work<unknown[]> {
  const items: unknown[] = []
  const inner = [...keys, undefined]
  reader.take('[')
  while (reader.peek() !== ']') {
    if (items.length > 0) reader.take(',')
    items.push(yield* reading(reader, inner))
  }
  reader.take(']')
  return items
}

function* readingEntries(
  reader: Reader,
  keys: readonly (string | undefined)[],
): Work<[string, unknown][]> {
  const entries: [string, unknown][] = []
  reader.take('{')
  while (reader.peek() !== '}') {
    if (entries.length > 0) reader.take(',')
    if (reader.peek() !== '"') throw reader.malformed()
    const key = JSON.parse(reader.takeValue()) as string
    reader.take(':')
    entries.push([key, yield* reading(reader, [...keys, key])])
  }
  reader.take('}')
  return entries
}

/** Reads a text of JSON from its start to its end. */
class Reader {
  /** What is there of the text: all of it, or some pieces from the one on that is being read. */
  #text: string
  /** The pieces that are still to come. */
  readonly #pieces: Iterator<string>
  /** How much of the text was before what is there. */
  #before = 0
  readonly #replace: Replace | undefined
  #place = 0
  #unitStart = 0

  constructor(text: JsonText, replace?: Replace) {
    this.#text = typeof text === 'string' ? text : ''
    this.#pieces = (typeof text === 'string' ? [] : text)[Symbol.iterator]()
    this.#replace = replace
  }

  /** Lets go of the pieces that nobody will read. */
  close(): void {
    this.#pieces.return?.()
  }

  /** What stands in the place of a value that is at the end of the unit depth. */
  replaced([outer, inner, ...further]: readonly (string | undefined)[], value: unknown): unknown {
    if (
      this.#replace === undefined ||
      outer === undefined ||
      inner === undefined ||
      further.length === 0
    )
      return value
    return further[0] === undefined ? this.#replace([outer, inner], value) : value
  }

  /** The next character that is no white space; empty at the end. */
  peek(): string {
    do {
      while (' \n\r\t'.includes(this.#text[this.#place] ?? '-')) this.#place += 1
    } while (this.#place === this.#text.length && this.#readOn())
    return this.#text[this.#place] ?? ''
  }

  take(character: string): void {
    if (this.peek() !== character) throw this.malformed()
    this.#place += 1
  }

  /**
   * The text of the next value. It is found by its brackets and quotes; whether it is well-formed
   * otherwise is left to `JSON.parse`.
   */
  takeValue(): string {
    const isNested = '{["'.includes(this.peek() || '-')
    const find = () => (isNested ? this.#endOfNested() : this.#endOfPlain())
    let end = find()
    while (end === undefined && this.#readOn()) end = find()
    if (end === undefined && isNested) {
      this.#place = this.#text.length
      throw this.malformed()
    }
    const value = this.#text.slice(this.#place, end)
    this.#place = end ?? this.#text.length
    return value
  }

  /** Whether so much was read since it last was true that others should have a turn. */
  isUnitFull(): boolean {
    const place = this.#before + this.#place
    if (place - this.#unitStart < unitLength) return false
    this.#unitStart = place
    return true
  }

  malformed(): SyntaxError {
    return new SyntaxError(
      `Unexpected ${JSON.stringify(this.#text[this.#place] ?? 'end')} at position ` +
        `${this.#before + this.#place}`,
    )
  }

  /**
   * Puts further pieces behind what is not read yet, and lets go of what is; false at the end of
   * the text. What is there is doubled at least: a value that needs many pieces is looked through
   * anew each time.
   */
  #readOn(): boolean {
    let more = ''
    for (let next = this.#pieces.next(); next.done !== true; next = this.#pieces.next()) {
      more += next.value
      if (more.length > this.#text.length - this.#place) break
    }
    this.#text = this.#text.slice(this.#place) + more
    this.#before += this.#place
    this.#place = 0
    return more !== ''
  }

  /**
   * Where the value ends that begins here; undefined where its end is not there. So in the two
   * below.
   */
  #endOfNested(): number | undefined {
    const marks = /["[\]{}]/g
    marks.lastIndex = this.#place
    let open = 0
    for (let mark = marks.exec(this.#text); mark !== null; mark = marks.exec(this.#text)) {
      const [character] = mark
      if (character === '"') {
        const end = this.#endOfText(mark.index)
        if (end === undefined) return undefined
        marks.lastIndex = end
      } else open += character === '{' || character === '[' ? 1 : -1
      if (open === 0) return marks.lastIndex
    }
    return undefined
  }

  #endOfText(start: number): number | undefined {
    for (
      let end = this.#text.indexOf('"', start + 1);
      end !== -1;
      end = this.#text.indexOf('"', end + 1)
    ) {
      let before = end
      while (this.#text[before - 1] === '\\') before -= 1
      if ((end - before) % 2 === 0) return end + 1
    }
    return undefined
  }

  #endOfPlain(): number | undefined {
    const marks = /[,\]}\s]/g
    marks.lastIndex = this.#place
    return marks.exec(this.#text)?.index
  }
}
