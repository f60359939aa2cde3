import type { Phrase } from '../../world/phrases.ts'

/** A sentence of a caption: a phrase, and what it became. */
export class Sentence {
  readonly phrase: Phrase
  readonly text: string
  #words: readonly string[] | undefined

  constructor(phrase: Phrase, text: string) {
    this.phrase = phrase
    this.text = text
  }

  /** Its words, but for what is soon forgotten: numbers and weekdays. */
  get words(): readonly string[] {
    return (this.#words ??= this.text.replace(forgotten, '').split(' '))
  }
}

const forgotten = / ?(?:\d+|\b(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day)\b/gi

/** The sentences of a caption, in order. */
type Caption = readonly Sentence[]

/** Less of what two captions have in common, by the lengths of their phrases alone, is not worth a closer look. */
const leastOfPhrases = 0.35

/** Remembers captions by their sentences, and tells how much a new one would repeat one of them. */
export class Echoes {
  /** By the id of a phrase: the captions with it, its words, and the three-word sequences of it that nothing fills. */
  readonly #captions: Caption[][] = []
  readonly #lengths: number[] = []
  readonly #fixed: number[] = []

  /** The largest share of three-word sequences that a caption has in common with one that was remembered, more or less. */
  shareOf(caption: Caption): number {
    let most = 0
    // What has its last sentence alone in common has little in common.
    for (let place = 0; place === 0 || place < caption.length - 1; place += 1) {
      const phrase = caption[place]?.phrase
      const captions = phrase === undefined ? undefined : this.#captions[phrase.id]
      if (captions === undefined) continue
      for (const earlier of captions) {
        if (this.#shareOfPhrases(caption, earlier) < leastOfPhrases) continue
        const share = this.#shareOfSequences(caption, earlier)
        if (share > most) most = share
      }
    }
    return most
  }

  /** Remembers a caption. */
  remember(caption: Caption): void {
    for (const { phrase } of caption) {
      const captions = this.#captions[phrase.id]
      if (captions === undefined) this.#captions[phrase.id] = [caption]
      else captions.push(caption)
    }
  }

  /** Of the words of two captions, the share of those whose phrases both have, whatever fills them. */
  #shareOfPhrases(one: Caption, other: Caption): number {
    let all = 0
    let common = 0
    for (let place = 0; place < one.length; place += 1) {
      const phrase = (one[place] as Sentence).phrase
      all += this.#lengthOf(phrase)
      if (placeOf(other, phrase) >= 0) common += this.#lengthOf(phrase)
    }
    for (let place = 0; place < other.length; place += 1) all += this.#lengthOf((other[place] as Sentence).phrase)
    return common / (all - common)
  }

  #lengthOf({ id, text }: Phrase): number {
    return (this.#lengths[id] ??= text.split(' ').length)
  }

  /** Of the sequences that one of two captions has, the share that both have. */
  #shareOfSequences(one: Caption, other: Caption): number {
    let common = 0
    /** The place in the other caption of the sentence before. */
    let before = -2
    for (const sentence of one) {
      const place = placeOf(other, sentence.phrase)
      if (place >= 0) common += this.#commonIn(sentence, other[place] as Sentence) + (place === before + 1 ? 2 : 0)
      before = place >= 0 ? place : -2
    }
    return common / Math.max(1, sequencesIn(one) + sequencesIn(other) - common)
  }

  /** How many sequences two sentences of the same phrase have in common: those before what fills it otherwise, and those behind it. */
  #commonIn({ phrase, text, words }: Sentence, other: Sentence): number {
    if (text === other.text) return Math.max(0, words.length - 2)
    const length = Math.min(words.length, other.words.length)
    let before = 0
    while (before < length && words[before] === other.words[before]) before += 1
    let behind = 0
    while (behind < length - before && words.at(-1 - behind) === other.words.at(-1 - behind)) behind += 1
    if (before + behind >= length) return Math.max(0, length - 2)
    return Math.max(Math.max(0, before - 2) + Math.max(0, behind - 2), (this.#fixed[phrase.id] ??= fixedSequences(phrase.text)))
  }
}

function placeOf(caption: Caption, phrase: Phrase): number {
  for (let place = 0; place < caption.length; place += 1) if ((caption[place] as Sentence).phrase === phrase) return place
  return -1
}

function sequencesIn(caption: Caption): number {
  let count = -2
  for (const { words } of caption) count += words.length
  return count
}

/** How many three-word sequences of a phrase stay as they are, whatever fills it. */
function fixedSequences(text: string): number {
  let sequences = 0
  for (const part of text.split(/\{[^{}]*\}/)) sequences += Math.max(0, part.trim().split(' ').length - 2)
  return sequences
}
