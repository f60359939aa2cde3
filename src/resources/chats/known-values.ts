/** Key in the values that is set after the fan has mentioned their pet by name. */
export const petIsNamed = ' pet'

/**
 * Values without a default. A phrase with one of these names is skipped while the value is unknown.
 * Creators know about a pet after the fan has mentioned it.
 */
export const conditional = [
  'name',
  'bought',
  'post',
  'quote',
  'what',
  'about',
  'budget',
  'pet',
] as const
/** A list of phrases, with the conditional values that they name. */
export interface NamedList {
  /** A bit for each conditional value that a phrase names. */
  named: number
  /** The same for each phrase. */
  namedByEach: readonly number[]
  /** The usable phrases, by the bits of the missing values. */
  possible: Map<number, readonly string[]>
}

/** A bit for each conditional value, by its names in phrases. */
const bitsOfName = new Map<string, number>([
  ...conditional.map((name, place) => [name, 1 << place] as const),
  ['petname', 1 << conditional.indexOf('pet')],
])

/** Returns the bits of the conditional values that a phrase names. */
export function namedIn(phrase: string): number {
  let bits = 0
  for (let open = phrase.indexOf('{'); open !== -1; open = phrase.indexOf('{', open + 1))
    bits |= bitsOfName.get(phrase.slice(open + 1, phrase.indexOf('}', open)).toLowerCase()) ?? 0
  return bits
}

export function isKnown(
  name: (typeof conditional)[number] | undefined,
  values: ReadonlyMap<string, string>,
  isFromFan: boolean,
): boolean {
  return name === 'pet' ? isFromFan || values.has(petIsNamed) : values.has(name ?? '')
}

/** True for one or two words, such as a greeting, which people say again and again. */
export function isShort(text: string): boolean {
  return text.split(' ', 3).length < 3
}

/** The facts that a fan refers to with `my`. */
const owned = ['partner', 'friend', 'boss'] as const

/** Replaces the fan's `my sister` by `your sister`. */
export function toCreator(text: string, values: ReadonlyMap<string, string>): string {
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
