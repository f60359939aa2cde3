import type { Random } from '../../world/random.ts'
import { toHtml } from '../../lib/text.ts'
import { listMediaConditions } from '../../seed/phrase-context.ts'
import type { PhraseContext } from '../../seed/phrase-context.ts'
import type { Persona } from '../../seed/persona.ts'
import { ShuffledDeck } from '../../seed/shuffled-deck.ts'
import { matchesContext, parsePhrase, PhrasePicker } from '../../seed/phrases.ts'
import type { Phrase } from '../../seed/phrases.ts'
import { CaptionHistory, Sentence } from './caption-history.ts'

/** Description of the post that needs a caption. */
export interface CaptionRequest {
  /** Publication time. */
  context: PhraseContext
  topic: string
  /** Types of the post's media. */
  media?: readonly string[]
  isPaid?: boolean
}

/**
 * Probabilities that a caption has a single sentence, an aside, a mention of the date, line breaks
 * between sentences, a link, and bold text.
 */
const chances = { brief: 0.38, aside: 0.35, date: 0.8, lines: 0.15, link: 0.008, bold: 0.04 }
/** At most this fraction of a caption may occur in an earlier caption. */
const maxCommonShare = 0.45
const maxScenes = 5
const maxMiddles = 4
/** Maximum number of captions per creator that are compared with earlier captions. */
const maxCompared = 1_000
/**
 * Weights that make it less likely that a caption ends with a middle sentence instead of a closing.
 */
const rarenesses = { turn: 1.25, aside: 1.5 }

/** The sentences of a scene: openings, middle sentences (turns), and closings. */
interface Scene {
  open: ShuffledDeck<Phrase>
  turn: ShuffledDeck<Phrase>
  close: ShuffledDeck<Phrase>
  /** A second deck of the `turn` sentences, for captions that end with a middle sentence. */
  lastTurn: ShuffledDeck<Phrase>
}

/** State of a caption that is being written. */
interface CaptionState {
  context: PhraseContext
  chosen: Map<string, string>
  last: Phrase | undefined
}

/** Writes the captions of one creator, and repeats as few sentences as possible. */
export class CaptionWriter {
  readonly #random: Random
  readonly #persona: Persona
  readonly #speaker: PhrasePicker
  readonly #topics: readonly (readonly [string, number])[]
  /** Captions about special dates, by month and day. */
  readonly #dates: ReadonlyMap<number, readonly string[]>
  readonly #scenes = new Map<string, readonly Scene[]>()
  /** Captions for audio and for GIFs, by topic. */
  readonly #ofKinds = new Map<string, readonly string[]>()
  readonly #asides: ShuffledDeck<Phrase>
  readonly #lastAsides: ShuffledDeck<Phrase>
  readonly #endings: ShuffledDeck<Phrase>
  readonly #history = new CaptionHistory()
  /** Number of captions that have been compared with earlier captions so far. */
  #compared = 0

