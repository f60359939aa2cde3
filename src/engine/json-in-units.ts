import type { Work } from './work.ts'

/** Texts up to this length are parsed at once. */
const quicklyParsed = 256 * 1024
/** Values that lie deeper than this are parsed at once: the records of a snapshot do, which lie in tables. */
const unitDepth = 3
/** How much text goes into a unit of work, characters. */
const unitLength = 64 * 1024

/** What a value is replaced by: one of a list that lies in an object, in an object. `keys` are those of the two. */
export type Replace = (keys: readonly [string, string], value: unknown) => unknown

/**
 * Parses JSON as `JSON.parse` does, a large text in units. In a large text, `replace` may put others in the place of the items of lists
 * that lie as tables in a snapshot do: what it does not keep is not held until the whole is parsed. @throws {SyntaxError}
 */
export function* parsingJson(text: string, replace?: Replace): Work<unknown> {
  if (text.length <= quicklyParsed) return JSON.parse(text)
  const reader = new Reader(text, replace)
  const value = yield* reading(reader, [])
  if (reader.peek() !== '') throw reader.malformed()
  return value
}

/**
 * Reads what stands in an object before the entry of that key; undefined in a text that is short enough to be parsed at once, and where
 * there is no such entry. @throws {SyntaxError}
 */
export function parseHead(text: string, key: string): Record<string, unknown> | undefined {
  const reader = new Reader(text)
  if (text.length <= quicklyParsed || reader.peek() !== '{') return undefined
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

/** Reads the next value. `keys` lead to it, as far as they are those of objects: undefined is an item of a list. */
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

function* readingEntries(reader: Reader, keys: readonly (string | undefined)[]): Work<[string, unknown][]> {
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
  readonly #text: string
  readonly #replace: Replace | undefined
  #place = 0
  #unitStart = 0

  constructor(text: string, replace?: Replace) {
    this.#text = text
    this.#replace = replace
  }

  /** What stands in the place of a value that is at the end of the unit depth. */
  replaced([outer, inner, ...further]: readonly (string | undefined)[], value: unknown): unknown {
    if (this.#replace === undefined || outer === undefined || inner === undefined || further.length === 0) return value
    return further[0] === undefined ? this.#replace([outer, inner], value) : value
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
