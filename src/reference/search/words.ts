/** Words of a question that are ignored in searches. */
const fillers = new Set(
  'a an and are can do does for get gives how i in is it my of on or the to what use what when which with work works'.split(
    ' ',
  ),
)

/** Splits text into words at spaces. Punctuation around a word is removed. */
export function wordsOf(text: string): string[] {
  const words = text
    .split(/\s+/)
    .map((word) => word.replace(/^[^\p{L}\p{N}/_{]+|[^\p{L}\p{N}}_]+$/gu, ''))
    .filter(Boolean)
  const telling = words.filter((word) => !fillers.has(word.toLowerCase()))
  return telling.length === 0 ? words : telling
}

/** Returns the parts of a name, path or compound: `is`, `Media` and `Ready` for `isMediaReady`. */
export function partsOf(word: string): string[] {
  return word.split(/[^\p{L}\p{N}]+|(?<=[a-z\d])(?=[A-Z])/u).filter(Boolean)
}
