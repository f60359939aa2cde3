import type { Random } from '../world/random.ts'
import { toConditionBits, conditionKinds, contextValues } from './phrase-context.ts'
import type { PhraseContext } from './phrase-context.ts'
import { ShuffledDeck } from './shuffled-deck.ts'

/** The kind of each condition. Of the conditions of the same kind, a phrase needs only one. */
const kindOf = new Map<string, string>(
  Object.entries(conditionKinds).flatMap(([kind, conditions]) =>
    conditions.map((condition) => [condition, kind] as const),
  ),
)

/** Placeholder values of a phrase context, by name in lower case. */
const valueNames = new Map<string, (typeof contextValues)[number]>(
  contextValues.map((value) => [value, value]),
)

/** A parsed phrase. */
export interface Phrase {
  readonly id: number
  readonly conditions: Conditions | undefined
  /** True if the phrase is used at most once. */
  readonly isOnce: boolean
  /** Words in lower case. If set, the phrase is a reply to a text that contains one of them. */
  readonly needs: readonly string[] | undefined
  readonly text: string
  /** Pieces of text between the slots. Undefined until first use. */
  pieces: PhrasePieces | undefined
  /** Number of times that the phrase was used. */
  uses: number
}

/**
 * The conditions of a phrase as bit masks. The context must have at least one bit of each mask in
 * `some`, and no bit of `none`.
 */
interface Conditions {
  some: readonly number[]
  none: number
}

interface PhrasePieces {
  /**
   * The texts before, between and after the slots. There is always one more text than there are
   * slots.
   */
  texts: readonly string[]
  slots: readonly PhraseSlot[]
}

/** A slot in a phrase, which is filled with a value. */
interface PhraseSlot {
  /** The name, starting with a lower-case letter. */
  name: string
  isCapital: boolean
  /** Name of a placeholder value of the context. */
  value: (typeof contextValues)[number] | undefined
  range: { from: number; step: number; steps: number; isOrdinal: boolean } | undefined
  /** First value of a counter that increases each time the phrase is used. */
  countFrom: number | undefined
  /** True if the word is picked again each time. */
  isFresh: boolean
  /** Name of another slot, which must have a different word. */
  other: string | undefined
  words: readonly string[]
}

/** The phrases of a list: `answers` reply to a word in the previous text, and `others` do not. */
interface PhraseDecks {
  answers: ShuffledDeck<Phrase>
  others: ShuffledDeck<Phrase>
}

/** The character code of `a`. */
const smallA = 97

/**
 * Picks random phrases whose conditions are met, and fills in their placeholders. A phrase is
 * repeated only after all other matching phrases of its list have been used.
 *
 * A phrase such as `(morning, winter) {Dish} with {3-5} eggs` begins with its conditions. After
 * them, `[lift|stairs]` means that the phrase replies to one of these words. It is used only if the
 * previous text contains one of them, and is preferred in that case.
 *
 * A name in braces is replaced with a word of `words`, which stays the same for the rest of the
 * text (`{other dish}` is a different word, `{~dish}` is picked again), or with a value of the
 * context (`{weekday}`). Other slots are a number in a range (`{60-140/5}`: in steps of 5;
 * `{3-9th}`: as an ordinal), and a counter that increases with each use (`{#12}`: starts at 12).
 */
export class PhrasePicker {
  readonly #random: Random
  readonly #words: Readonly<Record<string, readonly string[]>>
  readonly #lowerCase: boolean
  readonly #isOnce: (phrase: string) => boolean
  readonly #phrases = new Map<string, Phrase>()
  readonly #lists = new Map<readonly string[], readonly Phrase[]>()
  readonly #packs = new Map<readonly Phrase[], PhraseDecks>()

  constructor(
    random: Random,
    {
      words,
      lowerCase = false,
      isOnce = () => false,
    }: {
      words: Readonly<Record<string, readonly string[]>>
      lowerCase?: boolean
      /**
       * Returns true for phrases that may be used at most once.
       * @default no phrases
       */
      isOnce?: (phrase: string) => boolean
    },
  ) {
    this.#random = random
    this.#words = words
    this.#lowerCase = lowerCase
    this.#isOnce = isOnce
  }

