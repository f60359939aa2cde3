import { dayMs, hourMs } from '../lib/time.ts'
import { conditionKinds, toConditionBits } from './phrase-context.ts'
import type { PhraseContext } from './phrase-context.ts'
import { listPlaceholders } from './phrases.ts'
import type { Random } from '../world/random.ts'

/**
 * A short dialogue that is written as a whole, such as `(weekend) any plans? > sleep | nothing :) >
 * same`. Turns are separated by ` > `, and alternatives of a turn by ` | `. The fan begins, unless
 * the text begins with `> `. ` / ` separates messages that are sent in a row.
 * `<sleep|nothing>` are alternatives of a word.
 */
export interface Exchange {
  isCreatorFirst: boolean
  /** The alternatives of each turn. */
  turns: readonly (readonly string[])[]
  /**
   * Bit masks of conditions on the context, such as the time of day. The context must have at least
   * one bit of each mask in `some`, and no bit of `none`.
   */
  some: readonly number[]
  none: number
  /** Days of the year on which the exchange is possible, as `month * 100 + day`. */
  days: { from: number; to: number } | undefined
  /** Local hours between which the exchange is possible, such as 21 and 3. */
  hours: { from: number; to: number } | undefined
  /** True if the fan tells sad news. */
  isSad: boolean
  /** True if the creator's first line has a free photo. Its topic is the placeholder `about`. */
  isGift: boolean
  /** A reply that takes longer than this no longer fits, ms. */
  maxWait: number
  /** Tags that the fan must have or lack, such as `dog`. */
  tags: readonly TagChoice[]
  otherTags: readonly TagChoice[]
  /** Subjects that each chat has at most once, such as `#job`. */
  subjects: readonly string[]
  /** Subjects that must have come up earlier in the chat. */
  earlier: readonly string[]
  /** Days since the previous exchange of a story, or since the earlier subjects came up. */
  gap: { least: number; most: number } | undefined
  /** Names of placeholders whose values must be known. */
  needs: readonly string[]
  /** Details that the fan must have mentioned, because the creator's first line refers to them. */
  mentioned: readonly string[]
  /** Number of different first lines, approximately. Readers notice a long line: it counts as one. */
  variants: number
  /** True if the first line has at least seven words. */
  isLong: boolean
  /** Number of times that the exchange was used in the world. */
  uses: number
}

/** Subjects are taken up again after this time, unless the exchange specifies another one. */
const usualGap = { least: 3, most: Infinity }

/** Removes an exchange's conditions for the time and for earlier exchanges. */
export const atAnyTime = {
  isCreatorFirst: false,
  some: [],
  none: 0,
  days: undefined,
  hours: undefined,
  mentioned: [],
} satisfies Partial<Exchange>

/** State of a chat that determines which exchanges are possible. */
export interface ExchangeContext {
  values: ReadonlyMap<string, string>
  heard: ReadonlySet<unknown>
  /** The fan's local date and time. */
  fanContext: PhraseContext
  /** The creator's local date and time. Undefined while the creator is asleep. */
  creatorContext: PhraseContext | undefined
  /** Tags of the fan, the account and the creator, with a space before and after each. */
  tags: string
  isKnownWord: (name: string) => boolean
}

/** Key of the fan's tags in the values of a chat. Each tag has a space before and after it. */
export const tagsKey = ' tags'

/** Bits of all times of day, and of all weekdays. */
const dayTimes = conditionKinds.dayTimes.reduce((bits, fact) => bits | toConditionBits(fact), 0)
const weekdays = conditionKinds.weekdays.reduce((bits, fact) => bits | toConditionBits(fact), 0)

/** Key of the tags about the account's recent posts in the values of a chat. */
export const accountTagsKey = ' account'

/** Values that a creator knows without being told. */
const alwaysKnown = new Set(['name', 'bought', 'what', 'about', 'price', 'counter'])

/** An exchange from the shared texts or a persona: a string, or an array of lines. */
export type WrittenExchange = string | readonly (string | readonly string[])[]

/**
 * Parses exchanges, each only once. Exchanges are parsed on first use, because many of them are
 * never used. All writers of a world share the parser, which also keeps the texts that they used.
 */
export class ExchangeParser {
  /** All texts written so far. Writers prefer alternatives that are not in this set. */
  readonly said = new Set<string>()
  readonly #parsed = new Map<WrittenExchange, Exchange>()

  parse(written: WrittenExchange): Exchange {
    let exchange = this.#parsed.get(written)
    if (exchange === undefined) {
      exchange = typeof written === 'string' ? parseExchange(written) : toExchange(written)
      this.#parsed.set(written, exchange)
    }
    return exchange
  }
}

