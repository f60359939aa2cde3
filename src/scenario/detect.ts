import { readJsonLines } from './json-lines.ts'
import { readYaml, YamlError } from './yaml.ts'

/** The result of `detectScenario`. */
export interface Detected {
  isScenario: boolean
  /** Name of the scenario, if the text contains one. */
  name: string | undefined
}

/** Fields that identify a scenario file. It has at least one of them. */
const scenarioFields = ['extends', 'organisations']

/**
 * Detects if a text is a scenario, without validating it. A scenario has `organisations` or
 * `extends`.
 */
export async function detectScenario(text: string): Promise<Detected> {
  const written = readJsonLines(text)?.value
  if (written !== undefined)
    return {
      isScenario: scenarioFields.some((field) => field in written),
      name: toName(written['name']),
    }
  const document = await readYaml(text).then(
    (read) => read.document,
    (error: unknown) => {
      if (!(error instanceof YamlError)) throw error
    },
  )
  // If the YAML is malformed, searches its lines for the fields. Errors are reported only for
  // scenarios, because other files may belong to other tools.
  if (document === undefined)
    return {
      isScenario: new RegExp(`^(${scenarioFields.join('|')})\\s*:`, 'm').test(text),
      name: undefined,
    }
  return {
    isScenario: scenarioFields.some((field) => document.hasIn([field])),
    name: toName(document.getIn(['name'])),
  }
}

function toName(name: unknown): string | undefined {
  return typeof name === 'string' ? name : undefined
}
