/** Replaces parts in which similar texts may differ: numbers, emoji and weekdays. */
export function normalizeText(text: string): string {
  return text
    .toLowerCase()
    .replace(/\b(mon|tues|wednes|thurs|fri|satur|sun)day\b/g, '')
    .replace(/[\d\p{Extended_Pictographic}\p{Emoji_Component}]/gu, '')
    .replace(/\s+/g, ' ')
    .trim()
}

/** Returns the last sentence of a text. */
export function getLastSentence(text: string): string {
  return (
    normalizeText(text)
      .replace(/[.!?\s]+$/, '')
      .split(/[.!?]\s*/)
      .at(-1) ?? ''
  )
}

/** Returns the three-word sequences of a text. */
export function listWordSequences(text: string): Set<string> {
  const words = normalizeText(text).match(/[\p{L}']+/gu) ?? []
  return new Set(words.slice(2).map((_, place) => words.slice(place, place + 3).join(' ')))
}

/** Returns the fraction of three-word sequences that two texts share. */
export function computeSequenceOverlap(one: Set<string>, other: Set<string>): number {
  let common = 0
  for (const sequence of one) if (other.has(sequence)) common += 1
  return common / Math.max(1, one.size + other.size - common)
}

/** Returns the number of occurrences of the most frequent text. */
export function countMaxRepeats(texts: readonly string[]): number {
  const counts = new Map<string, number>()
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  return Math.max(...counts.values())
}
