import type { Random } from '../../world/random.ts'
import { dayMs, parseIso, hourMs } from '../../lib/time.ts'
import { delayUntilAwake, createPhraseContext, getUtcOffsetMs } from '../../seed/phrase-context.ts'
import type { WakingPlace } from '../../seed/phrase-context.ts'
import { toRoundOffer } from './bundles.ts'
import type { Bundle } from './bundles.ts'
import { createTextLine } from './chat-line.ts'
import type { ChatLine } from './chat-line.ts'
import type { DialogueWriter } from './dialogue.ts'
import type { Line, Memory, Scene } from './dialogue-lines.ts'
import { insertName, withoutStop } from './creator-style.ts'
import { isCheerful } from './moods.ts'
import {
  computeAge,
  deriveBirthDate,
  pickTypingTime,
  pickFanReplyDelay,
  sampleLogNormal,
} from './fan-habits.ts'
import type { FanHabits } from './fan-habits.ts'
import { listTagsAt } from './fan-tags.ts'
import type { Gift } from './gifts.ts'
import { OfferPicker } from './offers.ts'
import type { OfferInput } from './offers.ts'
import { listChatTags } from './chat-tags.ts'
import { accountTagsKey } from '../../seed/exchange.ts'
import type { Subscription } from '../subscribers/subscriptions.table.ts'
import type { PostLookup } from './post-values.ts'
import type { PlannedScene } from './scene-plan.ts'
import { deriveWritingStyle, splitIntoSentences, applyWritingStyle } from './writing-style.ts'

/** The input for a conversation: the fan, the bundles for sale, and the end time. */
export interface ConversationInput extends OfferInput {
  writer: DialogueWriter
  fanId: number
  username: string
  life: FanHabits
  /** True if the fan does not answer after the first scene. */
  isSilent: boolean
  /** The language that the fan writes. */
  language: string
  /**
   * The end of the conversation, epoch ms. Messages sent shortly before this time may have no reply
   * yet.
   */
  now: number
  /** Time of the last activity of the fan, epoch ms. */
  lastActiveAt: number
  /** Exchanges, subjects and texts that the chat has already used. */
  heard: Set<unknown>
  /** Known data about the fan, by placeholder. */
  facts: ReadonlyMap<string, string>
  posts: PostLookup
  /** The fan's subscription periods, oldest first. */
  spans: Subscription['spans']
}

/**
 * Probabilities of random additions to an exchange, such as an excuse or a GIF, and of a refund.
 * `sign` and `plainSign` are factors for the creator's share of emoji: for common ones, and on lines
 * that are not cheerful.
 */
const chances = {
  excuse: 0.25,
  named: 0.4,
  cut: 0.2,
  gif: 0.06,
  reply: 0.04,
  stop: 0.22,
  sign: 3,
  plainSign: 0.4,
  refund: 0.014,
  greeting: 0.13,
}
/** Placeholders whose values change during a chat. */
const changing = ['post', 'quote', 'bought', 'what', 'about', 'price', 'counter'] as const
/** Emoji of creators who also use their own. */
const commonSigns = ['❤️', '😊', '🙂', '😄', '🙈', '✨', '☺️', '🫶', '😅', '🥰'] as const
/** Greetings that fans send as a separate message. */
const greetings = ['hey', 'hi', 'hello', 'hey you', 'hi there', 'hey there'] as const
const greeting = /^(h|good|gm|gn|morning|night|[^ a-z])/i
/**
 * Further offers that are sent without a dialogue: their average number per offer in a scene, the
 * range of delays in days, and a factor for the probability of a purchase.
 */
