import type { Random } from '../world/random.ts'
import type { Fakers } from './faker.ts'
import { isWhen, weekdayNames } from './local-time.ts'
import type { When } from './local-time.ts'
import { fillTemplate, listPlaceholders } from './template.ts'

/** A text of a list, and the only time at which it fits. */
type ListedText = string | { readonly text: string; readonly when?: When | undefined }

/** Values for the placeholders of texts, such as `fan.firstName`. */
export type TextValues = ReadonlyMap<string, string>

/** The occasion of a text: the local date of its author, and the known values. */
export interface TextOccasion {
  local: Date
  values?: TextValues | undefined
}

const noValues: TextValues = new Map()

/**
 * Picks random texts that fit the time and the known values, and fills in their placeholders. A
 * text of a list is repeated only after all other fitting texts.
 */
export class TextPicker {
  readonly #random: Random
  /** Undefined after seeding. Texts with helpers of faker are then never picked. */
  readonly #fakers: Fakers | undefined
  readonly #decks = new Map<unknown, ShuffledDeck<unknown>>()
  readonly #used = new Set<unknown>()

  constructor(random: Random, fakers?: Fakers) {
    this.#random = random
    this.#fakers = fakers
  }

  /** Picks an accepted item of a list. Undefined if no item is accepted. */
  deal<Item>(list: readonly Item[], accepts: (item: Item) => boolean): Item | undefined {
    let deck = this.#decks.get(list) as ShuffledDeck<Item> | undefined
    if (deck === undefined) {
      deck = new ShuffledDeck(this.#random, list)
      this.#decks.set(list, deck)
    }
    return deck.deal(accepts)
  }

  /** Picks a text of a list. Undefined if no text fits. With `isNew`, it was not picked before. */
  pick(
    list: readonly ListedText[],
    { local, values = noValues }: TextOccasion,
    { isNew = false }: { isNew?: boolean } = {},
  ): string | undefined {
    const picked = this.pickItem(list, { local, values }, { isNew })
    if (picked === undefined) return undefined
    return this.fill(typeof picked === 'string' ? picked : picked.text, { local, values })
  }

  /** Picks an item of a list like `pick`, without filling in its text. */
  pickItem<Item extends ListedText>(
    list: readonly Item[],
    { local, values = noValues }: TextOccasion,
    { isNew = false }: { isNew?: boolean } = {},
  ): Item | undefined {
    const picked = this.deal(list, (item) => {
      if (isNew && this.#used.has(item)) return false
      if (typeof item === 'string') return this.canFill(item, values)
      return isWhen(item.when, local) && this.canFill(item.text, values)
    })
    if (picked !== undefined) this.#used.add(picked)
    return picked
  }

  /** True if all values of a text are known. */
  canFill(text: string, values: TextValues): boolean {
    if (!text.includes('{{')) return true
    return listPlaceholders(text).every(
      (name) => name === 'weekday' || values.has(name) || this.#isHelper(name),
    )
  }

  /** Replaces the placeholders of a text. */
  fill(text: string, { local, values = noValues }: TextOccasion): string {
    if (!text.includes('{{')) return text
    const weekday = weekdayNames[local.getUTCDay()] ?? ''
    return fillTemplate(text, {
      faker: this.#fakers?.at('en', this.#random),
      values: new Map([...values, ['weekday', weekday]]),
    })
  }

  #isHelper(name: string): boolean {
    const isOurs = /^(fan|account|offer|tip)\./.test(name)
    return this.#fakers !== undefined && !isOurs
  }
}

/**
 * Deals items like cards from a shuffled deck. An item is repeated only after all other accepted
 * items have been dealt.
 */
export class ShuffledDeck<Item> {
  /** The items already dealt in this round, in order, and then the remaining items. */
  readonly #items: Item[]
  readonly #random: Random
  #dealt = 0

  constructor(random: Random, items: readonly Item[]) {
    this.#random = random
    this.#items = [...items]
  }

  /** Deals the next accepted item. Undefined if no item is accepted. */
  deal(accepts: (item: Item) => boolean): Item | undefined {
    const item = this.#dealNext(accepts) ?? this.#dealAgain(accepts)
    if (this.#dealt === this.#items.length) this.#dealt = 0
    return item
  }

  /** Deals an accepted item that has not been dealt in this round. */
  #dealNext(accepts: (item: Item) => boolean): Item | undefined {
    const items = this.#items
    for (let end = items.length; end > this.#dealt; end -= 1) {
      const index = this.#random.integer(this.#dealt, end - 1)
      const item = items[index] as Item
      const isAccepted = accepts(item)
      // Moves a rejected item to the end.
      const other = isAccepted ? this.#dealt : end - 1
      items[index] = items[other] as Item
      items[other] = item
      if (!isAccepted) continue
      this.#dealt += 1
      return item
    }
    return undefined
  }

  /** Deals an item again: of the accepted items, the item that was dealt first in this round. */
  #dealAgain(accepts: (item: Item) => boolean): Item | undefined {
    const index = this.#items.findIndex((item, at) => at < this.#dealt && accepts(item))
    const item = this.#items[index]
    if (item !== undefined) this.#items.splice(this.#dealt - 1, 0, ...this.#items.splice(index, 1))
    return item
  }
}
