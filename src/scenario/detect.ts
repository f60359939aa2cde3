import { readJsonLines } from './json-lines.ts'
import { readYaml, YamlError } from './yaml.ts'

/** The result of `detectScenario`. */
export interface Detected {
  isScenario: boolean
  /** The name of the scenario, if the text has one. */
  name: string | undefined
}

/** A scenario file has at least one of these fields. */
const scenarioFields = ['extends', 'organisations']

/**
 * Detects whether a text is a scenario, without validating it: it has `organisations` or `extends`.
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
  // In malformed YAML, only the lines are checked. Errors are only reported for scenarios, not for
  // files of other tools.
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
