/**
 * Writes a scenario as YAML with a step or a record on each line. The lines are JSON, which is
 * valid YAML and keeps every value exactly.
 */
export function toScenarioYaml(scenario: Readonly<Record<string, unknown>>): string {
  return Object.entries(scenario)
    .map(([field, value]) => {
      if (field === 'timeline') return toYamlList('timeline:', value as readonly unknown[])
      if (field === 'records')
        return `records:\n${Object.entries(value as Readonly<Record<string, readonly unknown[]>>)
          .map(([table, rows]) => toYamlList(`  ${table}:`, rows))
          .join('')}`
      return `${field}: ${JSON.stringify(value)}\n`
    })
    .join('')
}

/** Formats a list, with items indented by two more spaces than its title. */
function toYamlList(title: string, list: readonly unknown[]): string {
  if (list.length === 0) return `${title} []\n`
  const indent = ' '.repeat(title.length - title.trimStart().length)
  return `${title}\n${list.map((item) => `${indent}  - ${JSON.stringify(item)}\n`).join('')}`
}
