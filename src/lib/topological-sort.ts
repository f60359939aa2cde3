/** A step that can depend on other steps. */
export interface DependentStep {
  name: string
  /** Names of the steps that must run before this one. */
  after?: readonly string[]
}

/**
 * Sorts steps so that each follows the steps in its `after` (topological sort). Otherwise keeps
 * their order.
 * @throws {Error} if an `after` names an unknown step, or if the dependencies are circular
 */
export function sortTopologically<Item extends DependentStep>(steps: readonly Item[]): Item[] {
  const names = new Set(steps.map(({ name }) => name))
  for (const { name, after = [] } of steps) {
    const missing = after.find((other) => !names.has(other))
    if (missing !== undefined)
      throw new Error(
        `The step "${name}" comes after "${missing}", but there is no such step. The steps are ` +
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
