import type { Random } from '../../world/random.ts'
import type { Moment } from '../../seed/moment.ts'
import type { Persona } from '../../seed/persona.ts'
import { saidBefore, Speaker } from '../../seed/phrases.ts'
import type { ScriptLine, SeedTexts } from '../../seed/seed-texts.ts'

/** A line of a chat, as plain text. */
export interface Line {
  text: string
  isFromFan: boolean
  /** True if the line offers media for sale. */
  isOffer: boolean
  /** True if the same was said before, to this fan or another one. */
  isRepeated: boolean
  /** True if the fan names their pet. */
  namesPet: boolean
}

/**
 * A scene of a chat: the lines up to an offer, or to its end; after an offer, those of each
 * outcome.
 */
export interface Scene {
  lines: readonly Line[]
  /** Lines that follow if the fan buys what the last line offers. */
  bought?: readonly Line[]
  /** Lines that follow if they do not. */
  declined?: readonly Line[]
}

/** The kinds of scenes that are a script of the texts. */
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

/** The subject of a scene. */
export type SceneKind = keyof typeof scripted | 'sale'

/** One phrase, or several to draw from. */
type Phrases = string | readonly string[]

/** A dialogue about something for sale. */
type Sale = Persona['chat']['sales'][number] | SeedTexts['dialogues']['offers'][number]

/** Things for which a creator says thank you. */
export type ThanksKind = keyof SeedTexts['dialogues']['thanks']

/**
 * Values that phrases name, such as `petname` or `bought`: facts, and the words that a scene has
 * drawn so far.
 */
type Values = Map<string, string>

/** The fan of a scene: their language, the scenes they saw before, and known facts. */
export interface Listener {
  /** @default 'en' */
  language?: string
  /** @default none */
  seen?: Set<unknown>
  /** The scene adds the words that it draws. @default none */
  values?: Map<string, string>
}

/**
 * Probabilities that creators talk about their trade or sell what only they do, that fans write
 * their own language, that a buyer wants the money back, that a fan says why not to buy.
 */
const chances = { trade: 0.14, ownSale: 0.3, ownLanguage: 0.8, refund: 0.02, decline: 0.55 }

/** The name under which values note that the fan has named their pet. */
export const petIsNamed = ' pet'

/**
 * Values without a default: a phrase that names one is left out while it is unknown. Creators know
 * of a pet once the fan has named it.
 */
const conditional = ['name', 'bought', 'post', 'quote', 'what', 'about', 'budget', 'pet'] as const
/** Number of offers that are drawn to find one that fits the media. */
const maxOffers = 20

/** Maximum number of times that a line is drawn again if it was said before. */
const redraws = 4

/** A list of phrases. */
interface NamedList {
  /** A bit for each conditional value that a phrase names. */
  named: number
  /** The same for each phrase. */
  namedByEach: readonly number[]
  /** The phrases that remain, by the bits of the values that are missing. */
  possible: Map<number, readonly string[]>
}

/**
 * Writes the dialogues of one creator with fans: from the scripts that all have, and from those of
 * the persona.
 */
export class DialogueWriter {
  readonly #random: Random
  readonly #texts: SeedTexts['dialogues']
  readonly #persona: Persona
  readonly #fans: Speaker
  readonly #creator: Speaker
  /** All lines so far. */
  readonly #said = new Set<string>()
  /** The conditional values that each list names, and its phrases by the bits of missing values. */
  readonly #named = new Map<readonly string[], NamedList>()
  /** The list of each phrase that comes without others. */
  readonly #single = new Map<string, readonly string[]>()

