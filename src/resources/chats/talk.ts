import type { Random } from '../../world/random.ts'
import { hourMs } from '../../lib/time.ts'
import { awakeAfter, momentOf } from '../../seed/moment.ts'
import type { Persona } from '../../seed/persona.ts'
import type { Bundle } from './bundles.ts'
import type { DialogueWriter, Line, Scene } from './dialogue.ts'
import type { PlannedScene } from './scene-plan.ts'
import { habitsOf, sentencesOf, spell } from './spelling.ts'

/** A message of a chat, with its time (epoch ms) and attachments. */
export interface SaidLine {
  text: string
  isFromFan: boolean
  at: number
  /** The bundle that it offers, and the time of the purchase. */
  bundle?: Bundle
  boughtAt?: number
  /** Attachment of a fan, with or without a text. */
  extra?: 'gif' | 'photo'
  /** True if it is sent as a reply to the previous message. */
  isReply?: true
}

/** The fan and the time limits of a chat. */
export interface ChatContext {
  random: Random
  writer: DialogueWriter
  persona: Persona
  fanId: number
  language: string
  /** The current time, epoch ms. The creator has not yet answered messages from shortly before. */
  now: number
  /** Time of the fan's last activity, epoch ms. */
  lastDeed: number
  /** Probability that the fan buys an offer. */
  buys: number
  /** Known facts about the fan. */
  facts: ReadonlyMap<string, string>
  /** Bundles that the account sells, oldest first. */
  bundles: readonly Bundle[]
  /** Placeholder values of the newest post at a time, such as its first sentence. */
  postValues: (at: number) => readonly (readonly [string, string])[]
}

/** Probabilities of variations from the script. */
const chances = { excuse: 0.4, named: 0.16, cut: 0.14, gif: 0.033, photo: 0.017, reply: 0.04 }
/** Number of newest bundles to draw an offer from. */
const newestBundles = 8
/** Minimum purchase probability of a good customer. */
const goodCustomer = 0.6
/** An answer after this time is late. */
const lateMs = 9 * hourMs
/** Minimum pause between two scenes. */
const pauseMs = 2 * hourMs
/** Typing time of the next of several messages in a row, ms. */
const typing = { least: 2_000, perCharacter: 130 }
/** Waits before an answer, in seconds, with a long tail up to `most`. */
const waits = {
  fan: { median: 80, spread: 1.5, most: 8 * 3600 },
  creator: { median: 260, spread: 1.75, most: 20 * 3600 },
} as const
/** Time until a fan decides about an offer, seconds. */
const decisionWait = { median: 420, spread: 1.6, most: 9 * 3600 }

/**
 * Plays a fan's chat with a creator scene by scene. It remembers which scripts the fan has seen and
 * which bundles they bought.
 */
export class Conversation {
  readonly #context: ChatContext
  readonly #habits
  readonly #seen = new Set<unknown>()
  readonly #owned = new Set<Bundle>()
  readonly #said: SaidLine[] = []
  readonly #values: Map<string, string>
  #bought: string | undefined

  constructor(context: ChatContext) {
    this.#context = context
    this.#habits = habitsOf(context.fanId)
    this.#values = new Map(context.facts)
  }

