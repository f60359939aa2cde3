import { groupBy } from '../../lib/iterables.ts'
import { isWhen } from '../../seed/local-time.ts'
import type { Exchange, ExchangeKind, Persona } from '../../seed/persona.ts'
import type { SeedTexts } from '../../seed/seed-texts.ts'
import { TextPicker } from '../../seed/text-picker.ts'
import type { TextValues } from '../../seed/text-picker.ts'
import type { Account } from '../../world/tenancy/tenancy.table.ts'
import { createRandom } from '../../world/random.ts'
import type { Random } from '../../world/random.ts'
import { listTextValues } from '../fans/fan-values.ts'
import type { Fan } from '../fans/fans.table.ts'

/** Number of chats of an account in which the same exchange of its creator may occur. */
const maxOwnUses = 3

/** The chat for which an exchange is picked: its time, its values, and the exchanges so far. */
interface ExchangeRequest {
  /** The creator's local date. */
  local: Date
  values: TextValues
  heard?: Set<Exchange>
}

/** Picks exchanges of a kind: the creator's own ones first, and then the shared ones. */
export class ExchangePicker {
  readonly #picker: TextPicker
  readonly #own: ReadonlyMap<ExchangeKind, readonly Exchange[]>
  readonly #shared: ReadonlyMap<ExchangeKind, readonly Exchange[]>
  readonly #uses = new Map<Exchange, number>()

  constructor(
    picker: TextPicker,
    { persona, shared }: { persona: Persona; shared: ExchangesByKind },
  ) {
    this.#picker = picker
    this.#own = groupByKind(persona.exchanges)
    this.#shared = shared
  }

  /**
   * Picks an exchange that fits the time and the known values, and that the chat does not contain
   * yet. Undefined if there is none.
   */
  pick(kind: ExchangeKind, { local, values, heard }: ExchangeRequest): Exchange | undefined {
    const fits = (exchange: Exchange) =>
      heard?.has(exchange) !== true &&
      isWhen(exchange.when, local) &&
      exchange.lines.every((line) => this.#picker.canFill(line, values))
    const picked =
      this.#picker.deal(
        this.#own.get(kind) ?? [],
        (exchange) => (this.#uses.get(exchange) ?? 0) < maxOwnUses && fits(exchange),
      ) ?? this.#picker.deal(this.#shared.get(kind) ?? [], fits)
    if (picked === undefined) return undefined
    heard?.add(picked)
    this.#uses.set(picked, (this.#uses.get(picked) ?? 0) + 1)
    return picked
  }
}

/** Exchanges by kind. */
type ExchangesByKind = ReadonlyMap<ExchangeKind, readonly Exchange[]>

/** Groups exchanges by kind. */
export function groupByKind(exchanges: SeedTexts['exchanges']): ExchangesByKind {
  return groupBy(exchanges as readonly Exchange[], ({ kind }) => kind)
}

/** Writes a line as its speaker spells it. */
export function spellLine(
  text: string,
  { isFromFan, fanId, persona }: { isFromFan: boolean; fanId: number; persona: Persona },
): string {
  if (isFromFan) return writeAsFan(fanId, text)
  if (persona.lowerCase) return text.toLowerCase()
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** Picks a random text for a message of a fan or a creator, in a world that is already seeded. */
export function drawChatText(
  random: Random,
  texts: Pick<SeedTexts, 'exchanges' | 'countries'>,
  {
    persona,
    account,
    fan,
    isFromFan,
    local,
  }: {
    persona: Persona
    account: Pick<Account, 'name'>
    fan: Fan | undefined
    isFromFan: boolean
    /** The creator's local date. */
    local: Date
  },
): string {
  const picker = new TextPicker(random)
  const values = listTextValues(texts, { fan, account })
  const exchanges = new ExchangePicker(picker, { persona, shared: groupByKind(texts.exchanges) })
  const exchange = exchanges.pick('smalltalk', { local, values })
  const line = exchange?.lines[(exchange.first === 'fan') === isFromFan ? 0 : 1]
  const text = picker.fill(line ?? exchange?.lines[0] ?? '', { local, values })
  return spellLine(text, { isFromFan, fanId: fan?.id ?? 0, persona })
}

const signs = ['😊', '😂', '❤️', '😍', '🔥', '👍', '🙈', '😅', '🙏'] as const

/** Writes a text in the style of a fan: capitals, full stops, apostrophes, short words and emoji. */
export function writeAsFan(fanId: number, text: string): string {
  if (text.includes('://')) return text
  const habits = createRandom(0, 'style', fanId)
  const chance = createRandom(0, 'text', fanId, text.length, text)
  const capitals = habits.next()
  let said = text
  if (capitals < 0.5) said = said.toLowerCase()
  else if (capitals > 0.75) said = said.charAt(0).toUpperCase() + said.slice(1)
  if (habits.chance(0.7)) said = said.replace(/(?<!\.)\.$/, '')
  if (habits.chance(0.4)) said = said.replaceAll(/['’]/g, '')
  if (habits.chance(0.2)) said = said.replaceAll(/\byou\b/g, 'u').replaceAll(/\byour\b/g, 'ur')
  if (habits.chance(0.15)) said = said.replaceAll(/\band\b/g, '&')
  if (habits.chance(0.2) && !/[.?]$/.test(said)) said = said.replace(/!?$/, '!')
  const isSigned = chance.chance(habits.pick([0, 0, 0.1, 0.2, 0.35]))
  return isSigned ? `${said} ${habits.pick(signs)}` : said
}
