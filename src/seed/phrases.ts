import type { Random } from '../world/random.ts'
import { bitsOfFact, factKinds, momentValues } from './moment.ts'
import type { Moment } from './moment.ts'
import { Pack } from './pack.ts'

/** The kind of each fact. Of several facts of a kind, one must hold; of several kinds, each. */
const kindOf = new Map<string, string>(
  Object.entries(factKinds).flatMap(([kind, facts]) => facts.map((fact) => [fact, kind] as const)),
)

/** The values that a moment has, by name. */
const valueNames = new Map<string, (typeof momentValues)[number]>(
  momentValues.map((value) => [value, value]),
)

/** A phrase taken apart. */
export interface Phrase {
  readonly id: number
  readonly conditions: Conditions | undefined
  /** Words of which one was said before, in small letters. */
  readonly needs: readonly string[] | undefined
  readonly text: string
  /** Its texts and, between two of them, a slot. Undefined until it is first said. */
  pieces: Pieces | undefined
  /** Number of times that it was said. */
  uses: number
}

/** Conditions of a phrase: a moment has a bit of each of `some`, and no bit of `none`. */
interface Conditions {
  some: readonly number[]
  none: number
}

interface Pieces {
  /** One more than there are slots. */
  texts: readonly string[]
  slots: readonly Slot[]
}

/** A slot of a phrase that is filled in. */
interface Slot {
  /** The name, in lower case at its start. */
  name: string
  isCapital: boolean
  /** The name of a value of the moment. */
  value: (typeof momentValues)[number] | undefined
  range: { from: number; step: number; steps: number; isOrdinal: boolean } | undefined
  /** The first number of a count that rises each time that the phrase is said. */
  countFrom: number | undefined
  /** True if it is drawn again each time. */
  isFresh: boolean
  /** The name whose word it must not be. */
  other: string | undefined
  words: readonly string[]
}

/** The phrases of a list that answer a word, and the others. */
interface Packs {
  answers: Pack<Phrase>
  others: Pack<Phrase>
}

/** The character code of `a`. */
const smallA = 97

/**
 * Says things: draws phrases that fit the moment, and fills in their values. The phrases of a list
 * are drawn like cards: none comes again before all others that fit.
 *
 * A phrase such as `(morning, winter) {Dish} with {3-5} eggs` begins with its conditions.
 * `[lift|stairs]` after them asks for a word that was said before, and is then preferred. A value
 * is a word of `words`, which stays the same within what is said at once (`{other dish}` is another
 * one, `{~dish}` is drawn again), a value of the moment (`{weekday}`), a number of a range
 * (`{60-140/5}`: in steps of 5; `{3-9th}`: an ordinal), or a count that rises each time (`{#12}`:
 * from 12 on).
 */
export class Speaker {
  readonly #random: Random
  readonly #words: Readonly<Record<string, readonly string[]>>
  readonly #lowerCase: boolean
  readonly #phrases = new Map<string, Phrase>()
  readonly #lists = new Map<readonly string[], readonly Phrase[]>()
  readonly #packs = new Map<readonly Phrase[], Packs>()

  constructor(
    random: Random,
    {
      words,
      lowerCase = false,
    }: {
      words: Readonly<Record<string, readonly string[]>>
      lowerCase?: boolean
    },
  ) {
    this.#random = random
    this.#words = words
    this.#lowerCase = lowerCase
  }

  /**
   * Says one of the phrases; undefined when none fits the moment. What is said with the same
   * `chosen` has the same words for a name. It says no phrase of `heard`, and adds what it says.
   */
  say(
    phrases: readonly string[],
    moment: Moment,
    { chosen, heard }: { chosen?: Map<string, string>; heard?: Set<unknown> } = {},
  ): string | undefined {
    const said = chosen?.get(saidBefore)
    const phrase = this.#pick(this.parse(phrases), moment, { said, heard })
    if (phrase === undefined) return undefined
    heard?.add(phrase)
    return this.tell(phrase, moment, chosen)
  }

  /**
   * Says one of the phrases that was never said; undefined when there is none that fits the moment.
   */
  sayNew(
    phrases: readonly string[],
    moment: Moment,
    chosen?: Map<string, string>,
  ): string | undefined {
    const { others } = this.#packsOf(this.parse(phrases))
    const phrase = others.deal((each) => each.uses === 0 && fits(each, moment))
    return phrase === undefined ? undefined : this.tell(phrase, moment, chosen)
  }

