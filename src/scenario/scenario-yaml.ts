import { SandboxError } from '../errors.ts'

/** Maximum length of a scenario in YAML, characters. */
export const maxYamlLength = 64 * 1024 * 1024

/**
 * Writes a scenario as YAML, with one step or record per line. The lines are JSON, which is also
 * valid YAML and preserves all values exactly.
 * @throws {SandboxError} if the YAML would be too long to be loaded again
 */
export function toScenarioYaml(scenario: Readonly<Record<string, unknown>>): string {
  const yaml = Object.entries(scenario)
    .map(([field, value]) => {
      if (field === 'timeline') return toYamlList('timeline:', value as readonly unknown[])
      if (field === 'records') return toYamlTables(value as Tables)
      return value === undefined ? '' : `${field}: ${JSON.stringify(value)}\n`
    })
    .join('')
  if (yaml.length <= maxYamlLength) return yaml
  throw new SandboxError(
    `Failed to write a scenario: it has ${yaml.length} characters, but only ${maxYamlLength} ` +
      'can be loaded. Take a snapshot instead.',
  )
}

/** Records by table. A scenario object may have tables that are undefined. */
type Tables = Readonly<Record<string, readonly unknown[] | undefined>>

/** Formats the tables that have records. */
function toYamlTables(tables: Tables): string {
  const written = Object.entries(tables).filter(([, rows = []]) => rows.length > 0)
  if (written.length === 0) return 'records: {}\n'
  return `records:\n${written.map(([table, rows = []]) => toYamlList(`  ${table}:`, rows)).join('')}`
}

/** Formats a list. Items are indented by two more spaces than the title. */
function toYamlList(title: string, list: readonly unknown[]): string {
  if (list.length === 0) return `${title} []\n`
  const indent = ' '.repeat(title.length - title.trimStart().length)
  let yaml = `${title}\n`
  for (const item of list) yaml += `${indent}  - ${JSON.stringify(item)}\n`
  return yaml
}
