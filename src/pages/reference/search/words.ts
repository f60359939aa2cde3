/** Question words and other fillers that a search ignores. */
const fillers = new Set(
  'a an and are can contain contains do does for get gives hold holds how i in is it my of on or the to what use what when which with work works'.split(
    ' ',
  ),
)

const methods = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])

/**
 * Separates an HTTP method from the other words, as in `POST messages` or `post /v1/tags`. A
 * lower-case word is a method only before a path, because `post` is also a kind of record.
 */
export function separateMethod(words: readonly string[]): {
  method: string | undefined
  others: readonly string[]
} {
  const isMethod = (word: string, index: number) =>
    methods.has(word) ||
    (methods.has(word.toUpperCase()) && words[index + 1]?.startsWith('/') === true)
  const index = words.findIndex(isMethod)
  const others = words.filter((_, place) => place !== index)
  return index === -1 || others.length === 0
    ? { method: undefined, others: words }
    : { method: words[index]?.toUpperCase(), others }
}

/**
 * Treats the first word of a search such as `post messages` as the method, unless one operation id,
 * such as `listPostComments`, contains all words of the search.
 */
export function normaliseLeadingPost(
  words: readonly string[],
  ids: readonly string[],
): readonly string[] {
  const [first = '', ...others] = words
  if (first !== 'post' || others.length === 0) return words
  const stems = words.map((word) => word.toLowerCase().replace(/s$/, ''))
  const isKnown = ids.some((id) => stems.every((stem) => id.toLowerCase().includes(stem)))
  return isKnown ? words : ['POST', ...others]
}

/** True if a search asks for an operation that deletes or undoes something. */
export function isDeletionSearch(words: readonly string[]): boolean {
  return words
    .flatMap(splitIntoParts)
    .some((part) => /^(?:delet|remov|cancel|unsend|clear|un[a-z]{3})/i.test(part))
}

/** True if a search asks for the content of something. Models describe content. */
export function isContentSearch(text: string): boolean {
  return /\b(?:holds?|contains?|fields|models?|schemas?)\b/i.test(text)
}

/** Splits text into words at spaces and removes punctuation around each word. */
export function splitIntoWords(text: string): string[] {
  const words = text
    .split(/\s+/)
    .map((word) => word.replace(/^[^\p{L}\p{N}/_{]+|[^\p{L}\p{N}}_]+$/gu, ''))
    .filter(Boolean)
  const telling = words.filter((word) => methods.has(word) || !fillers.has(word.toLowerCase()))
  return telling.length === 0 ? words : telling
}

/**
 * Splits a name, path or compound into its parts: `isMediaReady` into `is`, `Media` and `Ready`.
 */
export function splitIntoParts(word: string): string[] {
  return word.split(/[^\p{L}\p{N}]+|(?<=[a-z\d])(?=[A-Z])/u).filter(Boolean)
}
