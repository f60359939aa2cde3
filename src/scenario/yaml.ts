import type { CST, Document, LineCounter, ParsedNode } from 'yaml'
import { findExcess } from './yaml-depth.ts'

/** A text that was read as YAML, and where its lines begin. */
export interface ReadYaml {
  document: Document.Parsed
  lines: LineCounter
}

/** The error of a text that is not YAML. */
export class YamlError extends Error {
  override readonly name = 'YamlError'
  /** Where it is wrong: an offset in the text. */
  readonly offset: number
  readonly lines: LineCounter

  constructor(message: string, offset: number, lines: LineCounter) {
    super(message)
    this.offset = offset
    this.lines = lines
  }
}

/**
 * Reads a text as YAML. It stops at the first error, and the time that it takes grows with the text
 * alone.
 * @throws {YamlError}
 */
export async function readYaml(text: string): Promise<ReadYaml> {
  const {
    Composer,
    CST: { tokenType },
    Lexer,
    LineCounter,
    Parser,
    visit,
  } = await import('yaml')
  const lines = new LineCounter()
  // The library looks through all keys of a map for every key of it: `findTwice` does so once.
  const composer = new Composer({
    merge: true,
    uniqueKeys: false,
    prettyErrors: false,
    lineCounter: lines,
  })
  const excess = findExcess(text, { tokenType, lexer: new Lexer() })
  if (excess !== undefined) {
    for (let place = text.indexOf('\n'); place !== -1; place = text.indexOf('\n', place + 1))
      lines.addNewLine(place + 1)
    throw new YamlError(excess.message, excess.offset, lines)
  }
  let document: Document.Parsed | undefined
  try {
    for (const next of composer.compose(
      upToError(new Parser(lines.addNewLine).parse(text)),
      true,
      text.length,
    )) {
      const [error] = next.errors
      if (error !== undefined) throw new YamlError(error.message, error.pos[0], lines)
      if (document !== undefined)
        throw new YamlError(
          'Source contains multiple documents; a scenario is one',
          next.range?.[0] ?? 0,
          lines,
        )
      document = next as Document.Parsed
    }
    const twice = document === undefined ? undefined : findTwice(document, visit)
    if (twice !== undefined)
      throw new YamlError('Map keys must be unique', twice.range?.[0] ?? 0, lines)
  } catch (error) {
    // The library reads what is nested by calling itself.
    if (error instanceof RangeError)
      throw new YamlError('Its values are nested too deeply', 0, lines)
    throw error
  }
  return { document: document as Document.Parsed, lines }
}

/** The tokens up to the first wrong one: the library would make an error of each of the others. */
function* upToError(tokens: Iterable<CST.Token>): Generator<CST.Token> {
  for (const token of tokens) {
    yield token
    if (token.type === 'error') return
  }
}

/** The first key that a map has twice. */
function findTwice(
  document: Document.Parsed,
  visit: typeof import('yaml').visit,
): ParsedNode | undefined {
  let found: ParsedNode | undefined
  visit(document, {
    Map(_, { items }) {
      const keys = new Set<unknown>()
      for (const { key } of items) {
        const value = (key as { value?: unknown } | null)?.value
        if (value !== undefined && keys.has(value)) {
          found = key as ParsedNode
          return visit.BREAK
        }
        keys.add(value)
      }
      return undefined
    },
  })
  return found
}