  constructor(
    random: Random,
    { texts, persona }: { texts: Pick<SeedTexts, 'dialogues'>; persona: Persona },
  ) {
    this.#random = random
    this.#texts = texts.dialogues
    this.#persona = persona
    const { words, facts, jobs } = texts.dialogues
    const job = (field: keyof (typeof jobs)[number]) => jobs.map((each) => each[field])
    // The facts are words too, for those of whom nothing is known.
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
    this.#creator = new Speaker(random, {
      words: all,
      lowerCase: persona.lowerCase,
    })
  }

  /** Writes the first line of a fan. */
  open(moment: Moment): string {
    const { lines } = this.scene('talk', moment)
    return lines[0]?.text ?? ''
  }

  /** Writes a scene. */
  scene(kind: SceneKind, moment: Moment, listener: Listener = {}): Scene {
    const { language = 'en', seen = new Set<unknown>(), values = new Map() } = listener
    const own = this.#texts.languages[language]
    if (own !== undefined && (kind === 'welcome' || kind === 'talk')) {
      // The first one is a welcome, which is not repeated.
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

  /** Writes a scene of a story of a fan's life; `values` keep its words for its later scenes. */
  part(script: readonly ScriptLine[], moment: Moment, values: Values): Scene {
    return { lines: this.#tell(script, moment, values, { isStory: true }) }
  }

  /** Writes the words of a fan with a tip. */
  tip(kind: 'small' | 'large', moment: Moment, values: Values): Line {
    return this.#line(true, this.#texts.tips[kind], moment, values) ?? silent
  }

  /** Writes the thanks of a creator for a tip. */
  thanks(kind: ThanksKind, moment: Moment, values: Values): Line {
    const phrases = this.#ownCue(`${kind} tip`) ?? this.#texts.thanks[kind]
    return this.#line(false, phrases, moment, values) ?? silent
  }

  /** Writes an excuse of the creator for a late answer; undefined without one. */
  excuse(moment: Moment): string | undefined {
    return this.#creator.say(this.#cue('late'), moment)
  }

  /** Draws a scene that the fan has not seen; undefined when there is none. */
  #fresh<Item>(items: readonly Item[], seen: Set<unknown>): Item | undefined {
    const fresh = items.filter((item) => !seen.has(item))
    if (fresh.length === 0) return undefined
    const drawn = this.#random.pick(fresh)
    seen.add(drawn)
    return drawn
  }

  /** A sale: one of the persona that fits the media, or one that all have. */
  #sale(moment: Moment, { seen, values }: { seen: Set<unknown>; values: Values }): Scene {
    const isOwn = this.#random.chance(chances.ownSale)
    const own = isOwn ? this.#fresh(this.#persona.chat.sales, seen) : undefined
    let sale: Sale = own ?? this.#random.pick(this.#texts.offers)
    for (
      let draw = 0;
      !this.#fans.canSay(this.#without(this.#phrases(sale.offer), values, false), moment);
      draw += 1
    ) {
      if (draw === maxOffers) return { lines: [] }
      sale = this.#random.pick(this.#texts.offers)
    }
    const { refunds, declines } = this.#texts
    const isCommon = sale !== own
    const offered = (isCommon ? this.#ownCue('offer') : undefined) ?? this.#phrases(sale.offer)
    const reply = (isCommon ? this.#ownCue('sold') : undefined) ?? sale.reply
    // The order matters: each line draws from the same source.
    const offer = this.#line(false, offered, moment, values)
    const ask =
      sale.ask === undefined ? undefined : this.#line(true, this.#phrases(sale.ask), moment, values)
    if (offer !== undefined) offer.isOffer = true
    return {
      lines: withoutGaps(ask, offer),
      bought: this.#random.chance(chances.refund)
        ? this.#script(refunds, moment, { seen: new Set(), values }).lines
        : this.#exchange(sale.thanks, reply, { moment, values }),
      declined: this.#random.chance(chances.decline)
        ? this.#exchange(declines, this.#cue('declined'), { moment, values })
        : [],
    }
  }

  /** A line of the fan, and the answer of the creator, if there is any. */
  #exchange(
    fan: Phrases,
    creator: Phrases | undefined,
    { moment, values }: { moment: Moment; values: Values },
  ): Line[] {
    const said = this.#line(true, this.#phrases(fan), moment, values)
    if (creator === undefined) return withoutGaps(said)
    return withoutGaps(said, this.#line(false, this.#phrases(creator), moment, values))
  }

  #script(
    scripts: readonly (readonly ScriptLine[])[],
    moment: Moment,
    { seen, values }: { seen: Set<unknown>; values: Values },
  ): Scene {
    // A script whose first line does not fit the moment is not for now; one that the fan has seen
    // is repeated if no other script fits, but never with the same first line.
    for (let draw = 0; draw < 12; draw += 1) {
      const script = this.#random.pick(scripts)
      if (draw < 8 && seen.has(script)) continue
      values.delete(saidBefore)
      const lines = this.#tell(script, moment, values)
      const first = lines[0]
      if (first === undefined || seen.has(first.text)) continue
      seen.add(script)
      seen.add(first.text)
      return { lines }
    }
    return { lines: [] }
  }

  /** Says the lines of a script. A line answers the one before, in a story any before. */
  #tell(
    script: readonly ScriptLine[],
    moment: Moment,
    values: Values,
    { isStory = false }: { isStory?: boolean } = {},
  ): Line[] {
    const lines: Line[] = []
    for (const line of script) {
      const isFromFan = 'fan' in line
      const phrases = 'fan' in line ? line.fan : 'cue' in line ? this.#cue(line.cue) : line.creator
      const before = values.get(saidBefore) ?? ''
      const said = this.#line(isFromFan, phrases, moment, values)
      if (said === undefined) return lines
      lines.push(said)
      if (isStory) values.set(saidBefore, `${before} ${said.text.toLowerCase()}`)
    }
    return lines
  }

  /** A dialogue in turns, the fan first. */
  #turns(turns: readonly Phrases[], moment: Moment, values: Values): Scene {
    const lines: Line[] = []
    let isFromFan = true
    for (const turn of turns) {
      const said = this.#line(isFromFan, this.#phrases(turn), moment, values)
      if (said !== undefined) lines.push(said)
      isFromFan = !isFromFan
    }
    return { lines }
  }

  /** Says a line, if possible one that was not said before. Undefined if no phrase fits. */
  #line(
    isFromFan: boolean,
    phrases: readonly string[],
    moment: Moment,
    values: Values,
  ): Line | undefined {
    const speaker = isFromFan ? this.#fans : this.#creator
    const possible = this.#without(phrases, values, isFromFan)
    let text = speaker.say(possible, moment, values)
    for (let draw = 0; draw < redraws && text !== undefined && this.#said.has(text); draw += 1)
      text = speaker.say(possible, moment, values)
    if (text === undefined) return undefined
    const isRepeated = this.#said.has(text)
    this.#said.add(text)
    const pet = isFromFan ? values.get('petname') : undefined
    const namesPet = pet !== undefined && text.includes(pet)
    if (namesPet) values.set(petIsNamed, pet)
    values.set(saidBefore, text.toLowerCase())
    const said = isFromFan ? text : toCreator(text, values)
    return { text: said, isFromFan, isOffer: false, isRepeated, namesPet }
  }

  /** Leaves out the phrases that name a value which is not known. */
  #without(phrases: readonly string[], values: Values, isFromFan: boolean): readonly string[] {
    let list = this.#named.get(phrases)
    if (list === undefined) {
      const namedByEach = phrases.map(namedIn)
      const named = namedByEach.reduce((all, bits) => all | bits, 0)
      list = { named, namedByEach, possible: new Map() }
      this.#named.set(phrases, list)
    }
    let missing = list.named
    for (let place = 0; missing >> place !== 0; place += 1)
      if (isKnown(conditional[place], values, isFromFan)) missing &= ~(1 << place)
    if (missing === 0) return phrases
    const known = list.possible.get(missing)
    if (known !== undefined) return known
    const { namedByEach } = list
    const possible = phrases.filter((_, place) => ((namedByEach[place] ?? 0) & missing) === 0)
    list.possible.set(missing, possible)
    return possible
  }

  /** The phrases of a line. One phrase gives the same list each time. */
  #phrases(line: Phrases): readonly string[] {
    if (typeof line !== 'string') return line
    const known = this.#single.get(line)
    if (known !== undefined) return known
    const single = [line]
    this.#single.set(line, single)
    return single
  }

  /** What the creator says at a cue: in their own words, or in those that all have. */
  #cue(name: string): readonly string[] {
    return this.#ownCue(name) ?? this.#texts.cues[name] ?? []
  }

  #ownCue(name: string): readonly string[] | undefined {
    return this.#persona.chat.cues[name]
  }
}

