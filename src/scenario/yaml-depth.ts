import type { CST, Lexer } from 'yaml'

/** Maximum nesting depth of YAML values. */
const maxLevels = 64
/**
 * Maximum number of aliases. The YAML library searches the whole text for each merged alias, so
 * many aliases would be slow.
 */
const maxAliases = 1000

/** The limit that a text exceeds, and the offset at which it does. */
export interface ExceededLimit {
  message: string
  offset: number
}

const tooDeep = `It is nested more than ${maxLevels} levels deep`

/**
 * Finds YAML that is nested too deeply or has too many aliases. Does not use recursion. The parser
 * does, so deep nesting could overflow its stack and end the process.
 */
export function findExcessiveDepth(
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
  for (let place = 0; place < text.length; place += 1) {
    const character = text[place]
    if (character === '\n') {
      count = 0
      isOpening = true
    } else if (isOpening && (character === '-' || character === '?')) {
      count += 1
      if (count > maxLevels && text[place + 1] === ' ') return place
    } else if (character !== ' ' && character !== '\t') isOpening = false
  }
  return undefined
}

function isStructureToken(token: string): boolean {
  return token === '\u{FEFF}' || token === '\u0002' || token === '\u0018' || token === '\u001F'
}