  /** True if one of the phrases fits the moment. */
  canSay(phrases: readonly string[], moment: Moment): boolean {
    for (const phrase of this.parse(phrases)) if (fits(phrase, moment)) return true
    return false
  }

  /** Takes the phrases of a list apart, once. */
  parse(phrases: readonly string[]): readonly Phrase[] {
    const known = this.#lists.get(phrases)
    if (known !== undefined) return known
    const parsed = phrases.map((phrase) => this.#parse(phrase))
    this.#lists.set(phrases, parsed)
    return parsed
  }

  /** Says a phrase. What is said with the same `chosen` has the same words for a name. */
  tell(phrase: Phrase, moment: Moment, chosen?: Map<string, string>): string {
    phrase.uses += 1
    const text = this.#fill(phrase, moment, chosen)
    return this.#lowerCase ? text.toLowerCase() : capitalise(text)
  }

  /** Draws a phrase that fits: one that answers what was said, if there is any. */
  #pick(
    phrases: readonly Phrase[],
    moment: Moment,
    {
      said = '',
      except,
      heard,
    }: {
      said?: string | undefined
      except?: string | undefined
      heard?: ReadonlySet<unknown> | undefined
    } = {},
  ): Phrase | undefined {
    const { answers, others } = this.#packsOf(phrases)
    const isPossible = (phrase: Phrase) =>
      phrase.text !== except && fits(phrase, moment) && heard?.has(phrase) !== true
    return (
      answers.deal((phrase) => isPossible(phrase) && isAnswer(phrase, said)) ??
      others.deal(isPossible)
    )
  }

  #packsOf(phrases: readonly Phrase[]): Packs {
    const known = this.#packs.get(phrases)
    if (known !== undefined) return known
    const isOther = ({ needs }: Phrase) => needs === undefined
    const packs = {
      answers: new Pack(
        this.#random,
        phrases.filter((phrase) => !isOther(phrase)),
      ),
      others: new Pack(this.#random, phrases.filter(isOther)),
    }
    this.#packs.set(phrases, packs)
    return packs
  }

  #parse(phrase: string): Phrase {
    const known = this.#phrases.get(phrase)
    if (known !== undefined) return known
    const { facts, needs, text } = parsePhrase(phrase)
    const parsed = {
      id: this.#phrases.size,
      conditions: toConditions(facts),
      needs,
      text,
      pieces: undefined,
      uses: 0,
    }
    this.#phrases.set(phrase, parsed)
    return parsed
  }

  #fill(phrase: Phrase, moment: Moment, chosen: Map<string, string> | undefined): string {
    const { texts, slots } = (phrase.pieces ??= this.#cut(phrase.text))
    let filled = texts[0] ?? ''
    if (slots.length === 0) return filled
    const names = chosen ?? new Map<string, string>()
    for (let place = 0; place < slots.length; place += 1) {
      const slot = slots[place] as Slot
      const value =
        slot.countFrom === undefined
          ? this.#value(slot, moment, names)
          : String(slot.countFrom + phrase.uses - 1)
      filled += value + (texts[place + 1] ?? '')
    }
    return filled
  }

  #cut(text: string): Pieces {
    const texts: string[] = []
    const slots: Slot[] = []
    let from = 0
    for (let open = text.indexOf('{'); open !== -1; open = text.indexOf('{', from)) {
      const close = text.indexOf('}', open)
      texts.push(text.slice(from, open))
      slots.push(this.#slot(text.slice(open + 1, close)))
      from = close + 1
    }
    texts.push(text.slice(from))
    return { texts, slots }
  }

  #slot(written: string): Slot {
    const isFresh = written.startsWith('~')
    const plain = isFresh ? written.slice(1) : written
    const range = rangeOf(plain)
    const name = range === undefined ? plain.charAt(0).toLowerCase() + plain.slice(1) : plain
    const other = name.startsWith('other ') ? name.slice('other '.length) : undefined
    return {
      name,
      isCapital: name !== plain,
      isFresh,
      value: valueNames.get(name),
      range,
      countFrom: written.startsWith('#') ? Number(written.slice(1)) : undefined,
      other,
      words: this.#words[other ?? name] ?? [],
    }
  }

  #value(slot: Slot, moment: Moment, chosen: Map<string, string>): string {
    const { name, isCapital, value } = slot
    let filled = slot.isFresh
      ? undefined
      : (chosen.get(name) ?? (value === undefined ? undefined : moment.value(value)))
    if (filled === undefined) {
      filled = this.#draw(slot, moment, chosen)
      if (!slot.isFresh) chosen.set(name, filled)
    }
    return isCapital ? capitalise(filled) : filled
  }

  #draw({ range, other, words }: Slot, moment: Moment, chosen: Map<string, string>): string {
    if (range !== undefined) {
      const number = range.from + this.#random.integer(0, range.steps) * range.step
      return range.isOrdinal ? toOrdinal(number) : String(number)
    }
    const except = other === undefined ? undefined : chosen.get(other)
    const phrase = this.#pick(this.parse(words), moment, { except })
    if (phrase === undefined) return ''
    phrase.uses += 1
    return this.#fill(phrase, moment, chosen)
  }
}

