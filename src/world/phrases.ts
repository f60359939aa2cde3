import type { Random } from '../engine/random.ts'
import { factKinds } from './moment.ts'
import type { Moment } from './moment.ts'

/** The kind of each fact. Of several facts of a kind, one must hold; of several kinds, each. */
const kindOf = new Map<string, string>(Object.entries(factKinds).flatMap(([kind, facts]) => facts.map((fact) => [fact, kind] as const)))

/** A phrase taken apart. */
interface Phrase {
  id: number
  /** Of each group, one fact must hold. One with `!` before it must not. */
  conditions: readonly (readonly string[])[]
  text: string
  /** How often it was said. */
  uses: number
}

/** How many phrases are drawn to take the one that was said least. */
const draws = 5
/** How many pairs of phrases are remembered. */
const mostPairs = 5000
/** How often sentences are drawn anew because two of them stood together before. */
const attempts = 10

/**
 * Says things: chooses phrases that fit the moment, rather those that it did not say lately, and fills in their values. A phrase such as
 * `(morning, winter) {Dish} with {3-5} eggs` begins with its conditions. A value is a word of `words`, which stays the same within what is
 * said at once (`{other dish}` is another one), a value of the moment (`{weekday}`), or a number of a range (`{60-140/5}`: in steps of 5).
 */
export class Speaker {
  readonly #random: Random
  readonly #words: Readonly<Record<string, readonly string[]>>
  readonly #lowerCase: boolean
  readonly #phrases = new Map<string, Phrase>()
  readonly #pairs = new Set<number>()

  constructor(random: Random, { words, lowerCase = false }: { words: Readonly<Record<string, readonly string[]>>; lowerCase?: boolean }) {
    this.#random = random
    this.#words = words
    this.#lowerCase = lowerCase
  }

  /** Says one of the phrases; undefined when none fits the moment. What is said with the same `chosen` has the same words for a name. */
  say(phrases: readonly string[], moment: Moment, chosen = new Map<string, string>()): string | undefined {
    const phrase = this.#pick(phrases, moment)
    return phrase === undefined ? undefined : this.#tell([phrase], moment, { chosen })
  }

