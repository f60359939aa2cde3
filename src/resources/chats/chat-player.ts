import { dayMs, hourMs, minuteMs, parseIso } from '../../lib/time.ts'
import { delayUntilAwake, toLocalDate } from '../../seed/local-time.ts'
import type { WakingPlace } from '../../seed/local-time.ts'
import type { Exchange, ExchangeKind } from '../../seed/persona.ts'
import type { TextPicker } from '../../seed/text-picker.ts'
import type { Subscription } from '../subscribers/subscriptions.table.ts'
import { OfferPicker } from './seeded-bundles.ts'
import type { Bundle, OfferInput, Gift } from './seeded-bundles.ts'
import { spellLine } from './exchanges.ts'
import type { ExchangePicker } from './exchanges.ts'
import {
  pickCreatorReplyDelay,
  pickFanReplyDelay,
  pickTypingTime,
  sampleLogNormal,
} from './fan-life.ts'
import type { Payment } from '../payments/seeded-transactions.ts'

/** A scene of a chat: its start time, epoch ms, and its exchange. */
export interface Scene {
  at: number
  exchange: {
    first: Exchange['first']
    lines: readonly string[]
    kind?: ExchangeKind
    photo?: string | undefined
  }
  /** True for a part of a long conversation, which the chat contains as a whole. */
  isWhole?: boolean
}

/** The input for a chat: the fan, the texts, the media for sale, and the end time. */
export interface ChatInput extends OfferInput {
  picker: TextPicker
  exchanges: ExchangePicker
  fanId: number
  place: WakingPlace
  /** The start of the clock, epoch ms. */
  now: number
  /** Time of the last activity of the fan, epoch ms. */
  lastActiveAt: number
  heard: Set<Exchange>
  /** Values that texts can mention. */
  values: ReadonlyMap<string, string>
  /** The fan's subscription periods, oldest first. */
  spans: Subscription['spans']
}

/**
 * Probabilities that a fan comments on a purchase (bought) or gives a reason for not buying
 * (declined), that a bought offer is refunded, that a fan ends an exchange with a GIF or quotes the
 * message, and that the creator adds an emoji.
 */
const chances = { bought: 0.4, declined: 0.33, refund: 0.07, gif: 0.05, reply: 0.04 }
/** Minimum interval between two scenes. */
const restMs = 2 * hourMs
/** An exchange ends if the next line would come later than this. */
const maxWaitMs = 2 * dayMs
/** Time until the next line of a long conversation, in seconds. */
const wholeWait = { median: 90, spread: 1.2, most: 25 * 60 }
/** Time until a fan decides about an offer, in seconds. `most` is the maximum. */
const decisionWait = { median: 1500, spread: 2.2, most: 12 * 24 * 3600 }
/** A purchase is mentioned in the same scene only if it happens within this time. */
const promptMs = 2 * hourMs

/** Plays the chat of a fan with a creator, scene by scene. */
export class ChatPlayer {
  readonly #input: ChatInput
  readonly #offers: OfferPicker
  readonly #said: ChatLine[] = []

  constructor(input: ChatInput) {
    this.#input = input
    this.#offers = new OfferPicker(input)
  }

  /** Plays scenes, oldest first, and returns the messages. */
  play(scenes: readonly Scene[]): ChatLine[] {
    let end = -Infinity
    for (const scene of scenes) end = Math.max(end, this.#playScene(scene, end))
    return this.#said
  }

  #isSubscribedAt(at: number): boolean {
    return this.#input.spans.some(({ from, until }) => at >= parseIso(from) && at < parseIso(until))
  }

  /** Plays a scene, unless neither can write then. Returns the time of its last message. */
  #playScene(scene: Scene, end: number): number {
    const { random, persona, place, lastActiveAt } = this.#input
    const { exchange } = scene
    const isFanFirst = exchange.first === 'fan'
    const free = Math.max(scene.at, end + restMs + random.integer(0, 20 * minuteMs))
    const start = delayUntilAwake(isFanFirst ? place : persona, free)
    if (start >= lastActiveAt || !this.#isSubscribedAt(start)) return end
    const isSale = exchange.kind === 'offer' || exchange.kind === 'request'
    const bundle = isSale ? this.#offers.draw(start) : undefined
    const gift = exchange.kind === 'gift' ? this.#offers.findGift(start) : undefined
    if ((isSale && bundle === undefined) || (exchange.kind === 'gift' && gift === undefined))
      return end
    const before = this.#said.length
    let at = this.#say(exchange, start, { bundle, isWhole: scene.isWhole === true })
    const first = this.#said[before]
    if (first !== undefined && exchange.photo !== undefined) first.photo = exchange.photo
    if (first !== undefined && gift !== undefined) {
      first.gift = gift
      this.#offers.markGiven(gift)
    }
    const offer = bundle && this.#said.slice(before).find(({ isFromFan }) => !isFromFan)
    if (bundle !== undefined && offer !== undefined) at = this.#decide(offer, bundle, at)
    return at
  }

