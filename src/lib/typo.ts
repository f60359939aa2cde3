/** Minimum length of a word in which one typo is tolerated. */
const minLength = 4

/** Splits a text into its words, in lower case. */
export function splitIntoLowerWords(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
}

/**
 * True if each search word is a prefix of one of the known words. One typo is tolerated in search
 * words of at least four letters. All words are in lower case.
 */
export function matchesWithTypos(asked: readonly string[], known: readonly string[]): boolean {
  return asked.every((word) =>
    known.some((each) => each.startsWith(word) || startsWithTypo(each, word)),
  )
}

/** True if a word starts with another word, with at most one typo. */
function startsWithTypo(word: string, asked: string): boolean {
  const { length } = asked
  if (length < minLength || word.length < length - 1 || /\d/.test(asked)) return false
  // Typos in the first letter are rare, and `amel` should not find `Meller`.
  const isSwapped = word[0] === asked[1] && word[1] === asked[0]
  if (word[0] !== asked[0] && !isSwapped) return false
  return [length, length - 1, length + 1].some((end) => hasOneTypo(asked, word.slice(0, end)))
}

/** True if one letter is wrong, missing or superfluous, or if two adjacent letters are swapped. */
function hasOneTypo(a: string, b: string): boolean {
  let start = 0
  while (start < a.length && a[start] === b[start]) start += 1
  const [restOfA, restOfB] = [a.slice(start), b.slice(start)]
  return (
    restOfA.slice(1) === restOfB.slice(1) ||
    restOfA === restOfB.slice(1) ||
    restOfA.slice(1) === restOfB ||
    (restOfA[0] === restOfB[1] &&
      restOfA[1] === restOfB[0] &&
      restOfA.slice(2) === restOfB.slice(2))
  )
}