/** A bit for each conditional value, by the names that phrases have for it. */
const bitsOfName = new Map<string, number>([
  ...conditional.map((name, place) => [name, 1 << place] as const),
  ['petname', 1 << conditional.indexOf('pet')],
])

/** Returns the bits of the conditional values that a phrase names. */
function namedIn(phrase: string): number {
  let bits = 0
  for (let open = phrase.indexOf('{'); open !== -1; open = phrase.indexOf('{', open + 1))
    bits |= bitsOfName.get(phrase.slice(open + 1, phrase.indexOf('}', open)).toLowerCase()) ?? 0
  return bits
}

function isKnown(
  name: (typeof conditional)[number] | undefined,
  values: Values,
  isFromFan: boolean,
): boolean {
  return name === 'pet' ? isFromFan || values.has(petIsNamed) : values.has(name ?? '')
}

const silent: Line = {
  text: '',
  isFromFan: true,
  isOffer: false,
  isRepeated: false,
  namesPet: false,
}

/** The facts that a fan calls theirs. */
const owned = ['partner', 'boss'] as const

/** Replaces the fan's `my sister` by `your sister`. */
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

/** The lines that could be said. */
function withoutGaps(first: Line | undefined, second?: Line): Line[] {
  const lines: Line[] = []
  if (first !== undefined) lines.push(first)
  if (second !== undefined) lines.push(second)
  return lines
}
