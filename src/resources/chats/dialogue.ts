import type { Random } from '../../world/random.ts'
import type { Moment } from '../../seed/moment.ts'
import type { Line as PersonaLine, Persona } from '../../seed/persona.ts'
import { fits, saidBefore, Speaker } from '../../seed/phrases.ts'
import type { ScriptLine, SeedTexts } from '../../seed/seed-texts.ts'

/** A line of a chat, as plain text. */
export interface Line {
  text: string
  isFromFan: boolean
  /** True if the line offers media for sale. */
  isOffer?: true
  /** True if the creator has used the same text before, with any fan. */
  isRepeated?: true
}

/**
 * A scene of a chat: its lines up to an offer, and the lines for each outcome of that offer.
 * Without an offer, all its lines.
 */
export interface Scene {
  lines: readonly Line[]
  /** Lines after the fan bought the offer. */
  bought?: readonly Line[]
  /** Lines after the fan declined the offer. */
  declined?: readonly Line[]
}

/** Kinds of scenes whose scripts come from the texts. */
const scripted = {
  welcome: 'welcomes',
  talk: 'talks',
  quarrel: 'quarrels',
  return: 'returns',
  birthday: 'birthdays',
  silence: 'silences',
  checkin: 'checkins',
  reaction: 'reactions',
  memory: 'memories',
} as const

/** Kinds of scenes. */
export type SceneKind = keyof typeof scripted | 'sale'

/** A dialogue about something for sale. */
type Sale = Persona['chat']['sales'][number] | SeedTexts['dialogues']['offers'][number]

/** Reasons for a creator to say thank you. */
export type ThanksKind = keyof SeedTexts['dialogues']['thanks']

/**
 * Values of placeholders such as `petname` or `bought`: facts about the fan, and words drawn so
 * far.
 * @note Shared by all scenes of a chat, because a copy per scene would cost more than the scene
 * itself.
 */
type Values = Map<string, string>

/** The fan of a scene: their language, the scripts that they have seen, and the known facts. */
export interface Listener {
  /** @default 'en' */
  language?: string
  /** @default none */
  seen?: Set<unknown>
  /**
   * Placeholder values. The scene adds the words that it draws.
   * @default none
   */
  values?: Map<string, string>
}

/**
 * Probabilities: a creator talks about their trade, an offer is specific to the persona, a fan
 * writes in their own language, a buyer asks for a refund, a fan explains why they do not buy.
 */
const chances = { trade: 0.14, ownSale: 0.3, ownLanguage: 0.8, refund: 0.02, decline: 0.55 }

/** Placeholders without a default. Phrases with an unknown placeholder are skipped. */
const conditional = ['name', 'bought', 'post', 'quote', 'what', 'about'] as const
/** Maximum draws to find an offer that fits the media. */
const maxOffers = 20
/** Maximum redraws of a line that was used before. */
const redraws = 4

/** A list of phrases, indexed by their placeholders. */
interface NamedList {
  /** Bit set of the conditional placeholders in the phrases. */
  named: number
  /** The usable phrases, by the bit set of missing values. */
  possible: Map<number, readonly string[]>
}

/**
 * Writes the dialogues of one creator with fans, from the shared scripts and those of the persona.
 */
export class DialogueWriter {
  readonly #random: Random
  readonly #texts: SeedTexts['dialogues']
  readonly #persona: Persona
  readonly #fans: Speaker
  readonly #creator: Speaker
  /** All lines so far. */
  readonly #said = new Set<string>()
  /** Cache of the placeholder index of each list of phrases. */
  readonly #named = new Map<readonly string[], NamedList>()

  constructor(
    random: Random,
    { texts, persona }: { texts: Pick<SeedTexts, 'dialogues'>; persona: Persona },
  ) {
    this.#random = random
    this.#texts = texts.dialogues
    this.#persona = persona
    const { words, facts, jobs } = texts.dialogues
    const job = (field: keyof (typeof jobs)[number]) => jobs.map((each) => each[field])
    // Fallback words for fans without known facts.
    const all = {
      name: ['you'],
      job: job('job'),
      at: job('at'),
      shift: job('shift'),
      boss: job('boss'),
      ...facts,
      ...persona.words,
      ...words,
      ...persona.chat.words,
    }
    this.#fans = new Speaker(random, { words: all })
    this.#creator = new Speaker(random, { words: all, lowerCase: persona.lowerCase })
  }

