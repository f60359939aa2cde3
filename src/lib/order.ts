/** A step that may have to run after other steps. */
export interface Step {
  name: string
  /** The names of the steps that run before this one, because it works with their results. */
  after?: readonly string[]
}

/**
 * Sorts steps so that each one follows all that its `after` names. The order is otherwise stable.
 * @throws {Error} if an `after` names no step, or steps depend on each other.
 */
export function inOrder<Item extends Step>(steps: readonly Item[]): Item[] {
  const names = new Set(steps.map(({ name }) => name))
  for (const { name, after = [] } of steps) {
    const missing = after.find((other) => !names.has(other))
    if (missing !== undefined)
      throw new Error(
        `The step "${name}" comes after "${missing}", but there is no such step. There are ` +
          `${[...names].join(', ')}.`,
      )
  }
  const ordered: Item[] = []
  const done = new Set<string>()
  let waiting = [...steps]
  while (waiting.length > 0) {
    const next = waiting.find(({ after = [] }) => after.every((other) => done.has(other)))
    if (next === undefined)
      throw new Error(
        `These steps depend on each other: ${waiting.map(({ name }) => name).join(', ')}.`,
      )
    ordered.push(next)
    done.add(next.name)
    waiting = waiting.filter((step) => step !== next)
  }
  return ordered
}
