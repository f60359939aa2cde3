import type { CST, Document, LineCounter, ParsedNode } from 'yaml'
import { findExcessiveDepth } from './yaml-depth.ts'

/** A parsed YAML text, with the offsets at which its lines start. */
export interface ReadYaml {
  document: Document.Parsed
  lines: LineCounter
}

/** Thrown if a text is not valid YAML. */
export class YamlError extends Error {
  override readonly name = 'YamlError'
  /** The offset of the error in the text. */
  readonly offset: number
  readonly lines: LineCounter

  constructor(message: string, offset: number, lines: LineCounter) {
    super(message)
    this.offset = offset
    this.lines = lines
  }
}

/**
 * Parses YAML in linear time. Stops at the first error.
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
  // `uniqueKeys` is disabled, because the library compares all pairs of keys in a map.
  // `findDuplicateKey` needs only one pass.
  const composer = new Composer({
    merge: true,
    uniqueKeys: false,
    prettyErrors: false,
    lineCounter: lines,
  })
  const excess = findExcessiveDepth(text, { tokenType, lexer: new Lexer() })
  if (excess !== undefined) {
    for (let place = text.indexOf('\n'); place !== -1; place = text.indexOf('\n', place + 1))
      lines.addNewLine(place + 1)
    throw new YamlError(excess.message, excess.offset, lines)
  }
  let document: Document.Parsed | undefined
  try {
    for (const next of composer.compose(
      yieldUntilError(new Parser(lines.addNewLine).parse(text)),
      true,
      text.length,
    )) {
      const [error] = next.errors
      if (error !== undefined) throw new YamlError(error.message, error.pos[0], lines)
      if (document !== undefined)
        throw new YamlError(
          'It contains multiple documents, but a scenario is one document',
          next.range?.[0] ?? 0,
          lines,
        )
      document = next as Document.Parsed
    }
    const twice = document === undefined ? undefined : findDuplicateKey(document, visit)
    if (twice !== undefined)
      throw new YamlError('Map keys must be unique', twice.range?.[0] ?? 0, lines)
  } catch (error) {
    // Deep nesting can overflow the stack, because the library's parser is recursive.
    if (error instanceof RangeError) throw new YamlError('It is nested too deeply', 0, lines)
    throw error
  }
  return { document: document as Document.Parsed, lines }
}

/**
 * Yields the tokens up to the first error. The library would create another error for each later
 * token.
 */
function* yieldUntilError(tokens: Iterable<CST.Token>): Generator<CST.Token> {
  for (const token of tokens) {
    yield token
    if (token.type === 'error') return
  }
}

/** Finds the first duplicate key in a map. */
function findDuplicateKey(
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