  /** Writes the fan's first line. */
  open(moment: Moment): string {
    const { lines } = this.scene('talk', moment)
    return lines[0]?.text ?? ''
  }

  /** Writes a scene. */
  scene(kind: SceneKind, moment: Moment, listener: Listener = {}): Scene {
    const { language = 'en', seen = new Set<unknown>(), values = new Map() } = listener
    const own = this.#texts.languages[language]
    if (own !== undefined && (kind === 'welcome' || kind === 'talk')) {
      // The first script is a welcome and comes only once.
      const isOwn = this.#random.chance(chances.ownLanguage)
      const turns = !isOwn
        ? undefined
        : kind === 'welcome'
          ? own[0]
          : this.#fresh(own.slice(1), seen)
      if (turns !== undefined) return this.#turns(turns, moment, values)
    }
    if (kind === 'sale') return this.#sale(moment, { seen, values })
    const isTrade = kind === 'talk' && this.#random.chance(chances.trade)
    const talk = isTrade ? this.#fresh(this.#persona.chat.talks, seen) : undefined
    return talk === undefined
      ? this.#script(this.#texts[scripted[kind]], moment, { seen, values })
      : this.#turns(talk, moment, values)
  }

  /** Writes one part of a story from a fan's life. `values` keeps its words for the later parts. */
  part(script: readonly ScriptLine[], moment: Moment, values: Values): Scene {
    return { lines: this.#tell(script, moment, values) }
  }

  /** Writes the fan's message that comes with a tip. */
  tip(kind: 'small' | 'large', moment: Moment, values: Values): Line {
    return this.#line(true, this.#texts.tips[kind], moment, values) ?? silent
  }

  /** Writes the creator's thanks. */
  thanks(kind: ThanksKind, moment: Moment, values: Values): Line {
    return this.#line(false, this.#texts.thanks[kind], moment, values) ?? silent
  }

  /** Writes the creator's excuse for a late answer; undefined if no phrase fits. */
  excuse(moment: Moment): string | undefined {
    return this.#creator.say(this.#cue('late'), moment)
  }

  /** Draws an item that the fan has not seen; undefined if they have seen all. */
  #fresh<Item>(items: readonly Item[], seen: Set<unknown>): Item | undefined {
    const fresh = items.filter((item) => !seen.has(item))
    if (fresh.length === 0) return undefined
    const drawn = this.#random.pick(fresh)
    seen.add(drawn)
    return drawn
  }

