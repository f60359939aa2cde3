import type { Random } from '../../engine/random.ts'
import { toHtml } from '../../engine/text.ts'
import { momentOf } from '../../world/moment.ts'
import type { Moment } from '../../world/moment.ts'
import type { Persona } from '../../world/persona.ts'
import { Speaker } from '../../world/phrases.ts'

/** What a caption is written for. */
export interface CaptionRequest {
  /** When the post goes out, epoch ms. */
  at: number
  topic: string
  /** The types of its media, and whether it has a price. */
  media?: readonly string[]
  isPaid?: boolean
}

/** How often a caption is a single sentence, goes on, and has a last word; how often it stands in paragraphs, links and is bold. */
const chances = { brief: 0.22, turn: 0.98, aside: 0.35, close: 0.7, ending: 0.35, date: 0.8, lines: 0.15, link: 0.015, bold: 0.04 }

/** Writes the captions of one creator: what they said before comes back as late as possible. */
export class CaptionWriter {
  readonly #random: Random
  readonly #persona: Persona
  readonly #speaker: Speaker
  readonly #topics: readonly (readonly [string, number])[]
  /** The captions of one day of the year, by month and day. */
  readonly #dates: ReadonlyMap<number, readonly string[]>

  constructor(random: Random, persona: Persona) {
    this.#random = random
    this.#persona = persona
    this.#speaker = new Speaker(random, persona)
    this.#topics = Object.entries(persona.topics).map(([name, { weight }]) => [name, weight])
    this.#dates = new Map(
      Object.entries(persona.dates).map(([date, phrases]) => [dateKey(Number(date.slice(0, 2)), Number(date.slice(3))), phrases]),
    )
  }

  /** Draws what a post is about. */
  drawTopic(): string {
    return this.#random.weighted(this.#topics)
  }

  /** Writes a caption, as HTML. */
  write({ at, topic, media = [], isPaid = false }: CaptionRequest): string {
    const moment = momentOf(this.#persona, at, factsOf(media, isPaid))
    const text = this.#ofDate(moment) ?? this.#ofTopic(topic, moment)
    return this.#decorate(this.#sign(text))
  }

  /** Writes a part of a series, as HTML. */
  tell(phrase: string, at: number): string {
    const moment = momentOf(this.#persona, at)
    return this.#decorate(this.#speaker.say([phrase], moment) ?? '')
  }

  #ofDate(moment: Moment): string | undefined {
    if (this.#dates.size === 0) return undefined
    const { local } = moment
    const phrases = this.#dates.get(dateKey(local.getUTCMonth() + 1, local.getUTCDate()))
    return phrases !== undefined && this.#random.chance(chances.date) ? this.#speaker.sayNew(phrases, moment) : undefined
  }

  #ofTopic(topic: string, moment: Moment): string {
    const random = this.#random
    const { brief = [], scenes = [] } = this.#persona.captions[topic] ?? {}
    const short = random.chance(chances.brief) || scenes.length === 0 ? this.#speaker.sayNew(brief, moment) : undefined
    if (short !== undefined) return short
    const { asides, endings } = this.#persona
    const either = (own: readonly string[], common: readonly string[], share: number) =>
      common.length > 0 && (own.length === 0 || random.chance(share)) ? common : own
    const drawParts = () => {
      if (scenes.length === 0) return [brief]
      const { open, turn, close } = random.pick(scenes)
      const middle = random.chance(chances.turn) ? either(turn, asides, chances.aside) : []
      return [open, middle, middle.length === 0 || random.chance(chances.close) ? either(close, endings, chances.ending) : []]
    }
    return this.#speaker.compose(drawParts, moment, random.chance(chances.lines) ? '\n' : ' ') ?? `${this.#persona.trade}: ${topic}.`
  }

  #sign(text: string): string {
    const { emoji } = this.#persona
    return emoji !== undefined && this.#random.chance(emoji.share) ? `${text} ${this.#random.pick(emoji.signs)}` : text
  }

  #decorate(text: string): string {
    const html = toHtml(text)
    const { link } = this.#persona
    if (link !== undefined && this.#random.chance(chances.link))
      return html.replace('</p>', () => ` <a href="${link.address}">${toHtml(link.text).slice(3, -4)}</a></p>`)
    return this.#random.chance(chances.bold) ? html.replace(/<p>([^.!?<]{3,60})([.!?])/, '<p><strong>$1$2</strong>') : html
  }
}

/** Writes an edge case in place of a caption, as HTML: the captions of texts `edge` take turns by the index of the post. */
export function edgeCaption(captions: { readonly edge: readonly string[] }, index: number): string {
  return captions.edge[index % captions.edge.length] ?? ''
}

function dateKey(month: number, day: number): number {
  return month * 100 + day
}

/** What phrases can ask for of a post's media and price. */
function factsOf(media: readonly string[], isPaid: boolean): string[] {
  const facts = [isPaid ? 'paid' : 'free']
  if (media.length === 0) facts.push('text')
  let photos = 0
  for (const type of media) {
    facts.push(type)
    if (type === 'photo') photos += 1
  }
  if (photos > 1) facts.push('photos')
  return facts
}
