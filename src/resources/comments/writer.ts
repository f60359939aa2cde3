import type { Random } from '../../world/random.ts'
import type { PhraseContext } from '../../seed/phrase-context.ts'
import type { Persona } from '../../seed/persona.ts'
import { matchesContext, PhrasePicker } from '../../seed/phrases.ts'
import type { SeedTexts } from '../../seed/seed-texts.ts'

/** The text of a fan's comment, and the creator's reply, if any. Plain text. */
export interface DrawnComment {
  text: string
  reply?: string
}

/** The post that a comment is about: its topic, and its caption as plain text. */
export interface CommentedPost {
  topic: string
  rawText: string
}

/** A comment from the persona's texts, with the creator's reply. */
interface PersonaComment {
  says: string
  answer: string | undefined
  /** A lower-case word that the caption must contain. */
  about: string | undefined
}

/**
 * Probabilities that a comment refers to the topic of the post, refers to a word in its caption, or
 * consists only of emoji, and that a comment without an answer of its own gets a short reply.
 */
const chances = { topic: 0.62, word: 0.5, emoji: 0.09, reply: 0.22 }

/** The text of a new comment must differ from this number of recent comments. */
const remembered = 24
/** Minimum length of a caption that fans read like a story. */
const longCaption = 70
/** Maximum number of attempts to avoid a repeated comment. */
const maxDraws = 8

/**
 * Writes comments on the posts of one creator, about their topics and captions, in the fans'
 * languages.
 */
export class CommentWriter {
  readonly #random: Random
  readonly #texts: SeedTexts['comments']
  /** Comments on long captions. */
  readonly #onLong: readonly string[]
  readonly #persona: Persona
  readonly #fans: PhrasePicker
  readonly #creator: PhrasePicker
  readonly #recent: unknown[] = []
  /** Remarks whose answer was written. Each answer is written once. */
  readonly #answered = new Set<PersonaComment>()
  readonly #remarks = new Map<string, readonly PersonaComment[]>()

  constructor(
    random: Random,
    { texts, persona }: { texts: Pick<SeedTexts, 'comments'>; persona: Persona },
  ) {
    this.#random = random
    this.#texts = texts.comments
    this.#onLong = [...texts.comments.any, ...texts.comments.told]
    this.#persona = persona
    this.#fans = new PhrasePicker(random, {
      words: { ...persona.words, ...texts.comments.words },
    })
    this.#creator = new PhrasePicker(random, persona)
  }

  /** Returns a function that writes different comments on a post, in a language such as `de`. */
  createPostCommentWriter({
    topic,
    rawText,
  }: CommentedPost): (context: PhraseContext, language?: string) => DrawnComment {
    const caption = rawText.toLowerCase()
    const fitting = this.#remarksOn(topic).filter(
      ({ about }) => about === undefined || caption.includes(about),
    )
    const pointed = fitting.filter(({ about }) => about !== undefined)
    const general = rawText.length < longCaption ? this.#texts.any : this.#onLong
    const said = new Set<string>()
    return (context, language = 'en') => {
      let comment = this.#write({ general, fitting, pointed }, context, language)
      for (let draw = 1; draw < maxDraws && said.has(comment.text); draw += 1)
        comment = this.#write({ general, fitting, pointed }, context, language)
      said.add(comment.text)
      return comment
    }
  }

  /** Writes the creator's reply to a comment. */
  writeReply(phrase: string, context: PhraseContext): string {
    return this.#creator.say([phrase], context) ?? ''
  }

  #write(
    {
      general,
      fitting,
      pointed,
    }: {
      general: readonly string[]
      fitting: readonly PersonaComment[]
      pointed: readonly PersonaComment[]
    },
    context: PhraseContext,
    language: string,
  ): DrawnComment {
    const random = this.#random
    if (random.chance(chances.emoji))
      return { text: this.#fans.say(this.#texts.emoji, context) ?? '' }
    const foreign = this.#texts.languages[language]
    if (foreign !== undefined) return { text: this.#fans.say(foreign, context) ?? '' }
    const remarks = pointed.length > 0 && random.chance(chances.word) ? pointed : fitting
    const remark =
      remarks.length > 0 && random.chance(chances.topic)
        ? this.#drawFresh(remarks, context)
        : undefined
    if (remark === undefined)
      return this.#withReply(this.#fans.say(general, context) ?? '', undefined)
    const { says, answer } = remark
    const text = this.#fans.say([says], context) ?? ''
    if (answer === undefined || this.#answered.has(remark)) return this.#withReply(text, undefined)
    this.#answered.add(remark)
    return this.#withReply(text, answer)
  }

  /** Adds the answer to a comment, or sometimes a short reply. A short reply answers no question. */
  #withReply(text: string, answer: string | undefined): DrawnComment {
    const reply =
      answer ??
      (!text.includes('?') && this.#random.chance(chances.reply)
        ? this.#random.pick(this.#texts.replies)
        : undefined)
    return reply === undefined ? { text } : { text, reply }
  }

  /**
   * Picks a random remark that fits the time, preferably a remark that was not used recently.
   * Undefined if no remark fits.
   */
  #drawFresh(
    remarks: readonly PersonaComment[],
    context: PhraseContext,
  ): PersonaComment | undefined {
    let drawn: PersonaComment | undefined
    for (let draw = 0; draw < maxDraws; draw += 1) {
      const remark = this.#random.pick(remarks)
      if (!this.#fans.parse([remark.says]).every((phrase) => matchesContext(phrase, context)))
        continue
      drawn = remark
      if (!this.#recent.includes(remark)) break
    }
    if (drawn === undefined) return undefined
    this.#recent.push(drawn)
    if (this.#recent.length > remembered) this.#recent.shift()
    return drawn
  }

  #remarksOn(topic: string): readonly PersonaComment[] {
    let remarks = this.#remarks.get(topic)
    if (remarks === undefined) {
      remarks = (this.#persona.comments[topic] ?? []).map(toRemark)
      this.#remarks.set(topic, remarks)
    }
    return remarks
  }
}

function toRemark(comment: Persona['comments'][string][number]): PersonaComment {
  if (typeof comment === 'string') return { says: comment, answer: undefined, about: undefined }
  if (Array.isArray(comment))
    return { says: comment[0] ?? '', answer: comment[1], about: undefined }
  return { says: comment.says, answer: comment.answer, about: comment.about.toLowerCase() }
}