const furtherOffers = { share: 1.8, days: [1, 13], bought: 0.36 } as const
/** Minimum interval between an offer without a dialogue and any other offer. */
const betweenOffersMs = 20 * hourMs
/** After sad news, there are no offers or new scenes for this time. */
const mourningMs = 2.5 * dayMs
/** A creator may apologise for a reply that took longer than this. */
const lateMs = 9 * hourMs
/** Time between two scenes of one conversation, in seconds. `most` is the maximum. */
const continuedWait = { median: 600, spread: 1.1, most: 5400 }
/** Minimum interval between other scenes. */
const restMs = 2 * hourMs
/** Time until the creator answers, in seconds. `most` is the maximum. */
const creatorWait = { median: 260, spread: 1.75, most: 20 * 3600 }
/** Time between waking up and sending a message, in seconds. */
const morningWait = { median: 2400, spread: 1.1, most: 6 * 3600 }
/** Probability that a fan writes at night. */
const sleepless = 0.03
/** Time until a fan decides about an offer, in seconds. `most` is the maximum. */
const decisionWait = { median: 1500, spread: 2.2, most: 12 * 24 * 3600 }
/** A chat may be ahead of its plan by this fraction of its messages. */
const aheadShare = 0.03
/** Fans can still reply for this time after their subscription ends. */
const graceMs = 3 * hourMs
/** A purchase is mentioned in the same scene only if it happens within this time. */
const promptMs = 2 * hourMs

/**
 * Plays the chat of a fan with a creator, scene by scene. Keeps track of the scenes and bundles
 * that the fan has already seen.
 */
export class Conversation {
  readonly #input: ConversationInput
  readonly #habits
  readonly #offers: OfferPicker
  readonly #said: ChatLine[] = []
  /** Values of the placeholders. Reused for each scene, because copying the facts is slow. */
  readonly #values: Map<string, string>
  readonly #birthDate
  readonly #stays: readonly { from: number; until: number }[]
  #bought: string | undefined
  /** The photo that the creator can send next. */
  #gift: Gift | undefined
  /** Times when the fan told sad news, epoch ms. */
  readonly #sadTimes: number[] = []

