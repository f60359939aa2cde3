import { importModules } from '../lib/import-modules.ts'
import type { CST, Document, LineCounter, ParsedNode, Lexer } from 'yaml'

/** A parsed YAML text, with the offsets at which its lines start. */
interface ReadYaml {
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
  } = await importModules(() => import('yaml'))
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
    for (let index = text.indexOf('\n'); index !== -1; index = text.indexOf('\n', index + 1))
      lines.addNewLine(index + 1)
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

/** Maximum nesting depth of YAML values. */
const maxLevels = 64
/**
 * Maximum number of aliases. The YAML library searches the whole text for each merged alias, so
 * many aliases would be slow.
 */
const maxAliases = 1000

/** The limit that a text exceeds, and the offset at which it does. */
interface ExceededLimit {
  message: string
  offset: number
}

const tooDeep = `It is nested more than ${maxLevels} levels deep`

/**
 * Finds YAML that is nested too deeply or has too many aliases. Does not use recursion. The parser
 * does, so deep nesting could overflow its stack and end the process.
 */
function findExcessiveDepth(
  text: string,
  { tokenType, lexer }: { tokenType: typeof CST.tokenType; lexer: Lexer },
): ExceededLimit | undefined {
  // Checks dashes first, because the lexer recurses for each dash in a line.
  const dashes = findDashes(text)
  if (dashes !== undefined) return { message: tooDeep, offset: dashes }
  /** Columns of the block values that are still open. */
  const columns: number[] = []
  let flowDepth = 0
  let aliases = 0
  let offset = 0
  let lineStart = 0
  let isAtValue = true
  for (const token of lexer.lex(text)) {
    const type = tokenType(token)
    if (type === 'flow-map-start' || type === 'flow-seq-start') flowDepth += 1
    // Keeps the depth from becoming negative. Otherwise, unmatched closing brackets would cancel
    // out opening brackets.
    else if (type === 'flow-map-end' || type === 'flow-seq-end')
      flowDepth = Math.max(0, flowDepth - 1)
    else if (type === 'newline') {
      lineStart = offset + token.length
      isAtValue = true
    } else if (flowDepth === 0 && isAtValue && type !== 'space') {
      const column = offset - lineStart
      while ((columns.at(-1) ?? -1) > column) columns.pop()
      if (columns.at(-1) !== column) columns.push(column)
      isAtValue = type === 'seq-item-ind' || type === 'explicit-key-ind'
    }
    if (type === 'alias') aliases += 1
    if (columns.length + flowDepth > maxLevels) return { message: tooDeep, offset }
    if (aliases > maxAliases) return { message: `It has more than ${maxAliases} aliases`, offset }
    // Ignores the control characters with which the lexer marks documents and scalars. They are not
    // in the text.
    if (!isStructureToken(token)) offset += token.length
  }
  return undefined
}

/** Finds a line that starts too many nested lists at once, such as `- - -`. */
function findDashes(text: string): number | undefined {
  let count = 0
  let isOpening = true
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index]
    if (character === '\n') {
      count = 0
      isOpening = true
    } else if (isOpening && (character === '-' || character === '?')) {
      count += 1
      if (count > maxLevels && text[index + 1] === ' ') return index
    } else if (character !== ' ' && character !== '\t') isOpening = false
  }
  return undefined
}

function isStructureToken(token: string): boolean {
  return token === '\u{FEFF}' || token === '\u0002' || token === '\u0018' || token === '\u001F'
}