  /** Writes a sale with an offer of the persona that fits the media, or a shared offer. */
  #sale(moment: Moment, { seen, values }: { seen: Set<unknown>; values: Values }): Scene {
    const isOwn = this.#random.chance(chances.ownSale)
    const own = isOwn ? this.#fresh(this.#persona.chat.sales, seen) : undefined
    let sale: Sale = own ?? this.#random.pick(this.#texts.offers)
    for (let draw = 0; !this.#isPossible(toPhrases(sale.offer), moment, values); draw += 1) {
      if (draw === maxOffers) return { lines: [] }
      sale = this.#random.pick(this.#texts.offers)
    }
    const say = (isFromFan: boolean, line: PersonaLine | readonly string[] | undefined) => {
      const said =
        line === undefined ? undefined : this.#line(isFromFan, toPhrases(line), moment, values)
      return said === undefined ? [] : [said]
    }
    const { refunds, declines, declined } = this.#texts
    const offer = say(false, sale.offer).map((line): Line => ({ ...line, isOffer: true }))
    return {
      lines: [...say(true, sale.ask), ...offer],
      bought: this.#random.chance(chances.refund)
        ? this.#script(refunds, moment, { seen: new Set(), values }).lines
        : [...say(true, sale.thanks), ...say(false, sale.reply)],
      declined: this.#random.chance(chances.decline)
        ? [...say(true, declines), ...say(false, declined)]
        : [],
    }
  }

  #isPossible(phrases: readonly string[], moment: Moment, values: Values): boolean {
    return this.#fans.parse(this.#without(phrases, values)).some((phrase) => fits(phrase, moment))
  }

  #script(
    scripts: readonly (readonly ScriptLine[])[],
    moment: Moment,
    { seen, values }: { seen: Set<unknown>; values: Values },
  ): Scene {
    // Skip scripts whose first line does not fit the moment. Repeat a script that the fan has seen
    // only if there is no other, and never with the same first line.
    for (let draw = 0; draw < 12; draw += 1) {
      const script = this.#random.pick(scripts)
      if (draw < 8 && seen.has(script)) continue
      values.delete(saidBefore)
      const lines = this.#tell(script, moment, values)
      const [first] = lines
      if (first === undefined || seen.has(first.text)) continue
      seen.add(script)
      seen.add(first.text)
      return { lines }
    }
    return { lines: [] }
  }

  #tell(script: readonly ScriptLine[], moment: Moment, values: Values): Line[] {
    const lines: Line[] = []
    for (const line of script) {
      const isFromFan = 'fan' in line
      const phrases = 'fan' in line ? line.fan : 'cue' in line ? this.#cue(line.cue) : line.creator
      const said = this.#line(isFromFan, phrases, moment, values)
      if (said === undefined) return lines
      lines.push(said)
    }
    return lines
  }

  /** Writes a dialogue in alternating lines. The fan starts. */
  #turns(
    turns: readonly PersonaLine[] | readonly (readonly string[])[],
    moment: Moment,
    values: Values,
  ): Scene {
    const lines: Line[] = []
    for (const [index, turn] of turns.entries()) {
      const said = this.#line(index % 2 === 0, toPhrases(turn), moment, values)
      if (said !== undefined) lines.push(said)
    }
    return { lines }
  }

  /** Writes a line, if possible one that was not used before; undefined if no phrase fits. */
  #line(
    isFromFan: boolean,
    phrases: readonly string[],
    moment: Moment,
    values: Values,
  ): Line | undefined {
    const speaker = isFromFan ? this.#fans : this.#creator
    const possible = this.#without(phrases, values)
    let text = speaker.say(possible, moment, values)
    for (let draw = 0; draw < redraws && text !== undefined && this.#said.has(text); draw += 1)
      text = speaker.say(possible, moment, values)
    if (text === undefined) return undefined
    const isRepeated = this.#said.has(text)
    this.#said.add(text)
    values.set(saidBefore, `${values.get(saidBefore) ?? ''} ${text.toLowerCase()}`)
    const said = isFromFan ? text : toCreator(text, values)
    return isRepeated ? { text: said, isFromFan, isRepeated } : { text: said, isFromFan }
  }

  /** Returns the phrases whose placeholders all have values. */
  #without(phrases: readonly string[], values: Values): readonly string[] {
    const { length } = phrases
    const list = this.#named.get(phrases) ?? { named: namedIn(phrases), possible: new Map() }
    // A list with a single phrase is usually created for one call, so caching it is useless.
    if (length > 1) this.#named.set(phrases, list)
    let missing = list.named
    for (let place = 0; missing >> place !== 0; place += 1)
      if (values.has(conditional[place] ?? '')) missing &= ~(1 << place)
    if (missing === 0) return phrases
    const known = list.possible.get(missing)
    if (known !== undefined) return known
    const possible = phrases.filter((phrase) => (namedIn([phrase]) & missing) === 0)
    list.possible.set(missing, possible)
    return possible
  }

  #cue(name: string): readonly string[] {
    return this.#persona.chat.cues[name] ?? this.#texts.cues[name] ?? []
  }
}

/** Returns the bit set of the conditional placeholders in the phrases. */
function namedIn(phrases: readonly string[]): number {
  const text = phrases.join('\n').toLowerCase()
  let bits = 0
  for (const [place, name] of conditional.entries())
    if (text.includes(`{${name}}`)) bits |= 1 << place
  return bits
}

const silent: Line = { text: '', isFromFan: true }

/** Facts that a fan introduces with `my`. */
const owned = ['partner', 'boss'] as const

/** Turns the fan's `my sister` into the creator's `your sister`. */
function toCreator(text: string, values: Values): string {
  let said = text
  for (const name of owned) {
    const fact = values.get(name)
    if (fact?.startsWith('my ') !== true) continue
    const rest = fact.slice('my'.length)
    if (said.includes(rest))
      said = said.replaceAll(fact, `your${rest}`).replaceAll(`My${rest}`, `Your${rest}`)
  }
  return said
}

function toPhrases(line: string | readonly string[]): readonly string[] {
  return typeof line === 'string' ? [line] : line
}
