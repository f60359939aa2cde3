import type { Random } from '../../world/random.ts'
import type { PhraseContext } from '../../seed/phrase-context.ts'
import type { Persona } from '../../seed/persona.ts'
import { saidBefore, PhrasePicker } from '../../seed/phrases.ts'
import type { ScriptLine, SeedTexts } from '../../seed/seed-texts.ts'
import {
  conditional,
  isValueKnown,
  isShortPhrase,
  getConditionMask,
  petIsNamed,
  toCreatorPerspective,
} from './known-values.ts'
import type { NamedList } from './known-values.ts'
import { isMemorable } from './stock.ts'
import type { FanManner } from './fan-habits.ts'

/** A line of dialogue, as plain text. */
export interface Line {
  text: string
  isFromFan: boolean
  /** True if the line offers media for sale. */
  isOffer: boolean
  /** True if the line was already used in a chat with any fan. */
  isRepeated: boolean
  /** True if the fan mentions the name of their pet. */
  namesPet: boolean
}

/** A scene of a chat. If it ends with an offer, it also has the lines that follow each outcome. */
export interface Scene {
  lines: readonly Line[]
  /** Lines about the price, said before the fan decides. */
  haggle?: readonly Line[]
  /** Lines that follow if the fan buys the offer in the last line. */
  bought?: readonly Line[]
  /** Lines that follow if the fan does not buy. */
  declined?: readonly Line[]
}

/** Kinds of scenes that have scripts, each with the key of its scripts in the dialogue texts. */
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
  fanBirthday: 'fanBirthdays',
} as const

/** The subject of a scene. */
export type SceneKind = keyof typeof scripted | 'sale'

/** One phrase, or several to choose from. */
type Phrases = string | readonly string[]

/** A dialogue about an item for sale. */
type SaleDialogue = Persona['chat']['sales'][number] | SeedTexts['dialogues']['offers'][number]

/** Occasions on which a creator thanks a fan. */
export type ThanksKind = keyof SeedTexts['dialogues']['thanks']

/**
 * Values for the placeholders in phrases, such as `petname` or `bought`: facts about the fan, and
 * words that were chosen earlier in the scene.
 */
type Values = Map<string, string>

/** The state of a chat. Each scene adds the lines that it used and the words that it chose. */
export interface Memory {
  /** Scripts, phrases and texts that the chat has already used. */
  heard: Set<unknown>
  /** Known values of placeholders. */
  values: Values
  /**
   * The moment in the fan's time zone.
   * @default the moment in the creator's time zone
   */
  fanMoment?: PhraseContext | undefined
  /**
   * The fan's temper, which affects how they write. If undefined, the fan says all lines of a
   * script.
   */
  temper?: FanManner | undefined
}

/** The chat in which a scene takes place, and the fan's language. */
export interface Listener extends Partial<Memory> {
  /** @default 'en' */
  language?: string
}

/**
 * Probabilities. Creators: talk about their trade (trade), use a sales dialogue of their own
 * (ownSale). Buyers: ask for a refund (refund), comment on a purchase (thanks). All fans: write in
 * their own language (ownLanguage), give a reason for not buying (decline), write according to
 * their temper (tempered), do not reply (ignored), reply with one word (terse).
 */
const chances = {
  trade: 0.14,
  ownSale: 0.3,
  ownLanguage: 0.8,
  refund: 0.02,
  thanks: 0.72,
  decline: 0.5,
  tempered: 0.42,
  ignored: 0.07,
  terse: 0.4,
}

/** Probability that a fan negotiates the price, by temper. */
const haggling = { kind: 0.03, flirt: 0.06, blunt: 0.22, haggler: 0.6, grumpy: 0.2, terse: 0.05 }

/** Maximum number of draws to find an offer that fits the media. */
const maxOffers = 20

/** Maximum number of redraws of a line that was already used. */
const redraws = 4

/**
 * Writes the dialogues of one creator with fans, from the common scripts and those of the persona.
 */