  constructor(input: ConversationInput) {
    this.#input = input
    this.#offers = new OfferPicker(input)
    this.#habits = deriveWritingStyle(input.fanId, input.language)
    this.#values = new Map(input.facts)
    this.#birthDate = deriveBirthDate(input.fanId, input.username)
    this.#stays = input.spans.map(({ from, until }) => ({
      from: parseIso(from),
      until: parseIso(until),
    }))
  }

  /** Plays scenes until the chat has `most` messages. */
  play(scenes: readonly PlannedScene[], most: number): ChatLine[] {
    const { lastActiveAt } = this.#input
    let end = -Infinity
    for (const [place, scene] of scenes.entries()) {
      const isContinued = scene.isContinued === true && end > scene.at
      // Long exchanges must not use up the limit before the last scenes.
      const isAhead = this.#said.length > most * (place / scenes.length + aheadShare)
      if (scene.isContinued === true && isAhead) continue
      const start = this.#startOf(scene, { end, isContinued })
      if (start >= lastActiveAt) break
      if (!this.#isSubscribedAt(start)) continue
      if (this.#isMourning(start) && scene.part === undefined) continue
      const { drawn, bundle } = this.#draw(scene, { start, isContinued })
      // The fan writes first.
      if (this.#said.length === 0 && drawn.lines[0]?.isFromFan === false) continue
      if (drawn.lines.some(({ isSad }) => isSad)) this.#sadTimes.push(start)
      // A scene that would exceed the limit is skipped, unless it is the first one.
      if (this.#said.length > 0 && this.#said.length + drawn.lines.length > most) break
      end = this.#playScene(drawn, start, bundle)
      if (this.#said.length >= most) break
    }
    this.#said.length = Math.min(this.#said.length, most)
    return this.#said
  }

  /** Returns the state of the chat at the given time. It is valid until the next call. */
  memoryAt(at: number): Memory {
    const fanContext = createPhraseContext(this.#input.life.place, at)
    return { heard: this.#input.heard, values: this.#valuesAt(at), fanContext }
  }

  /** True for some days after sad news. */
  #isMourning(at: number): boolean {
    return this.#sadTimes.some((since) => at >= since && at < since + mourningMs)
  }

  #isSubscribedAt(at: number): boolean {
    for (const { from, until } of this.#stays) if (at >= from && at < until) return true
    return false
  }

  /**
   * Returns the start time of a scene, epoch ms. The scene starts after the `end` of the previous
   * scene, at a time when the first speaker is awake.
   */
  #startOf(
    { at, kind, part }: PlannedScene,
    { end, isContinued }: { end: number; isContinued: boolean },
  ): number {
    const { random, persona, life } = this.#input
    const free = end + restMs
    let start = at
    if (isContinued) start = end + sampleLogNormal(random, continuedWait)
    else if (at < free) start = free + random.integer(0, part === undefined ? 12 * hourMs : restMs)
    const isCreator = kind === 'checkin' || part?.startsWith('> ') === true
    if (isCreator) return this.#whenAwake(persona, start)
    return random.chance(sleepless) ? start : this.#whenAwake(life.place, start)
  }

  /**
   * Returns the given time if the person is awake then. Otherwise returns a time some minutes or
   * hours after the person wakes up.
   */
  #whenAwake(place: WakingPlace, at: number): number {
    const woken = delayUntilAwake(place, at)
    if (woken === at) return at
    return delayUntilAwake(place, woken + sampleLogNormal(this.#input.random, morningWait))
  }

  /** Returns the placeholder values at a time, for example those of the newest post. */
  #valuesAt(at: number): Map<string, string> {
    const { posts, life, spans } = this.#input
    const values = this.#values
    for (const name of changing) values.delete(name)
    const local = at + getUtcOffsetMs(life.place, at)
    const tags = listTagsAt(at, local, this.#birthDate, spans) + listChatTags(this.#said, at)
    const gift = this.#offers.findGift(at)
    this.#gift = gift
    values
      .set('age', String(computeAge(this.#birthDate, local)))
      .set(accountTagsKey, posts.tagsAt(at) + tags + (gift === undefined ? '' : 'gift '))
    const { post, quote } = posts.valuesAt(at)
    if (post !== undefined) values.set('post', post)
    if (quote !== undefined) values.set('quote', quote)
    if (this.#bought !== undefined) values.set('bought', this.#bought)
    if (gift !== undefined) values.set('about', gift.about)
    return values
  }

  #draw(
    { kind, part }: PlannedScene,
    { start, isContinued }: { start: number; isContinued: boolean },
  ): { drawn: Scene; bundle: Bundle | undefined } {
    const { random, writer, persona, language, life, heard } = this.#input
    const { temper, place } = life
    if (part !== undefined) {
      const context = createPhraseContext(persona, start)
      return { drawn: writer.part(part, context, this.memoryAt(start)), bundle: undefined }
    }
    const values = this.#valuesAt(start)
    if (isContinued) values.set(accountTagsKey, `${values.get(accountTagsKey) ?? ''}continued `)
    const bundle = kind === 'sale' ? this.#offers.draw(start) : undefined
    if (bundle !== undefined) {
      this.#describe(bundle, start)
      // The fan's counter-offer is lower than the price.
      const price = bundle.priceAt(start)
      const generosity = random.integer(0, 4)
      values.set('price', String(price))
      values.set('counter', String(toRoundOffer(price * (0.4 + generosity / 10))))
    }
    const context = createPhraseContext(persona, start, bundle?.conditions)
    const isPossible = kind !== 'sale' || bundle !== undefined
    const isRemembered = kind !== 'memory' || this.#bought !== undefined
    const drawn = writer.scene(isPossible && isRemembered ? kind : 'talk', context, {
      language,
      heard,
      values,
      temper,
      fanContext: createPhraseContext(place, start, bundle?.conditions),
    })
    return { drawn, bundle }
  }

  /** Adds the placeholder values and the tags of an offered bundle. */
  #describe(bundle: Bundle, at: number): void {
    const { what, about } = bundle.words
    const tags = `${this.#values.get(accountTagsKey) ?? ''}${this.#offers.listTags(bundle, at)}`
    this.#values.set('what', what).set('about', about).set(accountTagsKey, tags)
  }

  #buy(line: ChatLine, bundle: Bundle, at: number): void {
    line.boughtAt = at
    this.#offers.markBought(bundle, at)
  }

  /**
   * Creates the offers that creators send without a dialogue, some days after an offer in a scene.
   * Fans buy few of these offers.
   */
  sendFurtherOffers(): ChatLine[] {
    const { random, persona, lastActiveAt, buys } = this.#input
    const lines: ChatLine[] = []
    const [least, most] = furtherOffers.days
    const times = this.#said.filter(({ bundle }) => bundle !== undefined).map((line) => line.at)
    for (const { bundle, at: before } of this.#said) {
      const count = bundle === undefined ? 0 : Math.floor(furtherOffers.share + random.next())
      for (let left = count; left > 0; left -= 1) {
        const days = least + (most - least) * random.next()
        const at = delayUntilAwake(persona, Math.floor(before + days * dayMs))
        const isFree = times.every((other) => Math.abs(at - other) >= betweenOffersMs)
        const canSend = at < lastActiveAt && this.#isSubscribedAt(at) && !this.#isMourning(at)
        const next = isFree && canSend ? this.#offers.draw(at) : undefined
        if (next === undefined) continue
        times.push(at)
        const memory = this.memoryAt(at)
        this.#describe(next, at)
        this.#offers.markOffered(next)
        const context = createPhraseContext(persona, at, next.conditions)
        const line = createTextLine(this.#input.writer.teaser(context, memory), false, at)
        line.bundle = next
        const wait = sampleLogNormal(random, decisionWait) + 4_000
        const chance = buys * furtherOffers.bought * this.#offers.getDemand(next, at)
        if (at + wait < lastActiveAt && random.chance(chance)) this.#buy(line, next, at + wait)
        lines.push(line)
      }
    }
    return lines
  }

  /** Plays a scene and returns the time when it ends, epoch ms. */
  #playScene(scene: Scene, start: number, bundle: Bundle | undefined): number {
    const { random, persona, lastActiveAt, buys, isSilent } = this.#input
    // A sale may begin with an offer.
    let at = scene.lines[0]?.isFromFan === false ? delayUntilAwake(persona, start) : start
    let isFirst = true
    const isUnanswered = isSilent && this.#said.length > 0
    for (const line of scene.lines) {
      if (isUnanswered && line.isFromFan) break
      const count = this.#said.length
      at = this.#say(line, at, isFirst)
      // The line came too late, or after the end of the chat.
      if (this.#said.length === count) break
      isFirst = false
      const offer = this.#said.at(-1)
      if (!line.isOffer || bundle === undefined || offer?.at !== at) continue
      offer.bundle = bundle
      this.#offers.markOffered(bundle)
      for (const next of scene.haggle?.() ?? []) at = this.#say(next, at, false)
      const wait = sampleLogNormal(random, decisionWait) + 4_000
      const isBought =
        at + wait < lastActiveAt && random.chance(buys * this.#offers.getDemand(bundle, at))
      if (isBought) this.#buy(offer, bundle, at + wait)
      // The scene does not mention a purchase that happens much later.
      if (isBought && wait > promptMs) continue
      if (isBought) {
        this.#bought = bundle.words.bought
        at += wait
      }
      const refund = isBought && random.chance(chances.refund) ? scene.refunded?.() : undefined
      const reaction = refund ?? (isBought ? scene.bought : scene.declined)?.() ?? []
      const place = this.#said.length
      for (const next of reaction) at = this.#say(next, at, false)
      const isAgreed = this.#said.slice(place).some(({ isFromFan }) => !isFromFan)
      offer.isRefunded = refund !== undefined && isAgreed
    }
    return at
  }

  /**
   * Adds a line as one or more messages. Skips messages after the end of the chat. Returns the time
   * of the last message, epoch ms.
   */
  #say(line: Line, after: number, isFirst: boolean): number {
    const { random, persona, life, lastActiveAt, now } = this.#input
    const { isFromFan } = line
    const wait = isFromFan ? pickFanReplyDelay(random, life, after) : pickCreatorReplyDelay(random)
    let at = isFirst ? after : after + wait + pickTypingTime(random, line.text)
    if (!isFirst) at = this.#whenAwake(isFromFan ? life.place : persona, at)
    if (!isFirst && at - after > line.maxWait) return after
    if (isFromFan && !this.#isSubscribedAt(at) && !this.#isSubscribedAt(at - graceMs)) return after
    const isOpening = isFirst && at - (this.#said.at(-1)?.at ?? -Infinity) >= restMs
    const texts =
      line.text === 'GIF'
        ? [line.text]
        : isFromFan
          ? this.#greeted(applyWritingStyle(random, this.#habits, line), isOpening)
          : this.#voice(line, at, at - after)
    for (let place = 0; place < texts.length; place += 1) {
      const text = texts[place] ?? ''
      if (place > 0) at += pickTypingTime(random, text)
      if (at >= (isFromFan ? lastActiveAt : now)) return at
      const said = createTextLine(text, isFromFan, at)
      if (text === 'GIF') Object.assign(said, { text: '', isGif: true })
      else if (isFromFan) this.#addExtra(said, line, { isReply: !isFirst && place === 0 })
      else if (line.isGift && place === 0) this.#addGift(said)
      this.#said.push(said)
    }
    return at
  }

  /** Sometimes adds a greeting before the messages with which a fan opens a conversation. */
  #greeted(texts: string[], isOpening: boolean): string[] {
    const { random } = this.#input
    if (!isOpening || greeting.test(texts[0] ?? '') || !random.chance(chances.greeting))
      return texts
    const word = random.pick(greetings)
    const isCapital = this.#habits.capitals !== 'none'
    return [isCapital ? word.charAt(0).toUpperCase() + word.slice(1) : word, ...texts]
  }

  /**
   * Adds a photo, quotes the previous message, or replaces the last message of an exchange with a
   * GIF.
   */
  #addExtra(said: ChatLine, { photo, isLast }: Line, { isReply }: { isReply: boolean }): void {
    const { random } = this.#input
    if (photo !== undefined) {
      const isSent = this.#said.some((each) => each.photo === photo)
      if (!isSent) said.photo = photo
    } else if (isReply && isLast && !said.text.includes('?') && random.chance(chances.gif)) {
      said.isGif = true
      said.text = ''
    } else if (isReply && random.chance(chances.reply)) said.isReply = true
  }

  /** Adds a free photo to a message of the creator. */
  #addGift(said: ChatLine): void {
    const gift = this.#gift
    if (gift === undefined) return
    said.gift = gift
    this.#offers.markGiven(gift)
  }

  /**
   * Adds an excuse, the fan's name or an emoji to a line of the creator, or splits the line into
   * several messages.
   */
  #voice({ text, isOffer }: Line, at: number, waited: number): string[] {
    const { random, writer, persona, facts } = this.#input
    const [first = '', ...rest] = text.split(' / ')
    let said = first
    const name = persona.lowerCase ? facts.get('name')?.toLowerCase() : facts.get('name')
    if (name !== undefined && random.chance(chances.named) && !said.includes(name))
      said = insertName(said, name)
    if (waited > lateMs && said.includes(' ') && random.chance(chances.excuse))
      said = `${writer.excuse(createPhraseContext(persona, at)) ?? ''} ${said}`.trim()
    const isCut = rest.length === 0 && !isOffer && random.chance(chances.cut)
    const texts = rest.length > 0 ? [said, ...rest] : isCut ? splitIntoSentences(said) : [said]
    const { share = 0, signs = [] } = persona.emoji ?? {}
    const last = texts.length - 1
    // Many people do not end a message with a full stop.
    for (let place = 0; place <= last; place += 1)
      if (!random.chance(chances.stop)) texts[place] = withoutStop(texts[place] ?? '')
    const end = texts[last] ?? ''
    if (signs.length > 0 && !this.#isMourning(at) && /[a-z!.]$/i.test(end)) {
      const usual = isCheerful(end) ? share : share * chances.plainSign
      if (random.chance(usual)) texts[last] = `${end} ${random.pick(signs)}`
      else if (random.chance(usual * chances.sign))
        texts[last] = `${end} ${random.pick(commonSigns)}`
    }
    return texts
  }
}

/** Returns a random reply delay of a creator, ms. */
export function pickCreatorReplyDelay(random: Random): number {
  return sampleLogNormal(random, creatorWait)
}
