import { groupBy } from '../../lib/group-by.ts'
import { isWhen } from '../../seed/local-time.ts'
import type { Exchange, ExchangeKind, Persona } from '../../seed/persona.ts'
import type { SeedTexts } from '../../seed/seed-texts.ts'
import type { TextPicker, TextValues } from '../../seed/text-picker.ts'
import { writeAsFan } from './fan-style.ts'

/** Number of chats of an account in which the same exchange of its creator may occur. */
const maxOwnUses = 3

/** The chat for which an exchange is picked: its time, its values, and the exchanges so far. */
export interface ExchangeRequest {
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
export type ExchangesByKind = ReadonlyMap<ExchangeKind, readonly Exchange[]>

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
