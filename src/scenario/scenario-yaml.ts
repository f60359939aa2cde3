import { SandboxError } from '../errors.ts'
import { forEachInSlices, runToEnd } from '../world/work.ts'
import type { Work } from '../world/work.ts'

/** Maximum length of a scenario in YAML, characters. */
export const maxYamlLength = 64 * 1024 * 1024

/**
 * Writes a scenario as YAML, with one step or record per line. The lines are JSON, which is also
 * valid YAML and preserves all values exactly.
 * @throws {SandboxError} if the YAML would be too long to be loaded again
 */
export function toScenarioYaml(scenario: Readonly<Record<string, unknown>>): string {
  return runToEnd(writeScenarioYaml(scenario))
}

/**
 * Like `toScenarioYaml`, in small units of work.
 * @throws {SandboxError} if the YAML would be too long to be loaded again
 */
export function* writeScenarioYaml(scenario: Readonly<Record<string, unknown>>): Work<string> {
  let yaml = ''
  for (const [field, value] of Object.entries(scenario)) {
    if (field === 'timeline') yaml += yield* writeList('timeline:', value as readonly unknown[])
    else if (field === 'records') yaml += yield* writeTables(value as Tables)
    else if (value !== undefined) yaml += `${field}: ${JSON.stringify(value)}\n`
  }
  if (yaml.length <= maxYamlLength) return yaml
  throw new SandboxError(
    `Failed to write a scenario: it has ${yaml.length} characters, but only ${maxYamlLength} ` +
      'can be loaded. Take a snapshot instead.',
  )
}

/** Records by table. A scenario object may have tables that are undefined. */
type Tables = Readonly<Record<string, readonly unknown[] | undefined>>

/** Formats the tables that have records. */
function* writeTables(tables: Tables): Work<string> {
  const written = Object.entries(tables).filter(([, rows = []]) => rows.length > 0)
  if (written.length === 0) return 'records: {}\n'
  let yaml = 'records:\n'
  for (const [table, rows = []] of written) yaml += yield* writeList(`  ${table}:`, rows)
  return yaml
}

/** Formats a list. Items are indented by two more spaces than the title. */
function* writeList(title: string, list: readonly unknown[]): Work<string> {
  if (list.length === 0) return `${title} []\n`
  const indent = ' '.repeat(title.length - title.trimStart().length)
  let yaml = `${title}\n`
  yield* forEachInSlices(list, (item) => {
    yaml += `${indent}  - ${JSON.stringify(item)}\n`
  })
  return yaml
}
