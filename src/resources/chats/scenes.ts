import type { Random } from '../../world/random.ts'
import { dayMs, hourMs, minuteMs, parseIso } from '../../lib/time.ts'
import { toLocalDate } from '../../seed/local-time.ts'
import type { Exchange, ExchangeKind, Persona } from '../../seed/persona.ts'
import type { SeedTexts } from '../../seed/seed-texts.ts'
import { createPostTimePicker } from '../posts/seed/posting.ts'
import type { Subscription } from '../subscribers/subscriptions.table.ts'
import type { Scene } from './chat-player.ts'
import type { ExchangePicker } from './exchanges.ts'
import type { FanLife } from './fan-life.ts'

/** A period in which a fan is subscribed without a pause, epoch ms. */
interface Stay {
  from: number
  until: number
}

/** The chat to plan: its fan, its end time, and its approximate length. */
export interface ChatPlan {
  fan: Subscription
  life: FanLife
  /** Time of the fan's last activity, epoch ms. */
  until: number
  /** Approximate number of messages. */
  count: number
  /** True if the fan may buy offers. */
  canBuy: boolean
  values: ReadonlyMap<string, string>
  heard: Set<Exchange>
  /** A long conversation that the chat should contain. */
  conversations: Iterable<Conversation>
}
type Conversation = SeedTexts['conversations'][number]

/** Probabilities of a greeting, a return, a message before the end, and recent activity. */
const chances = { welcome: 0.8, return: 0.5, leaving: 0.15, recent: 0.6 }
/** Kinds of scenes in chats with buyers and with other fans, with weights. */
const kinds = {
  buyer: [
    ['smalltalk', 40],
    ['offer', 90],
    ['request', 26],
    ['content', 5],
    ['checkin', 6],
    ['gift', 14],
    ['photo', 3],
  ],
  other: [
    ['smalltalk', 62],
    ['offer', 8],
    ['request', 3],
    ['content', 12],
    ['checkin', 7],
    ['gift', 5],
    ['photo', 4],
  ],
} as const satisfies Record<string, readonly (readonly [ExchangeKind, number])[]>
/** Fans mention an absence only if it was at least this long. */
const awayMs = 7 * dayMs
const recentMs = 4 * dayMs
/** Maximum number of scenes in a row that no exchange fits. */
const maxMisses = 12

/** Plans the scenes of an account's chats. */
export class ScenePlanner {
  readonly #random: Random
  readonly #persona: Persona
  readonly #exchanges: ExchangePicker
  readonly #rhythms = new Map<string, ReturnType<typeof createPostTimePicker>>()

  constructor(random: Random, persona: Persona, exchanges: ExchangePicker) {
    this.#random = random
    this.#persona = persona
    this.#exchanges = exchanges
  }

  /** Plans the scenes of a chat, oldest first, and the long conversation that it contains. */
  plan(chat: ChatPlan): { scenes: Scene[]; conversation: Conversation | undefined } {
    const random = this.#random
    const { fan, life, until, canBuy, conversations } = chat
    const stays = listStays(fan, until)
    const scenes: Scene[] = []
    const long = this.#placeConversation(stays, conversations)
    scenes.push(...long.scenes)
    let lines = long.scenes.reduce((sum, { exchange }) => sum + exchange.lines.length, 0)
    const add = (kind: ExchangeKind, at: number) => {
      const scene = this.#pickScene(kind, at, chat)
      if (scene !== undefined) scenes.push(scene)
      return scene?.exchange.lines.length ?? 0
    }
    const first = stays[0]
    if (first === undefined) return { scenes: [], conversation: undefined }
    if (random.chance(chances.welcome))
      lines += add('welcome', first.from + random.integer(90_000, 500 * minuteMs))
    for (const [place, { from }] of stays.entries()) {
      const left = stays[place - 1]?.until ?? Infinity
      if (from - left > awayMs && random.chance(chances.return))
        lines += add('return', from + random.integer(10 * minuteMs, 2000 * minuteMs))
    }
    const last = stays.at(-1) ?? first
    const isHere = last.until === until
    if (!isHere && random.chance(chances.leaving)) lines += add('leaving', last.until - 30 * hourMs)
    if (isHere && random.chance(chances.recent))
      lines += add(
        'smalltalk',
        until - Math.floor(random.next() * Math.min(recentMs, until - last.from)),
      )
    const weighted = stays.map((stay) => [stay, Math.max(1, stay.until - stay.from)] as const)
    const rhythm = this.#rhythmOf(life)
    const options = kinds[canBuy ? 'buyer' : 'other']
    let misses = 0
    while (lines < chat.count && misses < maxMisses) {
      const { from, until: end } = random.pickWeighted(weighted)
      const added = add(random.pickWeighted(options), rhythm(from, Math.max(from + 1, end)))
      lines += added
      misses = added > 0 ? 0 : misses + 1
    }
    return { scenes: scenes.sort((a, b) => a.at - b.at), conversation: long.conversation }
  }

  #pickScene(kind: ExchangeKind, at: number, { values, heard }: ChatPlan): Scene | undefined {
    const known = new Map([...values, ['offer.content', ''], ['offer.topic', '']])
    const local = toLocalDate(this.#persona, at)
    const exchange = this.#exchanges.pick(kind, { local, values: known, heard })
    return exchange === undefined ? undefined : { at, exchange }
  }

  /** Picks a long conversation that fits into a subscription, and the times of its parts. */
  #placeConversation(
    stays: readonly Stay[],
    conversations: Iterable<Conversation>,
  ): { scenes: Scene[]; conversation: Conversation | undefined } {
    for (const conversation of conversations) {
      const days = conversation.parts.reduce((sum, { after }) => sum + after, 0)
      const stay = stays.find(({ from, until }) => until - from > (days + 3) * dayMs)
      if (stay === undefined) continue
      const spare = stay.until - stay.from - (days + 3) * dayMs
      let at = stay.from + dayMs + Math.floor(this.#random.next() * spare)
      const scenes = conversation.parts.map(({ after, first, lines }) => {
        at += after * dayMs
        return { at, exchange: { first, lines }, isWhole: true }
      })
      return { scenes, conversation }
    }
    return { scenes: [], conversation: undefined }
  }

  /** Fans with the same time zone and waking hours share a daily pattern. */
  #rhythmOf(life: FanLife): ReturnType<typeof createPostTimePicker> {
    const key = `${life.utcOffset} ${life.summerTime} ${life.awake.from}`
    const known =
      this.#rhythms.get(key) ??
      createPostTimePicker(this.#random, { ...life, posting: { days: {}, hours: life.hours } })
    this.#rhythms.set(key, known)
    return known
  }
}

/** Returns the periods in which a fan was subscribed without a pause. */
function listStays({ spans }: Subscription, now: number): Stay[] {
  const stays: Stay[] = []
  for (const { from, until } of spans) {
    const [start, end] = [parseIso(from), Math.min(parseIso(until), now)]
    const before = stays.at(-1)
    if (before?.until === start) before.until = end
    else if (start < now) stays.push({ from: start, until: end })
  }
  return stays
}