/** Alternative tags, each with a space before and after it. */
type TagChoice = readonly string[]

/** Parses an exchange. */
export function parseExchange(written: string): Exchange {
  const match = written.startsWith('(') ? /^\(([^)]+)\) +/.exec(written) : null
  const text = match === null ? written : written.slice(match[0].length)
  const isCreatorFirst = text.startsWith('>')
  const turns = (isCreatorFirst ? text.slice(1) : text)
    .split(' > ')
    .map((turn) => (turn.includes(' | ') ? turn.split(' | ').map(trim) : [turn.trim()]))
  return {
    ...parseConditions(match?.[1]),
    ...listNeeds(turns, isCreatorFirst),
    ...countVariants(turns[0] ?? []),
    turns,
    isCreatorFirst,
  }
}

/** Creates an exchange from the lines of a dialogue in which the fan begins. */
export function toExchange(lines: readonly (string | readonly string[])[]): Exchange {
  const turns = lines.map((line) => (typeof line === 'string' ? [line] : line))
  return {
    ...parseConditions(undefined),
    ...listNeeds(turns, false),
    ...countVariants(turns[0] ?? []),
    turns,
    isCreatorFirst: false,
  }
}

/** Texts with a value count as this many different lines. */
const variantsOfValue = 4
/** Minimum number of words of a long line. */
const longLine = 7

/** Counts the different texts of a turn. */
function countVariants(turn: readonly string[]): Pick<Exchange, 'variants' | 'isLong' | 'uses'> {
  let variants = 0
  let words = 0
  for (const text of turn) {
    let count = text.includes('{') ? variantsOfValue : 1
    let plain = ''
    let from = 0
    for (let open = text.indexOf('<'); open !== -1; open = text.indexOf('<', from)) {
      const close = text.indexOf('>', open)
      const choices = text.slice(open + 1, close).split('|')
      count *= choices.length
      plain += text.slice(from, open) + (choices[0] ?? '')
      from = close + 1
    }
    variants += count
    words = Math.max(words, (plain + text.slice(from)).split(' ').length)
  }
  const isLong = words >= longLine
  return { variants: isLong ? 1 : variants, isLong, uses: 0 }
}

function trim(text: string): string {
  return text.trim()
}

function parseConditions(
  written: string | undefined,
): Pick<
  Exchange,
  | 'some'
  | 'none'
  | 'days'
  | 'hours'
  | 'isSad'
  | 'isGift'
  | 'maxWait'
  | 'tags'
  | 'otherTags'
  | 'subjects'
  | 'earlier'
  | 'gap'
> {
  const some: number[] = []
  const tags: TagChoice[] = []
  const otherTags: TagChoice[] = []
  const subjects: string[] = []
  const earlier: string[] = []
  let none = 0
  let days: Exchange['days']
  let hours: Exchange['hours']
  let gap: Exchange['gap']
  let isSad = false
  for (const condition of written?.split(/, */) ?? []) {
    const isNegated = condition.startsWith('!')
    const name = isNegated ? condition.slice(1) : condition
    // Words separated by `or` are alternatives.
    const words = name.split(' or ')
    const bits = words.reduce((all, word) => all | toConditionBits(word), 0)
    if (name === 'sad') isSad = true
    else if (name.includes(':')) hours = parseHours(name)
    else if (/^\d/.test(name)) days = parseDays(name)
    else if (name.startsWith('+')) gap = parseGap(name)
    else if (name.startsWith('#')) subjects.push(name)
    else if (name.startsWith('@')) earlier.push(`#${name.slice(1)}`)
    else if (bits === 0) (isNegated ? otherTags : tags).push(words.map((word) => ` ${word} `))
    else if (isNegated) none |= bits
    else some.push(bits)
  }
  const isAt = (bits: number) => some.some((each) => (each & bits) !== 0)
  const maxWait =
    isAt(dayTimes) || hours !== undefined
      ? 3 * hourMs
      : days !== undefined || isAt(weekdays)
        ? 12 * hourMs
        : 2 * dayMs
  const isGift = tags.some((choice) => choice.includes(' gift '))
  return {
    some,
    none,
    days,
    hours,
    isSad,
    isGift,
    maxWait,
    tags,
    otherTags,
    subjects,
    earlier,
    gap,
  }
}

/** Parses a number of days, such as `+5`, or a range, such as `+20-24`. */
function parseGap(written: string): Exchange['gap'] {
  const [least = '', most = least] = written.slice(1).split('-')
  return { least: Number(least), most: Number(most) }
}