  /**
   * Writes a phrase that is not in `heard`, and adds it to `heard`. Undefined if no such phrase
   * matches the context. Calls with the same `chosen` use the same word for a name.
   */
  say(
    phrases: readonly string[],
    context: PhraseContext,
    { chosen, heard }: { chosen?: Map<string, string>; heard?: Set<unknown> } = {},
  ): string | undefined {
    const said = chosen?.get(saidBefore)
    const phrase = this.#pick(this.parse(phrases), context, { said, heard })
    if (phrase === undefined) return undefined
    heard?.add(phrase)
    return this.tell(phrase, context, chosen)
  }

  /** Writes a phrase that was not used before. Undefined if no such phrase matches the context. */
  sayNew(
    phrases: readonly string[],
    context: PhraseContext,
    chosen?: Map<string, string>,
  ): string | undefined {
    const { others } = this.#packsOf(this.parse(phrases))
    const phrase = others.deal((each) => each.uses === 0 && matchesContext(each, context))
    return phrase === undefined ? undefined : this.tell(phrase, context, chosen)
  }

  /** True if at least one of the phrases matches the context. */
  canSay(phrases: readonly string[], context: PhraseContext): boolean {
    for (const phrase of this.parse(phrases)) if (matchesContext(phrase, context)) return true
    return false
  }

  /** Parses the phrases of a list. The result is cached. */
  parse(phrases: readonly string[]): readonly Phrase[] {
    const known = this.#lists.get(phrases)
    if (known !== undefined) return known
    const parsed = phrases.map((phrase) => this.#parse(phrase))
    this.#lists.set(phrases, parsed)
    return parsed
  }

  /** Writes a phrase. Calls with the same `chosen` use the same word for a name. */
  tell(phrase: Phrase, context: PhraseContext, chosen?: Map<string, string>): string {
    phrase.uses += 1
    const text = this.#fill(phrase, context, chosen)
    return this.#lowerCase ? text.toLowerCase() : capitalise(text)
  }

  /**
   * Picks a random phrase that matches the context. Prefers phrases that reply to the previous
   * text.
   */
  #pick(
    phrases: readonly Phrase[],
    context: PhraseContext,
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
      phrase.text !== except &&
      matchesContext(phrase, context) &&
      heard?.has(phrase) !== true &&
      !(phrase.isOnce && phrase.uses > 0)
    return (
      answers.deal((phrase) => isPossible(phrase) && isAnswer(phrase, said)) ??
      others.deal(isPossible)
    )
  }

  #packsOf(phrases: readonly Phrase[]): PhraseDecks {
    const known = this.#packs.get(phrases)
    if (known !== undefined) return known
    const isOther = ({ needs }: Phrase) => needs === undefined
    const packs = {
      answers: new ShuffledDeck(
        this.#random,
        phrases.filter((phrase) => !isOther(phrase)),
      ),
      others: new ShuffledDeck(this.#random, phrases.filter(isOther)),
    }
    this.#packs.set(phrases, packs)
    return packs
  }

  #parse(phrase: string): Phrase {
    const known = this.#phrases.get(phrase)
    if (known !== undefined) return known
    const { conditions, needs, text } = parsePhrase(phrase)
    const parsed = {
      id: this.#phrases.size,
      conditions: toConditions(conditions),
      isOnce: this.#isOnce(phrase),
      needs,
      text,
      pieces: undefined,
      uses: 0,
    }
    this.#phrases.set(phrase, parsed)
    return parsed
  }

  #fill(phrase: Phrase, context: PhraseContext, chosen: Map<string, string> | undefined): string {
    const { texts, slots } = (phrase.pieces ??= this.#cut(phrase.text))
    let filled = texts[0] ?? ''
    if (slots.length === 0) return filled
    const names = chosen ?? new Map<string, string>()
    for (let place = 0; place < slots.length; place += 1) {
      const slot = slots[place] as PhraseSlot
      const value =
        slot.countFrom === undefined
          ? this.#value(slot, context, names)
          : String(slot.countFrom + phrase.uses - 1)
      filled += value + (texts[place + 1] ?? '')
    }
    return filled
  }

  #cut(text: string): PhrasePieces {
    const texts: string[] = []
    const slots: PhraseSlot[] = []
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

  #slot(written: string): PhraseSlot {
    const isFresh = written.startsWith('~')
    const plain = isFresh ? written.slice(1) : written
    const range = parseRange(plain)
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

  #value(slot: PhraseSlot, context: PhraseContext, chosen: Map<string, string>): string {
    const { name, isCapital, value } = slot
    let filled = slot.isFresh
      ? undefined
      : (chosen.get(name) ?? (value === undefined ? undefined : context.value(value)))
    if (filled === undefined) {
      filled = this.#draw(slot, context, chosen)
      if (!slot.isFresh) chosen.set(name, filled)
    }
    return isCapital ? capitalise(filled) : filled
  }

  #draw(
    { range, other, words }: PhraseSlot,
    context: PhraseContext,
    chosen: Map<string, string>,
  ): string {
    if (range !== undefined) {
      const number = range.from + this.#random.integer(0, range.steps) * range.step
      return range.isOrdinal ? toOrdinal(number) : String(number)
    }
    const except = other === undefined ? undefined : chosen.get(other)
    const phrase = this.#pick(this.parse(words), context, { except })
    if (phrase === undefined) return ''
    phrase.uses += 1
    return this.#fill(phrase, context, chosen)
  }
}

