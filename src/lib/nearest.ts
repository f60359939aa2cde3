import leven from 'leven'

/** How much of a word may differ for it to be like another. */
const minAgreement = 0.6

/** How much two words agree, 0 to 1: `pots` with `posts` 0.8. Below 0.6 it is 0. */
export function likeness(expected: string, actual: string): number {
  if (expected === actual) return 1
  const longer = Math.max(expected.length, actual.length)
  // The lengths alone tell most pairs apart, and bound the time: leven takes the product of the
  // two.
  if (Math.abs(expected.length - actual.length) > longer * (1 - minAgreement)) return 0
  const agreement = 1 - leven(expected, actual) / longer
  return agreement < minAgreement ? 0 : agreement
}

/**
 * The word of a list that is nearest to what somebody wrote, whatever its case and punctuation;
 * undefined when none is like it.
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

/** `pageSize` and `page_size` are the same. What is nothing but punctuation stays as it is. */
function toPlain(word: string): string {
  return word.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '') || word
}
