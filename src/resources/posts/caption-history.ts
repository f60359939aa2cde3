import type { Phrase } from '../../seed/phrases.ts'

/** A sentence of a caption: a phrase with its placeholders filled in. */
export class Sentence {
  readonly phrase: Phrase
  readonly text: string
  #words: readonly string[] | undefined

  constructor(phrase: Phrase, text: string) {
    this.phrase = phrase
    this.text = text
  }

  /** The words of the sentence, without numbers and weekdays. */
  get words(): readonly string[] {
    return (this.#words ??= this.text.replace(forgotten, '').split(' '))
  }
}

const forgotten = / ?(?:\d+|\b(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day)\b/gi

/** The sentences of a caption, in order. */
type Caption = readonly Sentence[]

/** Maximum number of phrases per creator. */
const maxPhrases = 2 ** 15

/**
 * Detects repeated captions. Stores the sentences of each caption, and computes how much of a new
 * caption occurs in earlier captions.
 */
export class CaptionHistory {
  /**
   * Captions by pairs of phrase ids. Captions with at most two phrases are stored by single phrase
   * ids.
   */
  readonly #captions = new Map<number, Caption[]>()
  /** Number of three-word sequences that contain no placeholder, by phrase id. */
  readonly #fixed: number[] = []

  /**
   * Estimates the maximum fraction of three-word sequences that a caption has in common with any
   * stored caption. Ignores long captions that have only one phrase in common.
   */
  estimateOverlap(caption: Caption): number {
    let maxShare = 0
    for (const key of listCaptionKeys(caption)) {
      const captions = this.#captions.get(key)
      if (captions === undefined) continue
      for (const earlier of captions) {
        const share = this.#shareOfSequences(caption, earlier)
        if (share > maxShare) maxShare = share
      }
    }
    return maxShare
  }

  /** Stores a caption. */
  remember(caption: Caption): void {
    for (const key of listCaptionKeys(caption)) {
      const captions = this.#captions.get(key)
      if (captions === undefined) this.#captions.set(key, [caption])
      else captions.push(caption)
    }
  }

  /** Returns the fraction of a caption's sequences that the other caption also contains. */
  #shareOfSequences(one: Caption, other: Caption): number {
    let common = 0
    /** Index of the previous sentence in the other caption. */
    let before = -2
    for (const sentence of one) {
      const place = findPhrasePosition(other, sentence.phrase)
      if (place >= 0)
        common +=
          this.#commonIn(sentence, other[place] as Sentence) + (place === before + 1 ? 2 : 0)
      before = place >= 0 ? place : -2
    }
    return common / Math.max(1, countSequences(one) + countSequences(other) - common)
  }

  /**
   * Counts the sequences that two sentences of the same phrase have in common: sequences before the
   * first different word, and sequences after the last different word.
   */
  #commonIn({ phrase, text, words }: Sentence, other: Sentence): number {
    if (text === other.text) return Math.max(0, words.length - 2)
    const length = Math.min(words.length, other.words.length)
    let before = 0
    while (before < length && words[before] === other.words[before]) before += 1
    let behind = 0
    while (behind < length - before && words.at(-1 - behind) === other.words.at(-1 - behind))
      behind += 1
    if (before + behind >= length) return Math.max(0, length - 2)
    return Math.max(
      Math.max(0, before - 2) + Math.max(0, behind - 2),
      (this.#fixed[phrase.id] ??= countFixedSequences(phrase.text)),
    )
  }
}

/**
 * Returns the index keys of a caption: each pair of its phrases, or each phrase if there are at
 * most two.
 */
function listCaptionKeys(caption: Caption): number[] {
  const keys: number[] = []
  for (let place = 0; place < caption.length; place += 1) {
    const { id } = (caption[place] as Sentence).phrase
    if (caption.length <= 2) keys.push(id)
    for (let next = place + 1; next < caption.length; next += 1) {
      const { id: other } = (caption[next] as Sentence).phrase
      keys.push(Math.min(id, other) + (Math.max(id, other) + 1) * maxPhrases)
    }
  }
  return keys
}

function findPhrasePosition(caption: Caption, phrase: Phrase): number {
  for (let place = 0; place < caption.length; place += 1)
    if ((caption[place] as Sentence).phrase === phrase) return place
  return -1
}

function countSequences(caption: Caption): number {
  let count = -2
  for (const { words } of caption) count += words.length
  return count
}

/** Counts the three-word sequences of a phrase that contain no placeholder. */
function countFixedSequences(text: string): number {
  let sequences = 0
  for (const part of text.split(/\{[^{}]*\}/))
    sequences += Math.max(0, part.trim().split(' ').length - 2)
  return sequences
}