  /** Plays scenes up to `most` messages. */
  play(scenes: readonly PlannedScene[], most: number): readonly SaidLine[] {
    const { random, lastDeed } = this.#context
    let free = -Infinity
    for (const scene of scenes) {
      // A scene that would overlap the previous one starts later.
      const start = scene.at >= free ? scene.at : free + random.integer(0, 12 * 3600) * 1000
      if (start >= lastDeed) break
      const { drawn, bundle } = this.#draw(scene, start)
      // A scene that exceeds the limit is dropped entirely, except for the first one.
      if (this.#said.length > 0 && this.#said.length + drawn.lines.length > most) break
      free = this.#playScene(drawn, { start, bundle }) + pauseMs
      if (this.#said.length >= most) break
    }
    this.#said.length = Math.min(this.#said.length, most)
    return this.#said
  }

  /**
   * Returns the placeholder values at a time: facts, the newest post, and the last purchase. The
   * next call reuses the map.
   */
  valuesAt(at: number): Map<string, string> {
    const { facts } = this.#context
    const values = this.#values
    for (const name of values.keys()) if (!facts.has(name)) values.delete(name)
    for (const [name, value] of this.#context.postValues(at)) values.set(name, value)
    if (this.#bought !== undefined) values.set('bought', this.#bought)
    return values
  }

  #draw({ kind, part }: PlannedScene, start: number): { drawn: Scene; bundle: Bundle | undefined } {
    const { writer, persona, language } = this.#context
    const values = this.valuesAt(start)
    if (part !== undefined) {
      for (const [name, value] of this.#context.facts) part.values.set(name, value)
      const drawn = writer.part(part.script, momentOf(persona, start), part.values)
      return { drawn, bundle: undefined }
    }
    const bundle = kind === 'sale' ? this.#drawBundle(start) : undefined
    for (const [name, value] of Object.entries(bundle?.words ?? {}))
      if (name !== 'bought') values.set(name, value)
    const moment = momentOf(persona, start, bundle?.facts ?? [])
    const isPossible = kind !== 'sale' || bundle !== undefined
    const isRemembered = kind !== 'memory' || this.#bought !== undefined
    const drawn = writer.scene(isPossible && isRemembered ? kind : 'talk', moment, {
      language,
      seen: this.#seen,
      values,
    })
    return { drawn, bundle }
  }

  /** Draws one of the newest bundles that the fan has not bought; undefined if they bought all. */
  #drawBundle(at: number): Bundle | undefined {
    const { random, bundles, buys } = this.#context
    const newest: Bundle[] = []
    for (let place = bundles.length - 1; place >= 0 && newest.length < newestBundles; place -= 1) {
      const bundle = bundles[place]
      if (bundle !== undefined && bundle.at < at && !this.#owned.has(bundle)) newest.push(bundle)
    }
    if (newest.length === 0) return undefined
    // Good customers get the most expensive of three.
    const drawn = Array.from({ length: buys > goodCustomer ? 3 : 1 }, () => random.pick(newest))
    return drawn.reduce((best, each) => (each.priceAt(at) > best.priceAt(at) ? each : best))
  }

  /** Plays a scene and returns its end, epoch ms. */
  #playScene(
    scene: Scene,
    { start, bundle }: { start: number; bundle: Bundle | undefined },
  ): number {
    const { random, lastDeed, buys } = this.#context
    let at = start
    let isFirst = true
    for (const line of scene.lines) {
      at = this.#say(line, { after: at, isFirst })
      isFirst = false
      const offer = this.#said.at(-1)
      if (line.isOffer !== true || bundle === undefined || offer?.at !== at) continue
      offer.bundle = bundle
      const boughtAt = at + drawWait(random, decisionWait) + 4_000
      const isBought = boughtAt < lastDeed && random.chance(buys)
      if (isBought) {
        offer.boughtAt = boughtAt
        this.#owned.add(bundle)
        this.#bought = bundle.words.bought
        at = boughtAt
      }
      for (const next of (isBought ? scene.bought : scene.declined) ?? [])
        at = this.#say(next, { after: at, isFirst: false })
    }
    return at
  }

  /**
   * Sends a line in one message or several, unless it would be too late. Returns its time, epoch
   * ms.
   */
  #say(line: Line, { after, isFirst }: { after: number; isFirst: boolean }): number {
    const { random, persona, lastDeed, now } = this.#context
    const { isFromFan } = line
    let at = isFirst ? after : after + drawWait(random, waits[isFromFan ? 'fan' : 'creator'])
    if (!isFromFan) at = awakeAfter(persona, at)
    const texts = isFromFan
      ? spell(random, this.#habits, line.text)
      : this.#voice(line, { at, waited: at - after })
    for (const [place, text] of texts.entries()) {
      if (place > 0)
        at += typing.least + Math.floor(text.length * typing.perCharacter * (0.5 + random.next()))
      if (at >= (isFromFan ? lastDeed : now)) return at
      const said: SaidLine = { text, isFromFan, at }
      if (isFromFan && !isFirst && place === 0) this.#addExtra(said)
      this.#said.push(said)
    }
    return at
  }

  #addExtra(said: SaidLine): void {
    const { random } = this.#context
    if (random.chance(chances.gif)) Object.assign(said, { extra: 'gif', text: '' })
    else if (random.chance(chances.photo)) said.extra = 'photo'
    else if (random.chance(chances.reply)) said.isReply = true
  }

  /**
   * Varies a line of the creator: with an excuse, the fan's name, an emoji, or split into two
   * messages.
   */
  #voice(
    { text, isOffer, isRepeated }: Line,
    { at, waited }: { at: number; waited: number },
  ): string[] {
    const { random, writer, persona, facts } = this.#context
    let said = text
    const name = persona.lowerCase ? facts.get('name')?.toLowerCase() : facts.get('name')
    const isNamed = isRepeated === true || random.chance(chances.named)
    if (name !== undefined && isNamed && !said.includes(name)) said = addressed(said, name)
    if (waited > lateMs && random.chance(chances.excuse))
      said = `${writer.excuse(momentOf(persona, at)) ?? ''} ${said}`.trim()
    const { share = 0, signs = [] } = persona.emoji ?? {}
    if (signs.length > 0 && random.chance(share * 1.6)) said += ` ${random.pick(signs)}`
    return isOffer === true || !random.chance(chances.cut) ? [said] : sentencesOf(said)
  }
}

/** Adds a name at the end of the first sentence, or at the start. */
function addressed(text: string, name: string): string {
  const end = /^[^,.!?]{4,}(?=[.!?])/.exec(text)?.[0]
  if (end !== undefined) return `${end}, ${name}${text.slice(end.length)}`
  const isPronoun = text.startsWith('I ') || text.startsWith('I’')
  return `${name}, ${isPronoun ? text : text.charAt(0).toLowerCase() + text.slice(1)}`
}

/** Draws a wait, ms. */
export function drawWait(
  random: Random,
  { median, spread, most }: { median: number; spread: number; most: number },
): number {
  // A sum of uniform numbers approximates a normal distribution and is cheaper.
  const normal = random.next() + random.next() + random.next() + random.next() - 2
  const seconds = Math.min(most, median * Math.exp(spread * normal * 1.73))
  return Math.floor(seconds * 1000) + random.integer(0, 999)
}

/** Draws the time until a creator answers, ms. */
export function drawCreatorWait(random: Random): number {
  return drawWait(random, waits.creator)
}