  constructor(random: Random, persona: Persona) {
    this.#random = random
    this.#persona = persona
    this.#speaker = new PhrasePicker(random, persona)
    this.#topics = Object.entries(persona.topics).map(([name, { weight }]) => [name, weight])
    this.#dates = new Map(
      Object.entries(persona.dates).map(([date, phrases]) => [
        dateKey(Number(date.slice(0, 2)), Number(date.slice(3))),
        phrases,
      ]),
    )
    this.#asides = this.#pack(persona.asides)
    this.#lastAsides = this.#pack(persona.asides)
    this.#endings = this.#pack(persona.endings)
  }

  /**
   * Picks a random topic for a post. With a separate `random`, topics do not depend on the phrases.
   */
  drawTopic(random: Random = this.#random): string {
    return random.pickWeighted(this.#topics)
  }

  /** Writes a caption, as HTML. */
  write({ context: when, topic, media = [], isPaid = false }: CaptionRequest): string {
    const context = when.with(getPostConditions(media, isPaid))
    const text =
      this.#writeMediaCaption(topic, media, context) ?? this.#writeTopicCaption(topic, context)
    return this.#decorate(this.#sign(text))
  }

  /** Writes a caption about the date, as HTML. Undefined on most days. */
  writeOfDate(context: PhraseContext): string | undefined {
    const text = this.#writeDateCaption(context)
    return text === undefined ? undefined : this.#decorate(this.#sign(text))
  }

  /** Writes a caption that is part of a series, as HTML. */
  writeSeriesCaption(phrase: string, context: PhraseContext): string {
    return this.#decorate(this.#speaker.say([phrase], context) ?? '')
  }

  #writeDateCaption(context: PhraseContext): string | undefined {
    if (this.#dates.size === 0) return undefined
    const { local } = context
    const phrases = this.#dates.get(dateKey(local.getUTCMonth() + 1, local.getUTCDate()))
    return phrases !== undefined && this.#random.chance(chances.date)
      ? this.#speaker.sayNew(phrases, context.with(getPostConditions([], false)))
      : undefined
  }

  /** Writes a caption for audio or a GIF. Undefined for photos and videos. */
  #writeMediaCaption(
    topic: string,
    media: readonly string[],
    context: PhraseContext,
  ): string | undefined {
    const kind = media.find((type) => type === 'audio' || type === 'gif')
    if (kind === undefined || media.some((type) => type === 'photo' || type === 'video'))
      return undefined
    const key = `${kind} ${topic}`
    let phrases = this.#ofKinds.get(key)
    if (phrases === undefined) {
      phrases = (this.#persona.captions[topic]?.brief ?? []).filter((phrase) =>
        parsePhrase(phrase).conditions.includes(kind),
      )
      this.#ofKinds.set(key, phrases)
    }
    return this.#speaker.sayNew(phrases, context) ?? this.#speaker.say(phrases, context)
  }

  #writeTopicCaption(topic: string, context: PhraseContext): string {
    const random = this.#random
    const { brief = [] } = this.#persona.captions[topic] ?? {}
    const scenes = this.#getScenes(topic)
    const short =
      random.chance(chances.brief) || scenes.length === 0
        ? this.#speaker.sayNew(brief, context)
        : undefined
    if (short !== undefined) return short
    return (
      this.#play(scenes, context) ??
      this.#speaker.say(brief, context) ??
      `${this.#persona.trade}: ${topic}.`
    )
  }

  #getScenes(topic: string): readonly Scene[] {
    let scenes = this.#scenes.get(topic)
    if (scenes === undefined) {
      scenes = (this.#persona.captions[topic]?.scenes ?? []).map(({ open, turn, close }) => ({
        open: this.#pack(open),
        turn: this.#pack(turn),
        close: this.#pack(close),
        lastTurn: this.#pack(turn),
      }))
      this.#scenes.set(topic, scenes)
    }
    return scenes
  }

  #pack(phrases: readonly string[]): ShuffledDeck<Phrase> {
    return new ShuffledDeck(this.#random, this.#speaker.parse(phrases))
  }

  /**
   * Writes a scene: an opening, a turn and a closing. If it repeats too much of earlier captions,
   * tries another middle, then a longer middle, then another scene. Undefined if no scene matches
   * the context.
   */
  #play(scenes: readonly Scene[], context: PhraseContext): string | undefined {
    let freshest: Sentence[] | undefined
    let minShare = Infinity
    const isCompared = this.#compared < maxCompared
    for (
      let draw = 0;
      draw < maxScenes && minShare > maxCommonShare && scenes.length > 0;
      draw += 1
    ) {
      const { open, turn, close, lastTurn } = this.#random.pick(scenes)
      const state: CaptionState = { context, chosen: new Map(), last: undefined }
      const first = this.#deal(open, state)
      if (first === undefined) continue
      const ending = this.#getLeastUsed(close, lastTurn)
      const last = this.#deal(ending, state)
      state.last = last?.phrase
      for (let middle = 0; middle < maxMiddles && minShare > maxCommonShare; middle += 1) {
        const isLong = middle >= maxMiddles / 2
        const isAside = this.#random.chance(chances.aside)
        const sentences = [first]
        if (isLong || (!isAside && ending !== lastTurn)) this.#add(sentences, turn, state)
        if (isLong || (isAside && ending !== lastTurn && ending !== this.#lastAsides))
          this.#add(sentences, this.#asides, state)
        if (last !== undefined) sentences.push(last)
        const share = isCompared ? this.#history.estimateOverlap(sentences) : 0
        if (share >= minShare) continue
        freshest = sentences
        minShare = share
      }
      if (minShare > maxCommonShare && last !== undefined) ending.putBack()
    }
    if (freshest === undefined) return undefined
    if (isCompared) {
      this.#compared += 1
      this.#history.remember(freshest)
    }
    const mark = this.#random.chance(chances.lines) ? '\n' : ' '
    let caption = ''
    for (const { text } of freshest) caption += caption === '' ? text : mark + text
    return caption
  }

  #add(sentences: Sentence[], pack: ShuffledDeck<Phrase>, state: CaptionState): void {
    const sentence = this.#deal(pack, state)
    if (sentence !== undefined) sentences.push(sentence)
  }

  /**
   * Picks a random sentence that matches the context and differs from the previous sentence of the
   * caption.
   */
  #deal(pack: ShuffledDeck<Phrase>, { context, chosen, last }: CaptionState): Sentence | undefined {
    const phrase = pack.deal(
      (candidate) => candidate !== last && matchesContext(candidate, context),
    )
    return phrase === undefined
      ? undefined
      : new Sentence(phrase, this.#speaker.tell(phrase, context, chosen))
  }

  /** Returns the least used deck of closing sentences. */
  #getLeastUsed(close: ShuffledDeck<Phrase>, lastTurn: ShuffledDeck<Phrase>): ShuffledDeck<Phrase> {
    const own = this.#countRounds(close)
    const common = this.#countRounds(this.#endings)
    const turn = this.#countRounds(lastTurn) * rarenesses.turn
    const aside = this.#countRounds(this.#lastAsides) * rarenesses.aside
    const fewest = Math.min(own, common, turn, aside)
    if (fewest === own) return close
    if (fewest === common) return this.#endings
    return fewest === turn ? lastTurn : this.#lastAsides
  }

  #countRounds(pack: ShuffledDeck<Phrase>): number {
    return pack.rounds + this.#random.next()
  }

  #sign(text: string): string {
    const { emoji } = this.#persona
    return emoji !== undefined && this.#random.chance(emoji.share)
      ? `${text} ${this.#random.pick(emoji.signs)}`
      : text
  }

  #decorate(text: string): string {
    const html = toHtml(text)
    const { link } = this.#persona
    if (link !== undefined && this.#random.chance(chances.link))
      return html.replace(
        '</p>',
        () => ` <a href="${link.address}">${toHtml(link.text).slice(3, -4)}</a></p>`,
      )
    return this.#random.chance(chances.bold)
      ? html.replace(/<p>([^.!?<]{3,60})([.!?])/, '<p><strong>$1$2</strong>')
      : html
  }
}

function dateKey(month: number, day: number): number {
  return month * 100 + day
}

/** Returns the phrase conditions that a post's media and price meet. */
function getPostConditions(media: readonly string[], isPaid: boolean): string[] {
  return [isPaid ? 'paid' : 'free', ...listMediaConditions(media)]
}
