import type { Work } from '../engine/work.ts'

/** How many parts of a list are written in a unit. */
const perUnit = 200

/** Writes a scenario as YAML, in units: JSON is YAML and keeps every value exactly, and a step or a record a line reads well. */
export function* writingScenario(scenario: Readonly<Record<string, unknown>>): Work<string> {
  const lines: string[] = []
  for (const [field, value] of Object.entries(scenario)) {
    if (field === 'timeline') yield* writeList(lines, { title: 'timeline:', indent: '', list: value as readonly unknown[] })
    else if (field === 'records') {
      lines.push('records:')
      for (const [table, list] of Object.entries(value as Readonly<Record<string, readonly unknown[]>>))
        yield* writeList(lines, { title: `  ${table}:`, indent: '  ', list })
    } else lines.push(`${field}: ${JSON.stringify(value)}`)
  }
  return [...lines, ''].join('\n')
}

function* writeList(lines: string[], { title, indent, list }: { title: string; indent: string; list: readonly unknown[] }): Work {
  if (list.length === 0) lines.push(`${title} []`)
  else lines.push(title)
  for (const [place, item] of list.entries()) {
    lines.push(`${indent}  - ${JSON.stringify(item)}`)
    if (place % perUnit === perUnit - 1) yield
  }
}
