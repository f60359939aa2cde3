import leven from 'leven'

/** Minimum similarity to count as similar. */
const minAgreement = 0.6

/**
 * Returns the similarity of two words, from 0 to 1: 0.8 for `pots` and `posts`. Values below 0.6
 * become 0.
 */
export function likeness(expected: string, actual: string): number {
  if (expected === actual) return 1
  const longer = Math.max(expected.length, actual.length)
  // The lengths rule out most pairs. This also bounds the time, because leven is quadratic.
  if (Math.abs(expected.length - actual.length) > longer * (1 - minAgreement)) return 0
  const agreement = 1 - leven(expected, actual) / longer
  return agreement < minAgreement ? 0 : agreement
}

/**
 * Returns the word most similar to an input, ignoring case and punctuation. Undefined if none is
 * similar.
 */
export function nearestOf(words: readonly string[], written: string): string | undefined {
  const plain = toPlain(written)
  const best = words.reduce<{ word?: string; score: number }>(
    (found, word) => {
      const score = likeness(toPlain(word), plain)
      return score > found.score ? { word, score } : found
    },
    { score: 0 },
  )
  return best.word
}

/**
 * Removes case and punctuation, so that `pageSize` equals `page_size`. A word of only punctuation
 * stays unchanged.
 */
function toPlain(word: string): string {
  return word.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '') || word
}