/** Parses a day, such as `10-31`, or a range of days, such as `12-24..12-26`. */
function parseDays(written: string): Exchange['days'] {
  const [from = '', to = from] = written.split('..')
  return { from: Number(from.replace('-', '')), to: Number(to.replace('-', '')) }
}

/** Parses a range of hours, such as `21:00..03:00`. */
function parseHours(written: string): Exchange['hours'] {
  const [from = '', to = ''] = written.split('..')
  return { from: Number.parseInt(from, 10), to: Number.parseInt(to, 10) }
}

/** True if a time is in a range of hours. The range may include midnight. */
function isBetween({ from, to }: NonNullable<Exchange['hours']>, { local }: PhraseContext) {
  const hour = local.getUTCHours()
  return from <= to ? hour >= from && hour < to : hour >= from || hour < to
}

/** True if a date is in a range of days. The range may include the end of the year. */
function isWithin({ from, to }: NonNullable<Exchange['days']>, { local }: PhraseContext): boolean {
  const day = (local.getUTCMonth() + 1) * 100 + local.getUTCDate()
  return from <= to ? day >= from && day <= to : day >= from || day <= to
}

function listNeeds(
  turns: Exchange['turns'],
  isCreatorFirst: boolean,
): Pick<Exchange, 'needs' | 'mentioned'> {
  const needs = new Set<string>()
  let mentioned: string[] = []
  for (let place = 0; place < turns.length; place += 1)
    for (const text of turns[place] ?? []) {
      if (!text.includes('{')) continue
      const names = listPlaceholders(text)
      for (const name of names) needs.add(name)
      if (isCreatorFirst && place === 0) mentioned = names.filter((name) => !alwaysKnown.has(name))
    }
  return { needs: [...needs], mentioned }
}

/** True if a date and time meet the conditions of an exchange. */
export function fitsTime({ some, none, days, hours }: Exchange, context: PhraseContext): boolean {
  if (days !== undefined && !isWithin(days, context)) return false
  if (hours !== undefined && !isBetween(hours, context)) return false
  if (some.length === 0 && none === 0) return true
  const { bits } = context
  if ((bits & none) !== 0) return false
  for (const each of some) if ((bits & each) === 0) return false
  return true
}

/** True if an exchange fits the fan and the time, and was not used in the chat before. */
export function isPossible(exchange: Exchange, context: ExchangeContext): boolean {
  const { values, heard, fanContext, creatorContext, isKnownWord } = context
  const { tags, otherTags, subjects, earlier, needs, mentioned } = exchange
  if (heard.has(exchange)) return false
  if (earlier.length > 0) {
    const { least, most } = exchange.gap ?? usualGap
    for (const subject of earlier) {
      const days = (fanContext.local.getTime() - Number(values.get(subject) ?? NaN)) / dayMs
      if (!(days >= least && days <= most)) return false
    }
  }
  const first = exchange.isCreatorFirst ? creatorContext : fanContext
  if (first === undefined || !fitsTime(exchange, first)) return false
  for (const subject of subjects) if (heard.has(subject)) return false
  for (const name of needs) if (!values.has(name) && !isKnownWord(name)) return false
  for (const name of mentioned) if (values.has(name) && !heard.has(toMention(name))) return false
  if (tags.length === 0 && otherTags.length === 0) return true
  const has = (choice: TagChoice) => choice.some((tag) => context.tags.includes(tag))
  return tags.every(has) && !otherTags.some(has)
}

/** Replaces each `<a|b>` in a text with one of its alternatives. */
export function chooseWords(random: Random, text: string): string {
  let chosen = ''
  let from = 0
  for (let open = text.indexOf('<'); open !== -1; open = text.indexOf('<', from)) {
    const close = text.indexOf('>', open)
    const word = random.pick(text.slice(open + 1, close).split('|'))
    const before = text.slice(from, open)
    from = close + 1
    // Removes the space before an empty word, and before a word that begins with a punctuation
    // mark.
    const isJoined = word === '' || ',!?.'.includes(word.charAt(0))
    chosen = joinPieces(chosen, isJoined ? before.trimEnd() : before) + word
  }
  return joinPieces(chosen, text.slice(from)).trim()
}

/** Joins two pieces of a text. Drops a comma after a mark or an emoji, as in `thanks!!, good`. */
function joinPieces(one: string, other: string): string {
  return other.startsWith(',') && /[^\p{L}\p{N}]$/u.test(one) ? one + other.slice(1) : one + other
}

/** Returns the entry of `heard` which means that the fan has mentioned this detail. */
export function toMention(name: string): string {
  return `@${name}`
}
