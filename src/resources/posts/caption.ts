import { toHtml } from '../../lib/text.ts'
import type { Persona } from '../../seed/persona.ts'
import type { SeedTexts } from '../../seed/seed-texts.ts'
import type { TextPicker } from '../../seed/text-picker.ts'
import type { Random } from '../../world/random.ts'

/** Description of the post that needs a caption. */
export interface CaptionRequest {
  /** The creator's local date at the time of publication. */
  local: Date
  topic: string
  /** Types of the post's media. */
  media?: readonly string[]
  isPaid?: boolean
  /** True for the recording of a stream. */
  isStream?: boolean
}

/** A caption, as HTML. A plain caption does not mention the topic of the post. */
export interface Caption {
  text: string
  isPlain: boolean
}

/**
 * Probabilities that a post with media has no caption (empty), that a caption fits any topic
 * (plain), and that a part of it is bold.
 */
const chances = { empty: 0.05, plain: 0.28, bold: 0.03 }

/** Writes the captions of one creator, and repeats as few as possible. */
export class CaptionWriter {
  readonly #random: Random
  readonly #picker: TextPicker
  readonly #persona: Persona
  readonly #texts: SeedTexts['captions']
  readonly #topics: readonly (readonly [string, number])[]
  /** Captions that fit any topic: of posts with media, and of posts without. */
  readonly #plain: Record<'withMedia' | 'withoutMedia', Persona['captions']>

  constructor(
    random: Random,
    {
      texts,
      persona,
      picker,
    }: { texts: Pick<SeedTexts, 'captions'>; persona: Persona; picker: TextPicker },
  ) {
    this.#random = random
    this.#picker = picker
    this.#persona = persona
    this.#texts = texts.captions
    this.#topics = Object.entries(persona.topics).map(([name, { weight }]) => [name, weight])
    const { captions: withoutMedia } = persona
    this.#plain = { withoutMedia, withMedia: [...withoutMedia, ...texts.captions.plain] }
  }

  /** Picks a random topic for a post. With a separate `random`, topics do not depend on the texts. */
  drawTopic(random: Random = this.#random): string {
    return random.pickWeighted(this.#topics)
  }

  /** Writes a caption. Empty for some posts with media. */
  write({ local, topic, media = [], isPaid = false, isStream = false }: CaptionRequest): Caption {
    const random = this.#random
    if (media.length > 0 && !isPaid && !isStream && random.chance(chances.empty))
      return { text: '', isPlain: true }
    const plain = isStream
      ? this.#texts.streams
      : this.#plain[media.length > 0 ? 'withMedia' : 'withoutMedia']
    const own = isStream ? [] : (this.#persona.topics[topic]?.captions ?? [])
    const isPlainFirst = isStream || random.chance(chances.plain)
    const lists = isPlainFirst ? [plain, own] : [own, plain]
    for (const isNew of [true, false])
      for (const list of lists) {
        const text = this.#picker.pick(list, { local }, { isNew })
        if (text !== undefined) return { text: this.#decorate(text), isPlain: list === plain }
      }
    return { text: this.#decorate(`${this.#persona.trade}: ${topic}.`), isPlain: false }
  }

  /** Adds the creator's spelling and emoji, and sometimes bold text. Returns HTML. */
  #decorate(text: string): string {
    const { emoji, lowerCase } = this.#persona
    const hasSign = emoji !== undefined && this.#random.chance(emoji.share)
    const signed = hasSign ? `${text} ${this.#random.pick(emoji.signs)}` : text
    const html = toHtml(lowerCase && !text.includes('://') ? signed.toLowerCase() : signed)
    return this.#random.chance(chances.bold)
      ? html.replace(/<p>([^.!?<]{3,60})([.!?])/, '<p><strong>$1$2</strong>')
      : html
  }
}
