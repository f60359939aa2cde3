import type { Random } from '../../engine/random.ts'
import type { Moment } from '../../world/moment.ts'
import type { Persona } from '../../world/persona.ts'
import { Speaker } from '../../world/phrases.ts'
import type { SeedTexts } from '../../world/seed-texts.ts'

/** A comment of a fan, as plain text, and what the creator may answer. */
export interface DrawnComment {
  text: string
  answer?: string
}

/** How often a comment is about the topic of the post, and how often it is an emoji alone. */
const chances = { topic: 0.62, emoji: 0.09 }

/** How many comments are remembered, so that none comes twice under a post, and how often another one is drawn. */
const remembered = 6
const mostDraws = 8

/** Writes comments under the posts of one creator: about their topics, in the languages of the fans. */
export class CommentWriter {
  readonly #random: Random
  readonly #texts: SeedTexts['comments']
  readonly #persona: Persona
  readonly #fans: Speaker
  readonly #creator: Speaker
  readonly #recent: unknown[] = []

  constructor(random: Random, { texts, persona }: { texts: Pick<SeedTexts, 'comments'>; persona: Persona }) {
    this.#random = random
    this.#texts = texts.comments
    this.#persona = persona
    this.#fans = new Speaker(random, { words: { ...persona.words, ...texts.comments.words } })
    this.#creator = new Speaker(random, persona)
  }

  /** Writes a comment on a post about that topic, in a language such as `de`, or in English. */
  write(topic: string, moment: Moment, language = 'en'): DrawnComment {
    const random = this.#random
    if (random.chance(chances.emoji)) return { text: this.#fans.say(this.#texts.emoji, moment) ?? '' }
    const foreign = this.#texts.languages[language]
    if (foreign !== undefined) return { text: this.#fans.say(foreign, moment) ?? '' }
    const own = this.#persona.comments[topic] ?? []
    if (own.length === 0 || !random.chance(chances.topic)) return { text: this.#fans.say(this.#texts.any, moment) ?? '' }
    const drawn = this.#drawFresh(own)
    const [says, answer] = typeof drawn === 'string' ? [drawn] : drawn
    return { text: this.#fans.say([says ?? ''], moment) ?? '', ...(answer === undefined ? {} : { answer }) }
  }

  /** Draws a comment that was not drawn lately, where there are others. */
  #drawFresh<Item>(items: readonly Item[]): Item {
    let drawn = this.#random.pick(items)
    for (let draw = 1; draw < mostDraws && this.#recent.includes(drawn); draw += 1) drawn = this.#random.pick(items)
    this.#recent.push(drawn)
    if (this.#recent.length > remembered) this.#recent.shift()
    return drawn
  }

  /** Writes an answer of the creator. */
  answer(phrase: string, moment: Moment): string {
    return this.#creator.say([phrase], moment) ?? ''
  }
}