/** Names in braces. */
const braces = /\{([^{}]+)\}/g

/**
 * Takes a phrase apart into the facts that it asks for, with `!` before those that must not be, the
 * words of which one was said before, and its text.
 */
export function parsePhrase(phrase: string): {
  facts: readonly string[]
  needs: readonly string[] | undefined
  text: string
} {
  const match = startsInBrackets(phrase)
    ? /^(?:\(([^)]+)\) +)?(?:\[([^\]]+)\] +)?/.exec(phrase)
    : null
  if (match === null) return { facts: [], needs: undefined, text: phrase }
  return {
    facts: match[1]?.split(/, */) ?? [],
    needs: match[2]?.split('|'),
    text: phrase.slice(match[0].length),
  }
}

function startsInBrackets(phrase: string): boolean {
  return phrase.startsWith('(') || phrase.startsWith('[')
}

/** The name under which `chosen` holds what was said before, in small letters. */
export const saidBefore = ' said'

/** True if a word that the phrase needs was said. */
function isAnswer({ needs = [] }: Phrase, said: string): boolean {
  for (const word of needs) if (said.includes(word)) return true
  return false
}

/** The range that `3-5` or `60-140/5` is. */
function rangeOf(text: string): Slot['range'] {
  if (text.charCodeAt(0) >= smallA) return undefined
  const match = /^(\d+)-(\d+)(?:\/(\d+))?(th)?$/.exec(text)
  if (match === null) return undefined
  const [from, to, step] = [Number(match[1]), Number(match[2]), Number(match[3] ?? 1)]
  return { from, step, steps: Math.floor((to - from) / step), isOrdinal: match[4] !== undefined }
}

/** Writes `63rd` for 63. */
function toOrdinal(number: number): string {
  const isTeen = Math.floor(number / 10) % 10 === 1
  return `${number}${(isTeen ? undefined : ['th', 'st', 'nd', 'rd'][number % 10]) ?? 'th'}`
}

/** Of several facts of a kind, one must be true; of several kinds, each. */
function toConditions(facts: readonly string[]): Conditions | undefined {
  if (facts.length === 0) return undefined
  const some = new Map<string, number>()
  let none = 0
  for (const fact of facts) {
    if (fact.startsWith('!')) none |= bitsOfFact(fact.slice(1))
    else {
      const kind = kindOf.get(fact) ?? fact
      some.set(kind, (some.get(kind) ?? 0) | bitsOfFact(fact))
    }
  }
  return { some: [...some.values()], none }
}

/** The names in braces of a phrase, without `other ` and as words begin. Ranges are no names. */
export function namesIn(phrase: string): string[] {
  return [...phrase.matchAll(braces)]
    .map(([, name = '']) => name.replace(/^~/, ''))
    .map((name) => (name.charAt(0).toLowerCase() + name.slice(1)).replace(/^other /, ''))
    .filter((name) => !/^(#\d+|\d+-\d+(\/\d+)?(th)?)$/.test(name))
}

/** True if all that a phrase asks for is true of the moment. */
export function fits({ conditions }: Phrase, moment: Moment): boolean {
  if (conditions === undefined) return true
  const { bits } = moment
  if ((bits & conditions.none) !== 0) return false
  for (const some of conditions.some) if ((bits & some) === 0) return false
  return true
}

function capitalise(text: string): string {
  // Most phrases begin with a capital: no small letter comes before `a`.
  return text.charCodeAt(0) < smallA ? text : text.charAt(0).toUpperCase() + text.slice(1)
}
