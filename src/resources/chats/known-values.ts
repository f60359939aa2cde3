/** The key of the value that is set after the fan has mentioned the name of their pet. */
export const petIsNamed = ' pet'

/**
 * Values without a default. A phrase that uses one of them is skipped while the value is unknown.
 * Creators only know about a pet after the fan has mentioned it.
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
  /** Bit mask of the conditional values that any of the phrases uses. */
  named: number
  /** The bit mask of each phrase. */
  namedByEach: readonly number[]
  /** Caches the usable phrases, by the bits of the missing values. */
  possible: Map<number, readonly string[]>
}

/** A bit for each conditional value, by its placeholder names in phrases. */
const bitsOfName = new Map<string, number>([
  ...conditional.map((name, place) => [name, 1 << place] as const),
  ['petname', 1 << conditional.indexOf('pet')],
])

/** Returns the bit mask of the conditional values that a phrase uses. */
export function getConditionalBits(phrase: string): number {
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

/** True for one or two words, such as a greeting, which people often repeat. */
export function isShortPhrase(text: string): boolean {
  return text.split(' ', 3).length < 3
}

/** The facts that a fan refers to with `my`. */
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