/** Matches a name in braces. */
const braces = /\{([^{}]+)\}/g

/**
 * Splits a phrase into its conditions (`!` marks a negated condition), the words to which it
 * replies, and its text.
 */
export function parsePhrase(phrase: string): {
  conditions: readonly string[]
  needs: readonly string[] | undefined
  text: string
} {
  const match = startsInBrackets(phrase)
    ? /^(?:\(([^)]+)\) +)?(?:\[([^\]]+)\] +)?/.exec(phrase)
    : null
  if (match === null) return { conditions: [], needs: undefined, text: phrase }
  return {
    conditions: match[1]?.split(/, */) ?? [],
    needs: match[2]?.split('|'),
    text: phrase.slice(match[0].length),
  }
}

function startsInBrackets(phrase: string): boolean {
  return phrase.startsWith('(') || phrase.startsWith('[')
}

/** The key in `chosen` for the previous text, in lower case. */
export const saidBefore = ' said'

/** True if the phrase replies to a word in the previous text. */
function isAnswer({ needs = [] }: Phrase, said: string): boolean {
  for (const word of needs) if (said.includes(word)) return true
  return false
}

/** Parses a range such as `3-5` or `60-140/5`. */
function parseRange(text: string): PhraseSlot['range'] {
  if (text.charCodeAt(0) >= smallA) return undefined
  const match = /^(\d+)-(\d+)(?:\/(\d+))?(th)?$/.exec(text)
  if (match === null) return undefined
  const [from, to, step] = [Number(match[1]), Number(match[2]), Number(match[3] ?? 1)]
  return { from, step, steps: Math.floor((to - from) / step), isOrdinal: match[4] !== undefined }
}

/** Formats an ordinal number, such as `63rd`. */
function toOrdinal(number: number): string {
  const isTeen = Math.floor(number / 10) % 10 === 1
  return `${number}${(isTeen ? undefined : ['th', 'st', 'nd', 'rd'][number % 10]) ?? 'th'}`
}

/** Combines conditions of the same kind with OR, and conditions of different kinds with AND. */
function toConditions(names: readonly string[]): Conditions | undefined {
  if (names.length === 0) return undefined
  const some = new Map<string, number>()
  let none = 0
  for (const name of names) {
    if (name.startsWith('!')) none |= toConditionBits(name.slice(1))
    else {
      const kind = kindOf.get(name) ?? name
      some.set(kind, (some.get(kind) ?? 0) | toConditionBits(name))
    }
  }
  return { some: [...some.values()], none }
}

/**
 * Returns the placeholder names of a phrase, without `other ` and with a lower-case first letter.
 * Omits ranges.
 */
export function listPlaceholders(phrase: string): string[] {
  return [...phrase.matchAll(braces)]
    .map(([, name = '']) => name.replace(/^~/, ''))
    .map((name) => (name.charAt(0).toLowerCase() + name.slice(1)).replace(/^other /, ''))
    .filter((name) => !/^(#\d+|\d+-\d+(\/\d+)?(th)?)$/.test(name))
}

/** True if the context meets all conditions of a phrase. */
export function matchesContext({ conditions }: Phrase, context: PhraseContext): boolean {
  if (conditions === undefined) return true
  const { bits } = context
  if ((bits & conditions.none) !== 0) return false
  for (const some of conditions.some) if ((bits & some) === 0) return false
  return true
}

function capitalise(text: string): string {
  // Most phrases already start with a capital letter. Lower-case letters have character codes from
  // `a` on.
  return text.charCodeAt(0) < smallA ? text : text.charAt(0).toUpperCase() + text.slice(1)
}
