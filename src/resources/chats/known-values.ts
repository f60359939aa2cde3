/** Placeholders whose values begin with `my`, such as `my boss`. */
const owned = ['partner', 'friend', 'boss'] as const

/**
 * Replaces the fan's wording with the creator's wording. For example, `my boss` becomes
 * `your boss`.
 */
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