  /** Says one of the phrases that was never said; undefined when there is none that fits the moment. */
  sayNew(phrases: readonly string[], moment: Moment): string | undefined {
    return this.say(
      phrases.filter((text) => this.#parse(text).uses === 0),
      moment,
    )
  }

  /**
   * Says one phrase of each list, one after the other, with `mark` between them: rather such that did not stand together before. Undefined
   * when none fits the moment.
   */
  compose(drawLists: () => readonly (readonly string[])[], moment: Moment, mark = ' '): string | undefined {
    let phrases: readonly Phrase[] = []
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      phrases = drawLists().flatMap((list) => this.#pick(list, moment) ?? [])
      if (phrases.length > 0 && !this.#stoodTogether(phrases)) break
    }
    return phrases.length === 0 ? undefined : this.#tell(phrases, moment, { mark })
  }

  #tell(phrases: readonly Phrase[], moment: Moment, { chosen = new Map<string, string>(), mark = ' ' }): string {
    for (const phrase of phrases) phrase.uses += 1
    for (const [place, { id }] of phrases.entries()) {
      if (this.#pairs.size < mostPairs) for (const { id: other } of phrases.slice(place + 1)) this.#pairs.add(pairOf(id, other))
    }
    const text = phrases.map((phrase) => this.#capitalise(this.#fill(phrase.text, moment, chosen))).join(mark)
    return this.#lowerCase ? text.toLowerCase() : text
  }

  #stoodTogether(phrases: readonly Phrase[]): boolean {
    if (phrases.length === 1) return (phrases[0]?.uses ?? 0) > 0
    return phrases.some(({ id }, place) => phrases.slice(place + 1).some(({ id: other }) => this.#pairs.has(pairOf(id, other))))
  }

  #pick(phrases: readonly string[], moment: Moment): Phrase | undefined {
    let best: Phrase | undefined
    for (let draw = 0; draw < draws && phrases.length > 0; draw += 1) {
      const phrase = this.#parse(this.#random.pick(phrases))
      if (fits(phrase, moment) && (best === undefined || phrase.uses < best.uses)) best = phrase
    }
    if (best !== undefined) return best
    const fitting = phrases.map((text) => this.#parse(text)).filter((phrase) => fits(phrase, moment))
    return fitting.length === 0 ? undefined : this.#random.pick(fitting)
  }

  #parse(phrase: string): Phrase {
    const known = this.#phrases.get(phrase)
    if (known !== undefined) return known
    const { conditions, text } = parsePhrase(phrase)
    const parsed = { id: this.#phrases.size, conditions, text, uses: 0 }
    this.#phrases.set(phrase, parsed)
    return parsed
  }

  #fill(text: string, moment: Moment, chosen: Map<string, string>): string {
    return text.includes('{') ? text.replace(/\{([^{}]+)\}/g, (_, name: string) => this.#value(name, moment, chosen)) : text
  }

  #value(name: string, moment: Moment, chosen: Map<string, string>): string {
    const known = chosen.get(name) ?? moment.values[name]
    if (known !== undefined) return known
    const lower = name.charAt(0).toLowerCase() + name.slice(1)
    if (lower !== name) return capitalise(this.#value(lower, moment, chosen))
    const value = this.#draw(name, moment, chosen)
    chosen.set(name, value)
    return value
  }

  #draw(name: string, moment: Moment, chosen: Map<string, string>): string {
    const range = /^(\d+)-(\d+)(?:\/(\d+))?$/.exec(name)
    if (range !== null) {
      const [from, to, step] = [Number(range[1]), Number(range[2]), Number(range[3] ?? 1)]
      return String(from + this.#random.integer(0, Math.floor((to - from) / step)) * step)
    }
    const taken = name.startsWith('other ') ? chosen.get(name.slice(6)) : undefined
    const words = this.#words[name.replace(/^other /, '')] ?? []
    const phrase = this.#pick(taken === undefined ? words : words.filter((word) => parsePhrase(word).text !== taken), moment)
    if (phrase === undefined) return ''
    phrase.uses += 1
    return this.#fill(phrase.text, moment, chosen)
  }

  #capitalise(text: string): string {
    return this.#lowerCase ? text : capitalise(text)
  }
}

/** Takes a phrase apart into its conditions, in groups by kind, and its text. */
export function parsePhrase(phrase: string): { conditions: readonly (readonly string[])[]; text: string } {
  const match = /^\(([^)]+)\) +/.exec(phrase)
  if (match === null) return { conditions: [], text: phrase }
  const groups = new Map<string, string[]>()
  for (const fact of (match[1] ?? '').split(/, */)) {
    const kind = kindOf.get(fact) ?? fact
    groups.set(kind, [...(groups.get(kind) ?? []), fact])
  }
  return { conditions: [...groups.values()], text: phrase.slice(match[0].length) }
}

/** The names in braces of a phrase, without `other ` and as words begin. Ranges are no names. */
export function namesIn(phrase: string): string[] {
  return [...phrase.matchAll(/\{([^{}]+)\}/g)]
    .map(([, name = '']) => (name.charAt(0).toLowerCase() + name.slice(1)).replace(/^other /, ''))
    .filter((name) => !/^\d+-\d+(\/\d+)?$/.test(name))
}

function fits({ conditions }: Phrase, { facts }: Moment): boolean {
  return conditions.every((group) => group.some((fact) => (fact.startsWith('!') ? !facts.has(fact.slice(1)) : facts.has(fact))))
}

function pairOf(a: number, b: number): number {
  return Math.min(a, b) * 100_000 + Math.max(a, b)
}

function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
