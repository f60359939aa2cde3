import type { Random } from '../../world/random.ts'
import { toHtml } from '../../lib/text.ts'
import { listMediaConditions } from '../../seed/phrase-context.ts'
import type { PhraseContext } from '../../seed/phrase-context.ts'
import type { Persona } from '../../seed/persona.ts'
import type { SeedTexts } from '../../seed/seed-texts.ts'
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
  /** True for the recording of a stream. */
  isStream?: boolean
}

/**
 * Probabilities that a post with media has no caption (empty), that a caption is a plain one that
 * fits any creator (plain), or a single sentence about the topic (brief). Other captions open a
 * scene. A caption may mention the date, and have line breaks, a link or bold text.
 */
const chances = {
  empty: 0.09,
  plain: 0.36,
  brief: 0.5,
  date: 0.8,
  lines: 0.15,
  link: 0.008,
  bold: 0.03,
}
/** The second sentence of a caption that opens a scene, with weights. */
const continuations = [
  ['turn', 38],
  ['close', 22],
  ['aside', 6],
  ['ending', 8],
  ['none', 26],
] as const
/** Maximum share of a caption that an earlier caption may contain. */
const maxCommonShare = 0.45
/** Maximum number of scenes to try. */
const maxScenes = 5
/** Maximum number of captions per creator to compare with earlier ones. */
const maxCompared = 1_000

/** The sentences of a scene: openings, middle sentences (turns), and closings. */
interface Scene {
  open: ShuffledDeck<Phrase>
  turn: ShuffledDeck<Phrase>
  close: ShuffledDeck<Phrase>
}

/** State of a caption that is being written. */
interface CaptionState {
  context: PhraseContext
  chosen: Map<string, string>
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
  readonly #texts: SeedTexts['captions']
  /** Writes captions that fit any creator. */
  readonly #plain: PhrasePicker
  readonly #asides: ShuffledDeck<Phrase>
  readonly #endings: ShuffledDeck<Phrase>
  readonly #history = new CaptionHistory()
  /** Number of captions that have been compared with earlier captions so far. */
  #compared = 0

  constructor(
    random: Random,
    { texts, persona }: { texts: Pick<SeedTexts, 'captions'>; persona: Persona },
  ) {
    this.#random = random
    this.#persona = persona
    this.#texts = texts.captions
    this.#speaker = new PhrasePicker(random, persona)
    this.#plain = new PhrasePicker(random, {
      words: texts.captions.words,
      lowerCase: persona.lowerCase,
    })
    this.#topics = Object.entries(persona.topics).map(([name, { weight }]) => [name, weight])
    this.#dates = new Map(
      Object.entries(persona.dates).map(([date, phrases]) => [
        dateKey(Number(date.slice(0, 2)), Number(date.slice(3))),
        phrases,
      ]),
    )
    this.#asides = this.#pack(persona.asides)
    this.#endings = this.#pack(persona.endings)
  }

  /**
   * Picks a random topic for a post. With a separate `random`, topics do not depend on the phrases.
   */
  drawTopic(random: Random = this.#random): string {
    return random.pickWeighted(this.#topics)
  }

  /** Writes a caption, as HTML. Empty for some posts with media. */
  write({
    context: when,
    topic,
    media = [],
    isPaid = false,
    isStream = false,
  }: CaptionRequest): string {
    const context = when.with(getPostConditions(media, isPaid))
    if (isStream) return this.#decorate(this.#writePlain(this.#texts.streams, topic, context) ?? '')
    if (media.length > 0 && !isPaid && this.#random.chance(chances.empty)) return ''
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
    const plain = random.chance(chances.plain)
      ? this.#writePlain(this.#texts.plain, topic, context)
      : undefined
    if (plain !== undefined) return plain
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

  /** Writes a caption that fits any creator. Each one is used once while there are others. */
  #writePlain(
    phrases: readonly string[],
    topic: string,
    context: PhraseContext,
  ): string | undefined {
    const about = this.#persona.topics[topic]?.called ?? topic
    return this.#plain.say(phrases, context, { chosen: new Map([['about', about]]) })
  }

  #getScenes(topic: string): readonly Scene[] {
    let scenes = this.#scenes.get(topic)
    if (scenes === undefined) {
      scenes = (this.#persona.captions[topic]?.scenes ?? []).map(({ open, turn, close }) => ({
        open: this.#pack(open),
        turn: this.#pack(turn),
        close: this.#pack(close),
      }))
      this.#scenes.set(topic, scenes)
    }
    return scenes
  }

  #pack(phrases: readonly string[]): ShuffledDeck<Phrase> {
    return new ShuffledDeck(this.#random, this.#speaker.parse(phrases))
  }

  /**
   * Writes the opening of a scene, and sometimes a second sentence. If it repeats too much of
   * earlier captions, tries another scene. Undefined if no scene matches the context.
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
      const { open, turn, close } = this.#random.pick(scenes)
      const state: CaptionState = { context, chosen: new Map() }
      const first = this.#deal(open, state)
      if (first === undefined) continue
      const sentences = [first]
      const decks = { turn, close, aside: this.#asides, ending: this.#endings, none: undefined }
      const next = decks[this.#random.pickWeighted(continuations)]
      const second = next === undefined ? undefined : this.#deal(next, state)
      if (second !== undefined) sentences.push(second)
      const share = isCompared ? this.#history.estimateOverlap(sentences) : 0
      if (share >= minShare) continue
      freshest = sentences
      minShare = share
    }
    if (freshest === undefined) return undefined
    if (isCompared) {
      this.#compared += 1
      this.#history.remember(freshest)
    }
    const mark = this.#random.chance(chances.lines) ? '\n' : ' '
    return freshest.map(({ text }) => text).join(mark)
  }

  /** Picks a random sentence that matches the context. */
  #deal(pack: ShuffledDeck<Phrase>, { context, chosen }: CaptionState): Sentence | undefined {
    const phrase = pack.deal((candidate) => matchesContext(candidate, context))
    return phrase === undefined
      ? undefined
      : new Sentence(phrase, this.#speaker.tell(phrase, context, chosen))
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