  /** Decides if the fan buys an offer. Returns the time of the last message about it. */
  #decide(offer: ChatLine, bundle: Bundle, after: number): number {
    const { random, buys, lastActiveAt } = this.#input
    offer.bundle = bundle
    this.#offers.markOffered(bundle)
    const at = Math.max(after, offer.at) + sampleLogNormal(random, decisionWait) + 4_000
    const isBought =
      at < lastActiveAt && random.chance(buys * this.#offers.getDemand(bundle, offer.at))
    if (!isBought)
      return random.chance(chances.declined) ? this.#react('declined', bundle, after) : after
    offer.boughtAt = at
    if (at - after > promptMs) return after
    const isRefunded = random.chance(chances.refund)
    if (!isRefunded && !random.chance(chances.bought)) return at
    const before = this.#said.length
    const end = this.#react(isRefunded ? 'refund' : 'bought', bundle, at)
    const isAgreed = this.#said.slice(before).some(({ isFromFan }) => !isFromFan)
    if (isRefunded && isAgreed) offer.isRefunded = true
    return end
  }

  #react(kind: ExchangeKind, bundle: Bundle, after: number): number {
    const { exchanges, persona, values, heard, random, place } = this.#input
    const local = toLocalDate(persona, after)
    const exchange = exchanges.pick(kind, { local, values: this.#valuesOf(bundle, values), heard })
    if (exchange === undefined) return after
    const start = delayUntilAwake(place, after + pickTypingTime(random, exchange.lines[0] ?? ''))
    return this.#say(exchange, start, { bundle, isWhole: false })
  }

  #valuesOf(bundle: Bundle | undefined, values: ChatInput['values']): ChatInput['values'] {
    return bundle === undefined ? values : new Map([...values, ...bundle.values])
  }

  /** Adds the lines of an exchange. Returns the time of the last one, epoch ms. */
  #say(
    { first, lines }: Scene['exchange'],
    start: number,
    { bundle, isWhole }: { bundle: Bundle | undefined; isWhole: boolean },
  ): number {
    const { picker, persona, fanId, lastActiveAt, now } = this.#input
    const values = this.#valuesOf(bundle, this.#input.values)
    let at = start
    for (const [place, line] of lines.entries()) {
      const isFromFan = (place % 2 === 0) === (first === 'fan')
      const filled = picker.fill(line, { local: toLocalDate(persona, at), values })
      const text = spellLine(filled, { isFromFan, fanId, persona })
      const next = place === 0 ? at : this.#nextTime(at, text, { isFromFan, isWhole })
      const isLate = next >= (isFromFan ? lastActiveAt : now) || next - at > maxWaitMs
      if (isLate || (isFromFan && !this.#isSubscribedAt(next))) break
      at = next
      this.#said.push(
        this.#toLine(text, at, { isFromFan, place, isLast: place === lines.length - 1 }),
      )
    }
    return at
  }

  #nextTime(
    at: number,
    text: string,
    { isFromFan, isWhole }: { isFromFan: boolean; isWhole: boolean },
  ): number {
    const { random, place, persona } = this.#input
    const typed = at + pickTypingTime(random, text)
    if (isWhole) return typed + sampleLogNormal(random, wholeWait)
    const wait = isFromFan ? pickFanReplyDelay(random, place, at) : pickCreatorReplyDelay(random)
    return delayUntilAwake(isFromFan ? place : persona, typed + wait)
  }

  #toLine(
    text: string,
    at: number,
    { isFromFan, place, isLast }: { isFromFan: boolean; place: number; isLast: boolean },
  ): ChatLine {
    const { random, persona } = this.#input
    if (!isFromFan) {
      const { share = 0, signs = [] } = persona.emoji ?? {}
      const isSigned = /[a-z!]$/i.test(text) && random.chance(share / 2)
      return { text: isSigned ? `${text} ${random.pick(signs)}` : text, isFromFan, at }
    }
    const isAnswer = place > 0
    if (isAnswer && isLast && !text.includes('?') && random.chance(chances.gif))
      return { text: '', isFromFan, at, isGif: true }
    return { text, isFromFan, at, isReply: isAnswer && random.chance(chances.reply) }
  }
}

/** A message of a chat, with its time (epoch ms) and attachments. */
export interface ChatLine {
  text: string
  isFromFan: boolean
  at: number
  /** The bundle that the message offers, and the time when the fan bought it. */
  bundle?: Bundle
  boughtAt?: number
  /** True if the creator agreed to a refund. */
  isRefunded?: boolean
  /** The free photo that the creator sends with the message. */
  gift?: Gift
  /** True if the message is a GIF from the fan. */
  isGif?: boolean
  /** The name of the photo that the fan sends with the message. */
  photo?: string
  /** True if the message quotes the previous message as a reply. */
  isReply?: boolean
  /** The tip that was sent with the message. */
  tip?: Payment
}
