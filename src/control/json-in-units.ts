import type { Work } from '../engine/work.ts'

/** Texts up to this length are parsed at once. */
const quicklyParsed = 256 * 1024
/** Values that lie deeper than this are parsed at once: the records of a snapshot do, which lie in tables. */
const unitDepth = 3
/** How much text goes into a unit of work, characters. */
const unitLength = 64 * 1024

/** Parses JSON as `JSON.parse` does, a large text in units. @throws {SyntaxError} */
export function* parsingJson(text: string): Work<unknown> {
  if (text.length <= quicklyParsed) return JSON.parse(text)
  const reader = new Reader(text)
  const value = yield* reading(reader, 0)
  if (reader.peek() !== '') throw reader.malformed()
  return value
}

function* reading(reader: Reader, depth: number): Work<unknown> {
  const opening = depth < unitDepth ? reader.peek() : ''
  if (opening === '[') return yield* readingItems(reader, depth)
  if (opening === '{') return Object.fromEntries(yield* readingEntries(reader, depth))
  const value = JSON.parse(reader.takeValue())
  if (reader.isUnitFull()) yield
  return value
}

function* readingItems(reader: Reader, depth: number): Work<unknown[]> {
  const items: unknown[] = []
  reader.take('[')
  while (reader.peek() !== ']') {
    if (items.length > 0) reader.take(',')
    items.push(yield* reading(reader, depth + 1))
  }
  reader.take(']')
  return items
}

function* readingEntries(reader: Reader, depth: number): Work<[string, unknown][]> {
  const entries: [string, unknown][] = []
  reader.take('{')
  while (reader.peek() !== '}') {
    if (entries.length > 0) reader.take(',')
    if (reader.peek() !== '"') throw reader.malformed()
    const key = JSON.parse(reader.takeValue()) as string
    reader.take(':')
    entries.push([key, yield* reading(reader, depth + 1)])
  }
  reader.take('}')
  return entries
}

/** Reads a text of JSON from its start to its end. */
class Reader {
  readonly #text: string
  #place = 0
  #unitStart = 0

  constructor(text: string) {
    this.#text = text
  }

  /** The next character that is no white space; empty at the end. */
  peek(): string {
    while (' \n\r\t'.includes(this.#text[this.#place] ?? '-')) this.#place += 1
    return this.#text[this.#place] ?? ''
  }

  take(character: string): void {
    if (this.peek() !== character) throw this.malformed()
    this.#place += 1
  }

  /** The text of the next value. It is found by its brackets and quotes; whether it is well-formed otherwise is left to `JSON.parse`. */
  takeValue(): string {
    this.peek()
    const start = this.#place
    this.#place = '{["'.includes(this.#text[start] ?? '-') ? this.#endOfNested(start) : this.#endOfPlain(start)
    return this.#text.slice(start, this.#place)
  }

  /** Whether so much was read since it last was true that others should have a turn. */
  isUnitFull(): boolean {
    if (this.#place - this.#unitStart < unitLength) return false
    this.#unitStart = this.#place
    return true
  }

  malformed(): SyntaxError {
    return new SyntaxError(`Unexpected ${JSON.stringify(this.#text[this.#place] ?? 'end')} at position ${this.#place}`)
  }

  #endOfNested(start: number): number {
    const marks = /["[\]{}]/g
    marks.lastIndex = start
    let open = 0
    for (let mark = marks.exec(this.#text); mark !== null; mark = marks.exec(this.#text)) {
      const [character] = mark
      if (character === '"') marks.lastIndex = this.#endOfText(mark.index)
      else open += character === '{' || character === '[' ? 1 : -1
      if (open === 0) return marks.lastIndex
    }
    this.#place = this.#text.length
    throw this.malformed()
  }

  #endOfText(start: number): number {
    for (let end = this.#text.indexOf('"', start + 1); end !== -1; end = this.#text.indexOf('"', end + 1)) {
      let before = end
      while (this.#text[before - 1] === '\\') before -= 1
      if ((end - before) % 2 === 0) return end + 1
    }
    this.#place = this.#text.length
    throw this.malformed()
  }

  #endOfPlain(start: number): number {
    const marks = /[,\]}\s]|$/g
    marks.lastIndex = start
    return marks.exec(this.#text)?.index ?? start
  }
}