export class DialogueWriter {
  readonly #random: Random
  readonly #texts: SeedTexts['dialogues']
  readonly #persona: Persona
  readonly #fans: PhrasePicker
  readonly #creator: PhrasePicker
  /** All lines written so far. */
  readonly #said = new Set<string>()
  /**
   * Caches, for each list of phrases, the conditional values that they use and the phrases that are
   * usable.
   */
  readonly #named = new Map<readonly string[], NamedList>()
  /** Caches the list of each single phrase, so that it is created only once. */
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
    // Fans without known facts get these facts as random words.
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
    this.#fans = new PhrasePicker(random, { words: all, isOnce: isMemorable })
    this.#creator = new PhrasePicker(random, {
      words: all,
      lowerCase: persona.lowerCase,
    })
  }

  /** Writes the fan's first line in a chat. */
  open(moment: PhraseContext, values: Values): string {
    const { lines } = this.scene('talk', moment, { values })
    return lines[0]?.text ?? ''
  }

  /** Writes a scene. */
  scene(kind: SceneKind, moment: PhraseContext, listener: Listener = {}): Scene {
    const { language = 'en', heard = new Set<unknown>(), values = new Map() } = listener
    const memory: Memory = { ...listener, heard, values }
    const own = this.#texts.languages[language]
    if (own !== undefined && (kind === 'welcome' || kind === 'talk')) {
      // The first script is a welcome, which must not be repeated.
      const isOwn = this.#random.chance(chances.ownLanguage)
      const turns = !isOwn
        ? undefined
        : kind === 'welcome'
          ? own[0]
          : this.#fresh(own.slice(1), heard)
      if (turns !== undefined) return this.#turns(turns, moment, memory)
    }
    if (kind === 'sale') return this.#sale(moment, memory)
    const tempered = kind === 'talk' ? this.#tempered(memory) : undefined
    if (tempered !== undefined) return { lines: this.#tell(tempered, moment, memory) }
    const isTrade = kind === 'talk' && this.#random.chance(chances.trade)
    const talk = isTrade ? this.#fresh(this.#persona.chat.talks, heard) : undefined
    return talk === undefined
      ? this.#script(this.#texts[scripted[kind]], moment, memory)
      : this.#turns(talk, moment, memory)
  }

  /**
   * Writes one scene of a story about a fan's life. Adds the words that it chooses to `memory`, for
   * later scenes.
   */
  part(script: readonly ScriptLine[], moment: PhraseContext, memory: Memory): Scene {
    return { lines: this.#tell(script, moment, memory) }
  }

  /** Writes a fan's message with a tip. Undefined if the chat has used all suitable texts. */
  tip(kind: 'small' | 'large', moment: PhraseContext, memory: Memory): Line | undefined {
    return this.#line(true, this.#texts.tips[kind], moment, memory)
  }

  /** Writes a creator's thanks for a tip. Undefined if the chat has used all suitable texts. */
  thanks(kind: ThanksKind, moment: PhraseContext, memory: Memory): Line | undefined {
    const phrases = this.#ownCue(`${kind} tip`) ?? this.#texts.thanks[kind]
    return this.#line(false, phrases, moment, memory)
  }

  /** Writes the creator's excuse for a late reply. Undefined if no phrase fits. */
  excuse(moment: PhraseContext): string | undefined {
    return this.#creator.say(this.#cue('late'), moment)
  }

  /** Draws an item that the chat has not used. Undefined if there is none. */
  #fresh<Item>(items: readonly Item[], heard: Set<unknown>): Item | undefined {
    const fresh = items.filter((item) => !heard.has(item))
    if (fresh.length === 0) return undefined
    const drawn = this.#random.pick(fresh)
    heard.add(drawn)
    return drawn
  }

  /**
   * Draws a script for the fan's temper. Undefined if the caller should use a script for any
   * temper.
   */
  #tempered({ temper, heard }: Memory): readonly ScriptLine[] | undefined {
    if (temper === undefined || !this.#random.chance(chances.tempered)) return undefined
    return this.#fresh(this.#texts.tempers[temper]?.talks ?? [], heard)
  }

  /** Writes a sales dialogue that fits the media: one of the persona's own, or a common one. */
  #sale(moment: PhraseContext, memory: Memory): Scene {
    const { heard, values, temper = 'kind' } = memory
    const isOwn = this.#random.chance(chances.ownSale)
    const own = isOwn ? this.#fresh(this.#persona.chat.sales, heard) : undefined
    let sale: SaleDialogue = own ?? this.#random.pick(this.#texts.offers)
    for (
      let draw = 0;
      !this.#fans.canSay(this.#without(this.#phrases(sale.offer), values, false), moment);
      draw += 1
    ) {
      if (draw === maxOffers) return { lines: [] }
      sale = this.#random.pick(this.#texts.offers)
    }
    const { refunds, declines, haggles } = this.#texts
    const tempered = this.#texts.tempers[temper]
    const isCommon = sale !== own
    const offered = (isCommon ? this.#ownCue('offer') : undefined) ?? this.#phrases(sale.offer)
    const reply = (isCommon ? this.#ownCue('sold') : undefined) ?? sale.reply
    // Do not reorder: all lines draw from the same random source.
    const offer = this.#line(false, offered, moment, memory)
    if (offer === undefined) return { lines: [] }
    offer.isOffer = true
    const ask =
      sale.ask === undefined ? undefined : this.#line(true, this.#phrases(sale.ask), moment, memory)
    return {
      lines: omitMissingLines(ask, offer),
      haggle: this.#random.chance(haggling[temper])
        ? this.#exchange(haggles, this.#cue('haggle'), { moment, memory })
        : [],
      bought: this.#random.chance(chances.refund)
        ? this.#script(refunds, moment, memory).lines
        : this.#random.chance(chances.thanks)
          ? this.#exchange(this.#either(tempered?.thanks, sale.thanks), reply, { moment, memory })
          : [],
      declined: this.#random.chance(chances.decline)
        ? this.#exchange(this.#either(tempered?.declines, declines), this.#cue('declined'), {
            moment,
            memory,
          })
        : [],
    }
  }

  /**
   * Returns the phrases for a temper or the common phrases, at random. Without phrases for a
   * temper, returns the common ones.
   */
  #either(own: readonly string[] | undefined, common: Phrases): Phrases {
    return own !== undefined && this.#random.chance(0.65) ? own : common
  }

  /** Writes a line of the fan, and the creator's reply, if any. */
  #exchange(
    fan: Phrases,
    creator: Phrases | undefined,
    { moment, memory }: { moment: PhraseContext; memory: Memory },
  ): Line[] {
    const said = this.#line(true, this.#phrases(fan), moment, memory)
    if (said === undefined || creator === undefined) return omitMissingLines(said)
    return omitMissingLines(said, this.#line(false, this.#phrases(creator), moment, memory))
  }

  #script(
    scripts: readonly (readonly ScriptLine[])[],
    moment: PhraseContext,
    memory: Memory,
  ): Scene {
    // Redraws scripts whose first line does not fit the moment. If no unused script fits, reuses
    // one with different lines.
    for (let draw = 0; draw < 12; draw += 1) {
      const script = this.#random.pick(scripts)
      if (draw < 8 && memory.heard.has(script)) continue
      memory.values.delete(saidBefore)
      const lines = this.#tell(script, moment, memory)
      if (lines.length === 0) continue
      memory.heard.add(script)
      return { lines }
    }
    return { lines: [] }
  }

  /**
   * Writes the lines of a script. A creator's line replies to the previous line. A fan's line must
   * fit all earlier lines.
   */
  #tell(script: readonly ScriptLine[], moment: PhraseContext, memory: Memory): Line[] {
    const { values } = memory
    const lines: Line[] = []
    let whole = ''
    for (const line of script) {
      const isFromFan = 'fan' in line
      const short = isFromFan && lines.length > 0 ? this.#shortAnswer(memory) : undefined
      if (short === 'ignored') return lines
      if (short !== undefined) {
        const word = this.#line(true, short, moment, memory)
        return word === undefined ? lines : [...lines, word]
      }
      const phrases = 'fan' in line ? line.fan : 'cue' in line ? this.#cue(line.cue) : line.creator
      if (isFromFan && whole !== '') values.set(saidBefore, whole)
      const said = this.#line(isFromFan, phrases, moment, memory)
      if (said === undefined) return lines
      lines.push(said)
      whole += ` ${said.text.toLowerCase()}`
    }
    return lines
  }

  /**
   * Draws a short reply. Returns the words to choose from, or `ignored` if the fan does not reply.
   * Undefined if the fan follows the script.
   */
  #shortAnswer({ temper }: Memory): readonly string[] | 'ignored' | undefined {
    if (temper === undefined) return undefined
    if (this.#random.chance(chances.ignored)) return 'ignored'
    const words = this.#texts.tempers[temper]?.answers
    return words !== undefined && this.#random.chance(chances.terse) ? words : undefined
  }

  /** Writes a dialogue in which fan and creator take turns. The fan begins. */
  #turns(turns: readonly Phrases[], moment: PhraseContext, memory: Memory): Scene {
    const lines: Line[] = []
    let isFromFan = true
    for (const turn of turns) {
      const said = this.#line(isFromFan, this.#phrases(turn), moment, memory)
      if (said === undefined) break
      lines.push(said)
      isFromFan = !isFromFan
    }
    return { lines }
  }

  /**
   * Writes a line that is new in this chat, preferably one that is new in all chats. Undefined if
   * no phrase fits.
   */
  #line(
    isFromFan: boolean,
    phrases: readonly string[],
    moment: PhraseContext,
    { heard, values, fanMoment }: Memory,
  ): Line | undefined {
    const at = isFromFan ? (fanMoment ?? moment) : moment
    const speaker = isFromFan ? this.#fans : this.#creator
    const possible = this.#without(phrases, values, isFromFan)
    // A used phrase may be repeated if other words fill its placeholders.
    let text =
      speaker.say(possible, at, { chosen: values, heard }) ??
      speaker.say(possible, at, { chosen: values })
    for (let draw = 0; draw < redraws && text !== undefined && this.#said.has(text); draw += 1)
      text = speaker.say(possible, at, { chosen: values, heard }) ?? text
    if (text === undefined || (heard.has(text) && !isShortPhrase(text))) return undefined
    heard.add(text)
    const isRepeated = this.#said.has(text)
    this.#said.add(text)
    const pet = isFromFan ? values.get('petname') : undefined
    const namesPet = pet !== undefined && text.includes(pet)
    if (namesPet) values.set(petIsNamed, pet)
    values.set(saidBefore, text.toLowerCase())
    const said = isFromFan ? text : toCreatorPerspective(text, values)
    return { text: said, isFromFan, isOffer: false, isRepeated, namesPet }
  }

  /** Filters out phrases with a placeholder whose value is unknown. */
  #without(phrases: readonly string[], values: Values, isFromFan: boolean): readonly string[] {
    let list = this.#named.get(phrases)
    if (list === undefined) {
      const namedByEach = phrases.map(getConditionMask)
      const named = namedByEach.reduce((all, bits) => all | bits, 0)
      list = { named, namedByEach, possible: new Map() }
      this.#named.set(phrases, list)
    }
    let missing = list.named
    for (let place = 0; missing >> place !== 0; place += 1)
      if (isValueKnown(conditional[place], values, isFromFan)) missing &= ~(1 << place)
    if (missing === 0) return phrases
    const known = list.possible.get(missing)
    if (known !== undefined) return known
    const { namedByEach } = list
    const possible = phrases.filter((_, place) => ((namedByEach[place] ?? 0) & missing) === 0)
    list.possible.set(missing, possible)
    return possible
  }

  /**
   * Returns the phrases of a line as a list. A single phrase always gets the same list object,
   * because lists are cache keys.
   */
  #phrases(line: Phrases): readonly string[] {
    if (typeof line !== 'string') return line
    const known = this.#single.get(line)
    if (known !== undefined) return known
    const single = [line]
    this.#single.set(line, single)
    return single
  }

  /** Returns the creator's own phrases for a cue, or else the common ones. */
  #cue(name: string): readonly string[] {
    return this.#ownCue(name) ?? this.#texts.cues[name] ?? []
  }

  #ownCue(name: string): readonly string[] | undefined {
    return this.#persona.chat.cues[name]
  }
}

/** Returns the lines that are defined. */
function omitMissingLines(first: Line | undefined, second?: Line): Line[] {
  const lines: Line[] = []
  if (first !== undefined) lines.push(first)
  if (second !== undefined) lines.push(second)
  return lines
}
