import type { Random } from '../../world/random.ts'
import { dayMs, hourMs } from '../../lib/time.ts'
import { delayUntilAwake, createPhraseContext, momentValues } from '../../seed/phrase-context.ts'
import type { WakingPlace } from '../../seed/phrase-context.ts'
import type { Persona } from '../../seed/persona.ts'
import { saidBefore } from '../../seed/phrases.ts'
import type { Payment } from '../payments/draw.ts'
import type { Bundle } from './bundles.ts'
import type { DialogueWriter, Line, Memory, Scene } from './dialogue.ts'
import { computeAge, drawFanReplyDelay, drawLogNormal } from './fan-habits.ts'
import type { FanHabits } from './fan-habits.ts'
import { findMatchingPhotos } from './fan-photos.ts'
import { petIsNamed } from './known-values.ts'
import type { PostValues } from './post-values.ts'
import { hasSadNews } from './sad-news.ts'
import type { PlannedScene } from './scene-plan.ts'
import { deriveWritingStyle, splitIntoSentences, applyWritingStyle } from './writing-style.ts'

/** A message of a chat, with its time (epoch ms) and attachments. */
export interface ChatLine {
  text: string
  isFromFan: boolean
  at: number
  /** The bundle that the message offers, and the time when it was bought (epoch ms). */
  bundle: Bundle | undefined
  boughtAt: number | undefined
  /** True if the message is a GIF from the fan. */
  isGif: boolean
  /** Name of the photo that the fan sends. */
  photo: string | undefined
  /** True if the message is a reply to the previous one. */
  isReply: boolean
  /** The tip that was sent with the message. */
  tip: Payment | undefined
}

/** The input for a conversation: the fan, the bundles for sale, and the end time. */
export interface ConversationInput {
  random: Random
  writer: DialogueWriter
  persona: Persona
  fanId: number
  life: FanHabits
  /** True if the fan does not reply after the first scene. */
  isSilent: boolean
  /** The language in which the fan writes. */
  language: string
  /** End of the conversation, epoch ms. Messages shortly before the end may have no reply yet. */
  now: number
  /** Time of the last activity of the fan, epoch ms. */
  lastActiveAt: number
  /** Probability that the fan buys an offer. */
  buys: number
  /** Scripts, phrases and texts of the chat so far. */
  heard: Set<unknown>
  /** Known facts about the fan. */
  facts: ReadonlyMap<string, string>
  /** Bundles that the account sells, oldest first. */
  bundles: readonly Bundle[]
  /** Returns the placeholder values of the newest post at a time, such as its first words. */
  postValues: (at: number) => PostValues
}

/** Probabilities of random changes to scripted messages. */
const chances = { excuse: 0.4, named: 0.16, cut: 0.14, gif: 0.033, photo: 0.17, reply: 0.04 }
/** Number of most recent bundles to draw offers from. */
const newestBundles = 8
/** Minimum share of offers that a good customer has bought. */
const goodCustomer = 0.44
/** Average number of further offers without words for each offer in a scene, and the time between. */
const furtherOffers = { share: 1.5, days: [1, 11], bought: 0.36 } as const
/** Duration of the pause after sad news, without offers or new scenes. */
const mourningMs = 2.5 * dayMs
/** Minimum reply delay for which a creator apologises. */
const lateMs = 9 * hourMs
/** Minimum interval between scenes. */
const restMs = 2 * hourMs
/** Time to type the next message when a person sends several in a row, ms. */
const typing = { least: 2_000, perCharacter: 130 }
/** Delay until the creator replies, in seconds. `most` is the maximum. */
const creatorWait = { median: 260, spread: 1.75, most: 20 * 3600 }
/** Delay between waking up and the first message, in seconds. */
const morningWait = { median: 2400, spread: 1.1, most: 6 * 3600 }
/** Probability that a fan writes at night. */
const sleepless = 0.03
/** Time that a fan needs to decide about an offer, in seconds. `most` is the maximum. */
const decisionWait = { median: 1500, spread: 2.2, most: 12 * 24 * 3600 }
/** A scene does not mention purchases that happen later than this. */
const promptMs = 2 * hourMs

/**
 * Plays a fan's chat with a creator, scene by scene. Tracks the scenes and bundles that the fan has
 * seen.
 */
