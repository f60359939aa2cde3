/** Key that is set once the fan has mentioned the name of their pet. */
export const petIsNamed = ' pet'

/**
 * Values without a default. A phrase that uses an unknown value is skipped. For example, creators
 * do not know about a pet before the fan has mentioned it.
 */
export const conditional = [
  'name',
  'bought',
  'post',
  'quote',
  'what',
  'about',
  'budget',
  'price',
  'counter',
  'pet',
] as const
/** A list of phrases, with the conditional values that they use. */
export interface NamedList {
  /** Bit mask of all conditional values that the phrases use. */
  named: number
  /** Bit mask of each phrase, in list order. */
  namedByEach: readonly number[]
  /** Caches the usable phrases, by the bit mask of the missing values. */
  possible: Map<number, readonly string[]>
}

/** The bit of each conditional value, by the names of its placeholders. */
const bitsOfName = new Map<string, number>([
  ...conditional.map((name, place) => [name, 1 << place] as const),
  ['petname', 1 << conditional.indexOf('pet')],
])

/** Returns the bit mask of the conditional values that a phrase uses. */
export function getConditionMask(phrase: string): number {
  let bits = 0
  for (let open = phrase.indexOf('{'); open !== -1; open = phrase.indexOf('{', open + 1))
    bits |= bitsOfName.get(phrase.slice(open + 1, phrase.indexOf('}', open)).toLowerCase()) ?? 0
  return bits
}

export function isValueKnown(
  name: (typeof conditional)[number] | undefined,
  values: ReadonlyMap<string, string>,
  isFromFan: boolean,
): boolean {
  return name === 'pet' ? isFromFan || values.has(petIsNamed) : values.has(name ?? '')
}

/**
 * True if the text has only one or two words. People often repeat short phrases, such as greetings.
 */
export function isShortPhrase(text: string): boolean {
  return text.split(' ', 3).length < 3
}

/** Facts that a fan mentions with `my`, as in `my boss`. */
const owned = ['partner', 'friend', 'boss'] as const

/** Replaces the fan's `my sister` with `your sister`. */
export function toCreatorPerspective(text: string, values: ReadonlyMap<string, string>): string {
  let said = text
  for (const name of owned) {
    const fact = values.get(name)
    if (fact?.startsWith('my ') !== true) continue
    const rest = fact.slice('my'.length)
    if (said.includes(rest))
      said = said.replaceAll(fact, `your${rest}`).replaceAll(`My${rest}`, `Your${rest}`)
  }
  return said
}
