import leven from 'leven'

/** Minimum similarity for two words to count as similar. */
const minSimilarity = 0.6

/**
 * Returns the similarity of two words, from 0 to 1. For example, it is 0.8 for `pots` and `posts`.
 * Values below 0.6 become 0.
 */
export function computeWordSimilarity(expected: string, actual: string): number {
  if (expected === actual) return 1
  const longer = Math.max(expected.length, actual.length)
  // Compares the lengths first, which rules out most pairs. It also limits the running time,
  // because leven is quadratic.
  if (Math.abs(expected.length - actual.length) > longer * (1 - minSimilarity)) return 0
  const score = 1 - leven(expected, actual) / longer
  return score < minSimilarity ? 0 : score
}

/**
 * Returns the word that is most similar to an input, ignoring case and punctuation. Returns
 * undefined if no word is similar.
 */
export function findNearestWord(words: readonly string[], written: string): string | undefined {
  const plain = toPlain(written)
  const best = words.reduce<{ word?: string; score: number }>(
    (found, word) => {
      const score = computeWordSimilarity(toPlain(word), plain)
      return score > found.score ? { word, score } : found
    },
    { score: 0 },
  )
  return best.word
}

/**
 * Converts a word to lower case and removes its punctuation, so that `pageSize` equals `page_size`.
 * Returns a word unchanged if it has only punctuation.
 */
function toPlain(word: string): string {
  return word.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '') || word
}
