/** One of several steps whose order counts. */
export interface Step {
  name: string
  /** The names of the steps that come before it: it works with what they have made. */
  after?: readonly string[]
}

/** The steps in an order that keeps every `after`; those that it leaves free stay in the order given. @throws {Error} when one names no step, or they wait for one another. */
export function inOrder<Item extends Step>(steps: readonly Item[]): Item[] {
  const names = new Set(steps.map(({ name }) => name))
  for (const { name, after = [] } of steps) {
    const missing = after.find((other) => !names.has(other))
    if (missing !== undefined)
      throw new Error(`The step "${name}" comes after "${missing}", but there is no such step. There are ${[...names].join(', ')}.`)
  }
  const ordered: Item[] = []
  const done = new Set<string>()
  let waiting = [...steps]
  while (waiting.length > 0) {
    const next = waiting.find(({ after = [] }) => after.every((other) => done.has(other)))
    if (next === undefined) throw new Error(`These steps wait for one another: ${waiting.map(({ name }) => name).join(', ')}.`)
    ordered.push(next)
    done.add(next.name)
    waiting = waiting.filter((step) => step !== next)
  }
  return ordered
}
