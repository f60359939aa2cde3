/**
 * Writes a scenario as YAML: JSON is YAML and keeps every value exactly, and a step or a record per
 * line reads well.
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

/** A list, its items two spaces further in than its title. */
function toYamlList(title: string, list: readonly unknown[]): string {
  if (list.length === 0) return `${title} []\n`
  const indent = ' '.repeat(title.length - title.trimStart().length)
  return `${title}\n${list.map((item) => `${indent}  - ${JSON.stringify(item)}\n`).join('')}`
}
