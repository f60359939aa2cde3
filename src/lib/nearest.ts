import leven from 'leven'

/** Minimum similarity of two words. */
const minAgreement = 0.6

/** The similarity of two words, 0 to 1: 0.8 for `pots` and `posts`. Values below 0.6 become 0. */
export function likeness(expected: string, actual: string): number {
  if (expected === actual) return 1
  const longer = Math.max(expected.length, actual.length)
  // The lengths rule out most pairs. This also limits the time, because leven takes the product of
  // the lengths.
  if (Math.abs(expected.length - actual.length) > longer * (1 - minAgreement)) return 0
  const agreement = 1 - leven(expected, actual) / longer
  return agreement < minAgreement ? 0 : agreement
}

/**
 * The word of a list that is nearest to an input, ignoring case and punctuation. Undefined if no
 * word is similar.
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

/** `pageSize` and `page_size` are equal. A word of punctuation only stays unchanged. */
function toPlain(word: string): string {
  return word.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '') || word
}
