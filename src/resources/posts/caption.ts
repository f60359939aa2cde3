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

/** A caption, as HTML. A plain caption does not mention the topic of the post. */
export interface Caption {
  text: string
  isPlain: boolean
}

/**
 * Probabilities that a post with media has no caption (empty), that a caption is a plain one that
 * fits any creator (plain), or a single sentence about the topic (brief). Other captions open a
 * scene. A caption may mention the date, and have line breaks, a link or bold text.
 */
const chances = {
  empty: 0.05,
  plain: 0.28,
  brief: 0.55,
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
/**
 * Maximum number of captions per creator that use only new phrases, if possible, and maximum number
 * of captions to compare with earlier ones.
 */
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
  /** True if the caption consists of sentences that were not used before. */
  isNew: boolean
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
  /** Number of captions about topics or plain captions so far. */
  #written = 0
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

  /** Writes a caption. Empty for some posts with media. */
  write({
    context: when,
    topic,
    media = [],
    isPaid = false,
    isStream = false,
  }: CaptionRequest): Caption {
    const context = when.with(getPostConditions(media, isPaid))
    if (isStream) {
      const text = this.#plain.say(this.#texts.streams, context) ?? ''
      return { text: this.#decorate(text), isPlain: true }
    }
    if (media.length > 0 && !isPaid && this.#random.chance(chances.empty))
      return { text: '', isPlain: true }
    const ofMedia = this.#writeMediaCaption(topic, media, context)
    const { text, isPlain } =
      ofMedia === undefined
        ? this.#writePhotoCaption(topic, context)
        : { text: ofMedia, isPlain: false }
    return { text: this.#decorate(this.#sign(text)), isPlain }
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

  /**
   * Writes a plain caption or a caption about the topic. Repeats a phrase only if all others were
   * used.
   */
  #writePhotoCaption(topic: string, context: PhraseContext): Caption {
    const { plain } = this.#texts
    const own = this.#persona.captions[topic]
    const prefersPlain = this.#random.chance(chances.plain)
    this.#written += 1
    if (own !== undefined && this.#written <= maxCompared)
      for (const isPlain of [prefersPlain, !prefersPlain]) {
        const text = isPlain
          ? this.#plain.sayNew(plain, context)
          : this.#writeNewTopicCaption(topic, context)
        if (text !== undefined) return { text, isPlain }
      }
    const known = prefersPlain ? this.#plain.say(plain, context) : undefined
    if (known !== undefined) return { text: known, isPlain: true }
    const text =
      this.#play(this.#getScenes(topic), context, { isNew: false }) ??
      this.#speaker.say(own?.brief ?? [], context) ??
      `${this.#persona.trade}: ${topic}.`
    return { text, isPlain: false }
  }

  #writeNewTopicCaption(topic: string, context: PhraseContext): string | undefined {
    const { brief = [] } = this.#persona.captions[topic] ?? {}
    const prefersBrief = this.#random.chance(chances.brief)
    return (
      (prefersBrief ? this.#speaker.sayNew(brief, context) : undefined) ??
      this.#play(this.#getScenes(topic), context, { isNew: true }) ??
      (prefersBrief ? undefined : this.#speaker.sayNew(brief, context))
    )
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
   * earlier captions, tries another scene. Undefined if no scene matches the context. With `isNew`,
   * uses only sentences that were not used before.
   */
  #play(
    scenes: readonly Scene[],
    context: PhraseContext,
    { isNew }: { isNew: boolean },
  ): string | undefined {
    let freshest: Sentence[] | undefined
    let minShare = Infinity
    const isCompared = this.#compared < maxCompared
    for (
      let draw = 0;
      draw < maxScenes && minShare > maxCommonShare && scenes.length > 0;
      draw += 1
    ) {
      const { open, turn, close } = this.#random.pick(scenes)
      const state: CaptionState = { context, chosen: new Map(), isNew }
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
  #deal(
    pack: ShuffledDeck<Phrase>,
    { context, chosen, isNew }: CaptionState,
  ): Sentence | undefined {
    const phrase = pack.deal(
      (candidate) => (!isNew || candidate.uses === 0) && matchesContext(candidate, context),
    )
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
        () => `<br /><a href="${link.address}">${toHtml(link.text).slice(3, -4)}</a></p>`,
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