export class Conversation {
  readonly #stage: ConversationInput
  readonly #habits
  readonly #offered = new Set<Bundle>()
  readonly #said: ChatLine[] = []
  /** The photos that the fan has already sent. */
  readonly #sent = new Set<string>()
  #bought: string | undefined
  #isPetNamed = false
  /** End of the pause after sad news, epoch ms. */
  #sadUntil = -Infinity

  constructor(stage: ConversationInput) {
    this.#stage = stage
    this.#habits = deriveWritingStyle(stage.fanId)
  }

  /** Plays scenes until the chat has `most` messages. */
  play(scenes: readonly PlannedScene[], most: number): ChatLine[] {
    const { lastActiveAt } = this.#stage
    let free = -Infinity
    for (const scene of scenes) {
      // A scene that would begin before the previous one ends is delayed.
      const start = this.#startOf(scene, free)
      if (start >= lastActiveAt) break
      if (start < this.#sadUntil && scene.part === undefined) continue
      const { drawn, bundle } = this.#draw(scene, start)
      // The first message is always from the fan.
      if (this.#said.length === 0 && drawn.lines[0]?.isFromFan === false) continue
      if (drawn.lines.some((line) => line.isFromFan && hasSadNews(line.text)))
        this.#sadUntil = start + mourningMs
      // A scene that would exceed the limit is skipped, unless it is the first one.
      if (this.#said.length > 0 && this.#said.length + drawn.lines.length > most) break
      free = this.#playScene(drawn, start, bundle) + restMs
      if (this.#said.length >= most) break
    }
    this.#said.length = Math.min(this.#said.length, most)
    return this.#said
  }

  /** Returns the state of the chat, with the placeholder values at a given time. */
  memoryAt(at: number): Memory {
    const fanMoment = createPhraseContext(this.#stage.life.place, at)
    return { heard: this.#stage.heard, values: this.#valuesAt(at), fanMoment }
  }

  /**
   * Returns the start of a scene, epoch ms. It is after the previous scene, at a time when the
   * first speaker is awake.
   */
  #startOf({ at, kind, part }: PlannedScene, free: number): number {
    const { random, persona, life } = this.#stage
    const start = at >= free ? at : free + random.integer(0, 12 * hourMs)
    const first = part?.script[0]
    const isCreator = kind === 'checkin' || (first !== undefined && !('fan' in first))
    if (isCreator) return this.#whenAwake(persona, start)
    return random.chance(sleepless) ? start : this.#whenAwake(life.place, start)
  }

  /**
   * Returns the given time if the person is awake. Otherwise, returns a time some minutes or hours
   * after they wake up.
   */
  #whenAwake(place: WakingPlace, at: number): number {
    const woken = delayUntilAwake(place, at)
    if (woken === at) return at
    return delayUntilAwake(place, woken + drawLogNormal(this.#stage.random, morningWait))
  }

  /**
   * Returns the placeholder values at a given time: facts, the newest post, and the last purchase.
   */
  #valuesAt(at: number): Map<string, string> {
    const { facts, fanId, postValues } = this.#stage
    const values = new Map(facts).set('age', String(computeAge(fanId, at)))
    const { post, quote } = postValues(at)
    if (this.#isPetNamed) values.set(petIsNamed, '')
    if (post !== undefined) values.set('post', post)
    if (quote !== undefined) values.set('quote', quote)
    if (this.#bought !== undefined) values.set('bought', this.#bought)
    return values
  }

  #draw({ kind, part }: PlannedScene, start: number): { drawn: Scene; bundle: Bundle | undefined } {
    const { random, writer, persona, language, life, heard } = this.#stage
    const { temper, place } = life
    if (part !== undefined) {
      const { values } = part
      for (const [name, value] of this.#stage.facts) values.set(name, value)
      // Scenes of a story are on different days, so values of an earlier moment are outdated.
      for (const name of momentValues) values.delete(name)
      values.delete(saidBefore)
      if (this.#isPetNamed) values.set(petIsNamed, '')
      values.set('age', String(computeAge(this.#stage.fanId, start)))
      const memory = { heard, values, fanMoment: createPhraseContext(place, start) }
      const drawn = writer.part(part.script, createPhraseContext(persona, start), memory)
      return { drawn, bundle: undefined }
    }
    const values = this.#valuesAt(start)
    const bundle = kind === 'sale' ? this.#drawBundle(start) : undefined
    if (bundle !== undefined) {
      values.set('what', bundle.words.what)
      values.set('about', bundle.words.about)
      // The budget covers the price, and the counter-offer is below the price.
      const price = bundle.priceAt(start)
      const generosity = random.integer(0, 4)
      values.set('price', String(price))
      values.set('budget', String(5 * (Math.ceil(price / 5) + generosity)))
      values.set('counter', String(Math.max(3, Math.floor(price * (0.4 + generosity / 10)))))
    }
    const moment = createPhraseContext(persona, start, bundle?.facts)
    const isPossible = kind !== 'sale' || bundle !== undefined
    const isRemembered = kind !== 'memory' || this.#bought !== undefined
    const drawn = writer.scene(isPossible && isRemembered ? kind : 'talk', moment, {
      language,
      heard,
      values,
      temper,
      fanMoment: createPhraseContext(place, start, bundle?.facts),
    })
    return { drawn, bundle }
  }

  /**
   * Draws one of the newest bundles that have not been offered to the fan. Undefined if there is
   * none.
   */
  #drawBundle(at: number): Bundle | undefined {
    const { random, bundles, buys } = this.#stage
    const newest: Bundle[] = []
    for (let place = bundles.length - 1; place >= 0 && newest.length < newestBundles; place -= 1) {
      const bundle = bundles[place]
      if (bundle !== undefined && bundle.at < at && !this.#offered.has(bundle)) newest.push(bundle)
    }
    if (newest.length === 0) return undefined
    // Good customers get more expensive offers.
    let best = random.pick(newest)
    for (let draws = buys > goodCustomer ? 2 : 0; draws > 0; draws -= 1) {
      const other = random.pick(newest)
      if (other.priceAt(at) > best.priceAt(at)) best = other
    }
    return best
  }

  /** Returns a factor for the probability of a purchase. Fewer fans buy at a high price. */
  #demandFor(bundle: Bundle, at: number): number {
    const { messages } = this.#stage.persona.money
    const usual = messages[messages.length >> 1] ?? 20
    return Math.min(1.15, Math.sqrt(usual / bundle.priceAt(at)))
  }

  /**
   * Creates the offers that creators send without a dialogue, some days after those in scenes. Few
   * of them are bought.
   */
  sendFurtherOffers(): ChatLine[] {
    const { random, persona, lastActiveAt, buys } = this.#stage
    const lines: ChatLine[] = []
    const [least, most] = furtherOffers.days
    for (const { bundle, at: before } of this.#said) {
      const count = bundle === undefined ? 0 : Math.floor(furtherOffers.share + random.next())
      for (let left = count; left > 0; left -= 1) {
        const days = least + (most - least) * random.next()
        const at = delayUntilAwake(persona, Math.floor(before + days * dayMs))
        const next = at < lastActiveAt && at > this.#sadUntil ? this.#drawBundle(at) : undefined
        if (next === undefined) continue
        this.#offered.add(next)
        const line = createTextLine('', false, at)
        line.bundle = next
        const wait = drawLogNormal(random, decisionWait) + 4_000
        const chance = buys * furtherOffers.bought * this.#demandFor(next, at)
        if (at + wait < lastActiveAt && random.chance(chance)) line.boughtAt = at + wait
        lines.push(line)
      }
    }
    return lines
  }

  /** Plays a scene, and returns its end time, epoch ms. */
  #playScene(scene: Scene, start: number, bundle: Bundle | undefined): number {
    const { random, persona, lastActiveAt, buys, isSilent } = this.#stage
    // A sales scene may begin with the offer.
    let at = scene.lines[0]?.isFromFan === false ? delayUntilAwake(persona, start) : start
    let isFirst = true
    const isUnanswered = isSilent && this.#said.length > 0
    for (const line of scene.lines) {
      if (isUnanswered && line.isFromFan) break
      at = this.#say(line, at, isFirst)
      isFirst = false
      const offer = this.#said.at(-1)
      if (!line.isOffer || bundle === undefined || offer?.at !== at) continue
      offer.bundle = bundle
      this.#offered.add(bundle)
      for (const next of scene.haggle ?? []) at = this.#say(next, at, false)
      const wait = drawLogNormal(random, decisionWait) + 4_000
      const isBought = at + wait < lastActiveAt && random.chance(buys * this.#demandFor(bundle, at))
      if (isBought) offer.boughtAt = at + wait
      // The scene does not mention a purchase that happens much later.
      if (isBought && wait > promptMs) continue
      if (isBought) {
        this.#bought = bundle.words.bought
        at += wait
      }
      for (const next of (isBought ? scene.bought : scene.declined) ?? [])
        at = this.#say(next, at, false)
    }
    return at
  }

  /**
   * Adds a line as one or more messages, unless the chat has ended by then. Returns the time of the
   * last message, epoch ms.
   */
  #say(line: Line, after: number, isFirst: boolean): number {
    const { random, persona, life, lastActiveAt, now } = this.#stage
    const { isFromFan } = line
    const wait = isFromFan ? drawFanReplyDelay(random, life, after) : drawCreatorReplyDelay(random)
    let at = isFirst ? after : after + wait
    if (!isFirst) at = this.#whenAwake(isFromFan ? life.place : persona, at)
    const texts = isFromFan
      ? applyWritingStyle(random, this.#habits, line.text)
      : this.#voice(line, at, at - after)
    for (let place = 0; place < texts.length; place += 1) {
      const text = texts[place] ?? ''
      if (place > 0)
        at += typing.least + Math.floor(text.length * typing.perCharacter * (0.5 + random.next()))
      if (at >= (isFromFan ? lastActiveAt : now)) return at
      this.#isPetNamed ||= line.namesPet
      const said = createTextLine(text, isFromFan, at)
      if (isFromFan) this.#addExtra(said, { canBeGif: !isFirst && place === 0 })
      this.#said.push(said)
    }
    return at
  }

  /**
   * Randomly adds a photo that fits the message, replaces the message with a GIF, or marks it as a
   * reply.
   */
  #addExtra(said: ChatLine, { canBeGif }: { canBeGif: boolean }): void {
    const { random, facts } = this.#stage
    const photos = random.chance(chances.photo) ? findMatchingPhotos(said.text, facts) : []
    // Each photo is sent only once.
    const unsent = photos.filter((name) => !this.#sent.has(name))
    if (unsent.length > 0) {
      said.photo = random.pick(unsent)
      this.#sent.add(said.photo)
    } else if (canBeGif && !said.text.includes('?') && random.chance(chances.gif)) {
      said.isGif = true
      said.text = ''
    } else if (canBeGif && random.chance(chances.reply)) said.isReply = true
  }

  /**
   * Varies a line of the creator: adds an excuse, the fan's name or an emoji, or splits the line in
   * two.
   */
  #voice({ text, isOffer, isRepeated }: Line, at: number, waited: number): string[] {
    const { random, writer, persona, facts } = this.#stage
    let said = text
    const name = persona.lowerCase ? facts.get('name')?.toLowerCase() : facts.get('name')
    const isNamed = isRepeated || random.chance(chances.named)
    if (name !== undefined && isNamed && !said.includes(name)) said = insertName(said, name)
    if (waited > lateMs && random.chance(chances.excuse))
      said = `${writer.excuse(createPhraseContext(persona, at)) ?? ''} ${said}`.trim()
    const { share = 0, signs = [] } = persona.emoji ?? {}
    if (signs.length > 0 && at > this.#sadUntil && random.chance(share * 1.6))
      said += ` ${random.pick(signs)}`
    return isOffer || !random.chance(chances.cut) ? [said] : splitIntoSentences(said)
  }
}

/** Creates a message without media. */
export function createTextLine(text: string, isFromFan: boolean, at: number): ChatLine {
  return {
    text,
    isFromFan,
    at,
    bundle: undefined,
    boughtAt: undefined,
    isGif: false,
    photo: undefined,
    isReply: false,
    tip: undefined,
  }
}

/** Inserts a name at the end of the first sentence, or at the beginning of the text. */
function insertName(text: string, name: string): string {
  const end = /^[^,.!?]{4,}(?=[.!?])/.exec(text)?.[0]
  if (end !== undefined) return `${end.trimEnd()}, ${name}${text.slice(end.length)}`
  return `${name}, ${/^I\b/.test(text) ? text : text.charAt(0).toLowerCase() + text.slice(1)}`
}

/** Draws the delay until the creator replies, ms. */
export function drawCreatorReplyDelay(random: Random): number {
  return drawLogNormal(random, creatorWait)
}
