import type { Random } from '../../world/random.ts'
import { groupBy } from '../../lib/group-by.ts'
import { dayMs } from '../../lib/time.ts'
import { isAwake, contextValues } from '../../seed/phrase-context.ts'
import type { PhraseContext } from '../../seed/phrase-context.ts'
import { shuffle } from '../../seed/seeding.ts'
import type { Persona } from '../../seed/persona.ts'
import { PhrasePicker } from '../../seed/phrases.ts'
import type { SeedTexts } from '../../seed/seed-texts.ts'
import { spellAsCreator, spellCarefully } from './creator-style.ts'
import { haggling, longText, ownThanks, sceneLists, toCreatorLine } from './dialogue-lines.ts'
import type { Line, Listener, Memory, Scene, SceneKind, Values } from './dialogue-lines.ts'
import {
  accountTagsKey,
  atAnyTime,
  chooseWords,
  ExchangeParser,
  isPossible,
  tagsKey,
  toExchange,
  toMention,
} from '../../seed/exchange.ts'
import type { Exchange, ExchangeContext, WrittenExchange } from '../../seed/exchange.ts'
import { toCreatorPerspective } from './known-values.ts'

type Dialogues = SeedTexts['dialogues']

/** The occasions on which a creator thanks a fan. */
export type ThanksKind = keyof Dialogues['thanks']

/**
 * Probabilities: A conversation uses a general exchange (plain), an exchange for the fan's temper
 * (tempered) or for the creator's trade (trade), takes up an earlier subject if there is one
 * (followUp), or begins with a photo of the fan (photo). The creator uses a personal phrase (own),
 * also as thanks (ownThanks). The fan writes in their native language (ownLanguage). A buyer
 * comments on a purchase (thanks). The fan gives a reason for not buying (decline) or does not
 * answer (ignored). The creator misses a message (missed). An offer has no text (wordless), or
 * mentions its topic (topic). An exchange ends without a short last line (unsaid).
 */
const chances = {
  plain: 0.36,
  tempered: 0.3,
  trade: 0.38,
  followUp: 0.6,
  photo: 0.06,
  own: 0.06,
  ownThanks: 0.5,
  ownLanguage: 0.7,
  thanks: 0.5,
  decline: 0.33,
  ignored: 0.08,
  missed: 0.05,
  wordless: 0.25,
  unsaid: 0.6,
  topic: 0.7,
}

/** Maximum length of a last line that may be left out, characters. */
const shortLength = 11
/** A longer exchange than this is not more likely to end early, turns. */
const usualTurns = 3
/** Maximum number of attempts to find a text that was not used before. */
const maxDraws = 4

/** Maximum number of exchanges per list that are checked for a match with the fan and the time. */
const maxCompared = 30

/** The exchanges of a list, in random order. Compared exchanges move to the end. */
type Deck = Exchange[]

/** Writes the dialogues of one creator with fans. */
export class DialogueWriter {
  readonly #random: Random
  readonly #texts: Dialogues
  readonly #persona: Persona
  readonly #fans: PhrasePicker
  readonly #creator: PhrasePicker
  readonly #words: ReadonlySet<string>
  /** Tags of the creator, for all fans and for fans who live in the same town. */
  readonly #tags: string
  readonly #tagsOfNeighbour: string
  readonly #decks = new Map<unknown, Deck>()
  readonly #exchanges: ExchangeParser
  /** The exchanges that take up each subject again. */
  readonly #followUps: ReadonlyMap<string, readonly string[]>
  /** Number of times that each of the creator's own sales was used. */
  readonly #sold = new Map<Persona['chat']['sales'][number], number>()
  /** Caches the usable phrases of each list: phrases whose placeholder values are all known. */
  readonly #usable = new Map<readonly string[], Map<string, readonly string[]>>()

