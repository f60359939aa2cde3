import { readWritten } from './written.ts'
import { readYaml, YamlError } from './yaml.ts'

/** A first look at a text before it is read as a scenario. */
export interface Peek {
  isScenario: boolean
  /** The name that the scenario gives itself. */
  name: string | undefined
}

/** The fields of which every scenario file has at least one. */
const scenarioFields = ['extends', 'organisations']

/** Looks whether a text is a scenario: it has organisations, or it extends another scenario. */
export async function peekScenario(text: string): Promise<Peek> {
  const written = readWritten(text)?.value
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
  // In malformed YAML the lines decide: an error in a scenario must be reported, and a file of
  // another tool must not.
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
