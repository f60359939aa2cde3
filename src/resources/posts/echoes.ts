import type { Phrase } from '../../world/phrases.ts'

/** A sentence of a caption: a phrase, and what it became. */
export interface Sentence {
  phrase: Phrase
  text: string
}

/** The sentences of a caption, in order. */
type Caption = readonly Sentence[]

/** How long a phrase is. */
interface Size {
  /** Its words. What stands for others counts as a word. */
  words: number
  /** How many of its three-word sequences stay as they are, whatever fills it. */
  fixed: number
}

/** Remembers captions by their sentences, and tells how much a new one would repeat one of them. */
export class Echoes {
  /** The captions with a phrase, and its size, by the id of the phrase. */
  readonly #captions: Caption[][] = []
  readonly #sizes: Size[] = []

  /** The largest share of three-word sequences that a caption has in common with one that was remembered, more or less. */
  shareOf(caption: Caption): number {
    let most = 0
    for (const { phrase } of caption)
      for (const earlier of this.#captions[phrase.id] ?? []) most = Math.max(most, this.#commonShare(caption, earlier))
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

  /** Of the sequences that one of two captions has, the share that both have. */
  #commonShare(one: Caption, other: Caption): number {
    let common = 0
    /** The place in the other caption of the sentence before, where it has the same words. */
    let before = -2
    for (const { phrase, text } of one) {
      const place = placeOf(other, phrase)
      const { words, fixed } = this.#sizeOf(phrase)
      const isSame = place >= 0 && other[place]?.text === text
      if (isSame) common += Math.max(0, words - 2) + (place === before + 1 ? 2 : 0)
      else if (place >= 0) common += fixed
      before = isSame ? place : -2
    }
    return common / Math.max(1, this.#sequencesIn(one) + this.#sequencesIn(other) - common)
  }

  #sequencesIn(caption: Caption): number {
    let words = 0
    for (const { phrase } of caption) words += this.#sizeOf(phrase).words
    return words - 2
  }

  #sizeOf({ id, text }: Phrase): Size {
    return (this.#sizes[id] ??= sizeOf(text))
  }
}

function placeOf(caption: Caption, phrase: Phrase): number {
  for (let place = 0; place < caption.length; place += 1) if (caption[place]?.phrase === phrase) return place
  return -1
}

function sizeOf(text: string): Size {
  let fixed = 0
  for (const part of text.split(/\{[^{}]*\}/)) fixed += Math.max(0, part.trim().split(' ').length - 2)
  return { words: text.split(' ').length, fixed }
}