  constructor(
    random: Random,
    {
      texts,
      persona,
      exchanges = new ExchangeParser(),
    }: { texts: Pick<SeedTexts, 'dialogues'>; persona: Persona; exchanges?: ExchangeParser },
  ) {
    this.#random = random
    this.#exchanges = exchanges
    this.#texts = texts.dialogues
    this.#followUps = groupBy(
      texts.dialogues.followUps,
      (written) => exchanges.parse(written).earlier[0],
    )
    this.#persona = persona
    const words = { ...persona.words, ...persona.chat.words }
    this.#words = new Set([...Object.keys(words), ...contextValues])
    this.#tags = ` city ${persona.city.toLowerCase()} ${persona.gender ?? ''} `
    this.#tagsOfNeighbour = `${this.#tags}neighbour `
    this.#fans = new PhrasePicker(random, { words })
    this.#creator = new PhrasePicker(random, { words, lowerCase: persona.lowerCase })
  }

  /** Writes the first line of a fan. */
  open(context: PhraseContext, values: Values): string {
    const { lines } = this.scene('talk', context, { values })
    return lines[0]?.text ?? ''
  }

  /** Writes a scene. */
  scene(kind: SceneKind, context: PhraseContext, listener: Listener = {}): Scene {
    const { language = 'en', heard = new Set<unknown>(), values = new Map() } = listener
    const memory: Memory = { ...listener, heard, values }
    const own = this.#texts.languages[language]
    if (own !== undefined && this.#random.chance(chances.ownLanguage)) {
      const list = kind === 'welcome' ? own.welcomes : kind === 'talk' ? own.talks : undefined
      const lines = list === undefined ? [] : this.#play(list, context, memory)
      if (lines.length > 0) return { lines }
    }
    if (kind === 'sale') return this.#sale(context, memory)
    if (kind === 'talk') return { lines: this.#talk(context, memory) }
    if (kind === 'checkin')
      return {
        lines: this.#firstOf([this.#texts.checkins, this.#texts.plainCheckins], context, memory),
      }
    const lines = this.#play(this.#texts[sceneLists[kind]], context, memory)
    return { lines: lines.length > 0 ? lines : this.#talk(context, memory) }
  }

  /** True if a story is consistent with the data of a fan. */
  canTell(story: readonly string[], context: PhraseContext, memory: Memory): boolean {
    const { values, fanContext = context } = memory
    return story.every((part) => {
      const exchange = { ...this.#exchanges.parse(part), ...atAnyTime }
      return isPossible(exchange, this.#exchangeContextOf(fanContext, { heard: new Set(), values }))
    })
  }

  /** Writes a scene of a story in a fan's life. */
  part(written: string, context: PhraseContext, memory: Memory): Scene {
    return { lines: this.#tell(this.#exchanges.parse(written), context, memory) }
  }

  /** Writes an exchange from a list. Empty if no exchange fits. */
  reply(list: readonly string[], context: PhraseContext, memory: Memory): readonly Line[] {
    return this.#play(list, context, memory)
  }

  /** Writes a fan's message with a tip, and the creator's thanks. Empty if no texts fit. */
  tip(kind: keyof Dialogues['tips'], context: PhraseContext, memory: Memory): readonly Line[] {
    return this.#play(this.#texts.tips[kind], context, memory)
  }

  /**
   * Writes a creator's thanks for a tip that has no message. Personal thanks use the creator's own
   * phrases first. Undefined if no phrase fits.
   */
  thanks(
    kind: ThanksKind,
    context: PhraseContext,
    { isPersonal, ...memory }: Memory & { isPersonal: boolean },
  ): Line | undefined {
    const cue = ownThanks[isPersonal && kind === 'large' ? 'huge' : kind]
    const chance = isPersonal ? 1 : chances.ownThanks
    const own = cue === undefined ? undefined : this.#ownLine(cue, context, { ...memory, chance })
    const line = own ?? this.#line(this.#texts.thanks[kind], context, memory)
    if (line !== undefined && isPersonal) line.text = spellCarefully(this.#persona, line.text)
    return line
  }

  /** Writes a short offer that is sent without a conversation. Empty if no text fits. */
  teaser(context: PhraseContext, memory: Memory): string {
    const [line] = this.#random.chance(chances.wordless)
      ? []
      : this.#play(this.#texts.teasers, context, memory)
    if (line === undefined) return ''
    this.#addTopic(line, context, memory)
    return line.text
  }

  /** Writes the creator's excuse for a late reply. Undefined if no phrase fits. */
  excuse(context: PhraseContext): string | undefined {
    const list = this.#persona.chat.cues['late']
    const isOwn = list !== undefined && this.#random.chance(chances.own)
    const text = this.#creator.say(isOwn ? list : this.#texts.excuses, context)
    return text === undefined ? undefined : this.#finish(text)
  }

  /** Writes a conversation without a specific subject. */
  #talk(context: PhraseContext, memory: Memory): readonly Line[] {
    const { random, texts } = { random: this.#random, texts: this.#texts }
    if (random.chance(chances.photo)) {
      const lines = this.#photo(context, memory)
      if (lines.length > 0) return lines
    }
    const tempered = texts.tempers[memory.temper ?? '']?.talks
    const order: (readonly WrittenExchange[])[] = [texts.talks, texts.plain]
    if (random.chance(chances.plain)) order.unshift(texts.plain)
    if (random.chance(chances.trade)) order.unshift(this.#persona.chat.talks)
    if (tempered !== undefined && random.chance(chances.tempered)) order.unshift(tempered)
    if (random.chance(chances.followUp)) order.unshift(...this.#listFollowUps(memory))
    return this.#firstOf(order, context, memory)
  }

  /** Returns the exchanges about subjects that came up earlier in the chat, by subject. */
  #listFollowUps({ values }: Memory): (readonly string[])[] {
    const lists: (readonly string[])[] = []
    for (const [subject, list] of this.#followUps) if (values.has(subject)) lists.push(list)
    return lists
  }

  /** Writes an exchange that begins with a photo of the fan. Empty if no exchange fits. */
  #photo(context: PhraseContext, memory: Memory): readonly Line[] {
    const fitting = this.#texts.photos.filter(
      ({ photos }) => !photos.some((name) => memory.heard.has(name)),
    )
    if (fitting.length === 0) return []
    const { photos, says } = this.#random.pick(fitting)
    const lines = this.#play(says, context, memory)
    const [first] = lines
    if (first === undefined) return []
    first.photo = this.#random.pick(photos)
    for (const name of photos) memory.heard.add(name)
    return lines
  }

  /** Writes a sales dialogue that fits the offered media. */
  #sale(context: PhraseContext, memory: Memory): Scene {
    const { temper = 'kind' } = memory
    const { sales } = this.#persona.chat
    const own = this.#random.chance(chances.own / 2)
      ? sales.find((sale) => this.#isFreshSale(sale, context, memory))
      : undefined
    const lines =
      own === undefined
        ? this.#play(this.#texts.offers, context, memory)
        : this.#tell(toExchange([own.ask, own.offer]), context, memory)
    if (own !== undefined) {
      memory.heard.add(own)
      this.#sold.set(own, (this.#sold.get(own) ?? 0) + 1)
    }
    const offer = lines.at(-1)
    if (offer === undefined || offer.isFromFan) return { lines: [] }
    offer.isOffer = true
    if (lines.length === 1 && this.#random.chance(chances.wordless)) offer.text = ''
    else this.#addTopic(offer, context, memory)
    const { refunds, declined, bought, haggles } = this.#texts
    const tempered = this.#texts.tempers[temper]
    return {
      lines,
      haggle: () =>
        this.#random.chance(haggling[temper]) ? this.#play(haggles, context, memory) : [],
      bought: () => {
        if (!this.#random.chance(chances.thanks)) return []
        if (own === undefined)
          return this.#firstOf(this.#either(tempered?.bought, bought), context, memory)
        const thanks = own.reply === undefined ? [own.thanks] : [own.thanks, own.reply]
        return this.#tell(toExchange(thanks), context, memory)
      },
      refunded: () => this.#play(refunds, context, memory),
      declined: () =>
        this.#random.chance(chances.decline)
          ? this.#firstOf(this.#either(tempered?.declined, declined), context, memory)
          : [],
    }
  }

  /** Sometimes adds the topic to an offer that does not mention it. */
  #addTopic(offer: Line, context: PhraseContext, { values }: Memory): void {
    const about = values.get('about') ?? ''
    if (!/[\p{L}\p{N}]$/u.test(offer.text) || offer.text.toLowerCase().includes(about)) return
    if (!this.#random.chance(chances.topic)) return
    const chosen = new Map([['about', about]])
    const ending = this.#creator.say(this.#texts.offerEndings, context, { chosen })
    offer.text += chooseWords(this.#random, ending?.toLowerCase() ?? '')
  }

  #isFreshSale(
    sale: Persona['chat']['sales'][number],
    context: PhraseContext,
    { heard }: Memory,
  ): boolean {
    const offers = typeof sale.offer === 'string' ? [sale.offer] : sale.offer
    const asks = typeof sale.ask === 'string' ? 1 : sale.ask.length
    const isUsedUp = (this.#sold.get(sale) ?? 0) >= asks
    return !isUsedUp && !heard.has(sale) && this.#creator.canSay(offers, context)
  }

  /**
   * Returns the lists to try, in order. Sometimes the list for the fan's temper comes before the
   * list for all fans.
   */
  #either(own: readonly string[] | undefined, common: readonly string[]): (readonly string[])[] {
    return own !== undefined && this.#random.chance(0.5) ? [own, common] : [common]
  }

  /** Writes an exchange from the first list that has a matching exchange. */
  #firstOf(
    order: readonly (readonly WrittenExchange[])[],
    context: PhraseContext,
    memory: Memory,
  ): readonly Line[] {
    for (const list of order) {
      const lines = this.#play(list, context, memory)
      if (lines.length > 0) return lines
    }
    return []
  }

  /** Picks an exchange from a list that fits the fan and the time, and writes it. */
  #play(list: readonly WrittenExchange[], context: PhraseContext, memory: Memory): Line[] {
    const { fanContext = context } = memory
    const isOnce =
      list === this.#texts.talks ||
      list === this.#texts.checkins ||
      list === this.#persona.chat.talks
    const exchangeContext = this.#exchangeContextOf(fanContext, memory, context)
    const deck = this.#deckOf(list)
    let chosen: Exchange | undefined
    for (let left = Math.min(maxCompared, deck.length); left > 0; left -= 1) {
      const exchange = deck.shift() as Exchange
      // An exchange is used again only if no other one is possible, and an offer is needed.
      const isUsedUp = exchange.uses >= exchange.variants
      const isForOne = exchange.isLong || exchange.earlier.length > 0
      if (isUsedUp && isForOne && list !== this.#texts.offers) continue
      deck.push(exchange)
      if ((isUsedUp && chosen !== undefined) || !isPossible(exchange, exchangeContext)) continue
      chosen = exchange
      if (!isUsedUp) break
    }
    if (chosen === undefined) return []
    if (isOnce || chosen.earlier.length > 0) deck.splice(deck.lastIndexOf(chosen), 1)
    return this.#tell(chosen, context, memory)
  }

  #deckOf(list: readonly WrittenExchange[]): Deck {
    let deck = this.#decks.get(list)
    if (deck === undefined) {
      deck = shuffle(this.#random, list).map((written) => this.#exchanges.parse(written))
      this.#decks.set(list, deck)
    }
    return deck
  }

  #exchangeContextOf(
    fanContext: PhraseContext,
    { heard, values }: Memory,
    creatorContext = fanContext,
  ): ExchangeContext {
    const isNeighbour = values.get('town') === this.#persona.city
    const fanTags = `${values.get(tagsKey) ?? ''}${values.get(accountTagsKey) ?? ''}`
    return {
      heard,
      values,
      fanContext,
      creatorContext: isAwake(this.#persona, creatorContext) ? creatorContext : undefined,
      tags: `${fanTags}${isNeighbour ? this.#tagsOfNeighbour : this.#tags}`,
      isKnownWord: (name: string) => this.#words.has(name),
    }
  }

  /** Writes the lines of an exchange. */
  #tell(exchange: Exchange, context: PhraseContext, memory: Memory): Line[] {
    const { heard, values, fanContext = context } = memory
    const { turns, isCreatorFirst, subjects, needs, isSad, isGift, maxWait } = exchange
    heard.add(exchange)
    exchange.uses += 1
    for (const subject of subjects) {
      heard.add(subject)
      values.set(subject, String((memory.fanContext ?? context).local.getTime()))
    }
    const lines: Line[] = []
    // Contains only the needed values, because copying all of them is slow.
    const chosen: Values = new Map()
    for (const name of needs) {
      const value = values.get(name)
      if (value !== undefined) chosen.set(name, value)
    }
    const cut = Math.min(1, usualTurns / turns.length)
    for (let place = 0; place < turns.length; place += 1) {
      const isFromFan = (place % 2 === 0) !== isCreatorFirst
      const before = lines.at(-1)?.text ?? ''
      const isAfterLong = before.length > longText
      const isAwaited = isAfterLong || before.includes('?')
      // Sometimes an exchange ends early, but a long text or a question is answered.
      if (
        place > 0 &&
        !isAwaited &&
        this.#random.chance(cut * (isFromFan ? chances.ignored : chances.missed))
      )
        break
      const text = this.#write(isFromFan, turns[place] ?? [], {
        context: isFromFan ? fanContext : context,
        chosen,
      })
      if (text === undefined) break
      // Many exchanges end without a last `ok`.
      const isEnd = place > 0 && place === turns.length - 1
      const isShort = text.length <= shortLength && !isAwaited
      if (isEnd && isShort && this.#random.chance(chances.unsaid)) break
      if (isFromFan)
        for (const name of needs)
          if (!heard.has(toMention(name)) && text.includes(values.get(name) ?? ' -'))
            heard.add(toMention(name)).add(`#${name}`)
      lines.push({
        text: isFromFan ? text : toCreatorPerspective(text, values),
        isFromFan,
        isOffer: false,
        isGift: isGift && !isFromFan && place < 2,
        isLast: place === turns.length - 1,
        isSad: isSad && isFromFan,
        maxWait: isAfterLong ? Math.max(maxWait, 2 * dayMs) : maxWait,
      })
    }
    return lines
  }

  /** Writes one of the alternatives for a turn, preferably a text that was not used before. */
  #write(
    isFromFan: boolean,
    alternatives: readonly string[],
    { context, chosen }: { context: PhraseContext; chosen: Values },
  ): string | undefined {
    const picker = isFromFan ? this.#fans : this.#creator
    let said: string | undefined
    for (let draw = 0; draw < maxDraws; draw += 1) {
      const drawn = this.#random.pick(alternatives)
      const isPlain = !drawn.includes('{') && !drawn.startsWith('(')
      const text = isPlain ? drawn : picker.say(alternatives, context, { chosen })
      if (text === undefined) return said
      said = text.includes('<') ? chooseWords(this.#random, text) : text
      if (!this.#exchanges.said.has(said) || (alternatives.length === 1 && said === text)) break
    }
    if (said === undefined) return undefined
    this.#exchanges.said.add(said)
    return isFromFan ? said : this.#finish(said)
  }

  /** Picks the alternative words in a creator's text, and writes it in the creator's spelling. */
  #finish(text: string): string {
    const said = text.includes('<') ? chooseWords(this.#random, text) : text
    return spellAsCreator(this.#persona, said)
  }

  /** Writes a phrase from the creator's personal list that the chat has not used. */
  #ownLine(
    cue: keyof Persona['chat']['cues'],
    context: PhraseContext,
    { heard, values, chance = chances.own }: Memory & { chance?: number },
  ): Line | undefined {
    const list = this.#persona.chat.cues[cue]
    if (list === undefined || !this.#random.chance(chance)) return undefined
    const text = this.#creator.sayNew(this.#known(list, values), context, new Map(values))
    if (text === undefined || heard.has(text)) return undefined
    return toCreatorLine(text)
  }

  #line(list: readonly string[], context: PhraseContext, memory: Memory): Line | undefined {
    const text = this.#creator.say(this.#known(list, memory.values), context, {
      chosen: new Map(memory.values),
    })
    return text === undefined ? undefined : toCreatorLine(this.#finish(text))
  }

  /**
   * Returns the usable phrases of a list. Without a known name or post, omits the alternatives and
   * phrases that mention it. The result is cached.
   */
  #known(list: readonly string[], values: Values): readonly string[] {
    const missing = ['name', 'post'].filter((name) => !values.has(name))
    if (missing.length === 0) return list
    const key = missing.join()
    const cached = this.#usable.get(list) ?? new Map<string, readonly string[]>()
    this.#usable.set(list, cached)
    const usable =
      cached.get(key) ??
      list
        .map((text) => missing.reduce((rest, name) => rest.replaceAll(`{${name}}|`, ''), text))
        .filter((text) => !missing.some((name) => text.toLowerCase().includes(`{${name}}`)))
    cached.set(key, usable)
    return usable
  }
}
