import { truncateForMessage, SandboxError } from '../errors.ts'
import type { ExtendedScenario } from '../generated/inputs.ts'
import { checkScenarioValue, createScenarioFinder, parseScenario } from './parse.ts'
import type { Scenario } from './schema.ts'
import { explainReadError } from '../lib/file-errors.ts'
import { readJsonLines } from './json-lines.ts'
import { readYaml, YamlError } from './yaml.ts'

/**
 * Reads a scenario from a YAML file, or from an object that extends another scenario.
 *
 * @throws {SandboxError} with the file, line, column and problem
 */
export async function readScenarioSource(
  source: string | ExtendedScenario,
  library: readonly Scenario[] = [],
): Promise<Scenario> {
  const finder = createScenarioFinder(library)
  if (typeof source === 'string') return parseScenario(readScenarioText(source), source, finder)
  const placeOf = (path: readonly PropertyKey[]) =>
    truncateForMessage(['scenario', ...path].map(String).join('.'))
  return checkScenarioValue(source, { finder, placeOf })
}

/**
 * Reads the text of a scenario file.
 *
 * @throws {SandboxError} with the file and the reason
 */
export function readScenarioText(file: string): string {
  return readTextFile(file, {
    verb: `read the scenario (${file})`,
    advice: 'Use the name of a scenario, or a YAML file',
    browserAdvice:
      'Pass the scenario as an object, or load its text with sandbox.control.loadScenario({ yaml })',
  })
}

/**
 * Reads a UTF-8 file without a static import of `node:fs`, which browsers could not load. `verb`
 * starts the error message, and `advice` or, without a file system, `browserAdvice` ends it.
 *
 * @throws {SandboxError}
 */
export function readTextFile(
  path: string,
  { verb, advice, browserAdvice }: Record<'verb' | 'advice' | 'browserAdvice', string>,
): string {
  const refuse = (why: string, cause?: unknown) =>
    new SandboxError(
      `Failed to ${verb}: ${why}. ${files === undefined ? browserAdvice : advice}.`,
      { cause },
    )
  const { process } = globalThis as {
    process?: { getBuiltinModule?: (name: 'node:fs') => Files | undefined }
  }
  const files = process?.getBuiltinModule?.('node:fs')
  if (files === undefined) throw refuse('there is no file system')
  let bytes: Uint8Array
  try {
    bytes = files.readFileSync(path)
  } catch (error) {
    throw refuse(explainReadError(error), error)
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    throw refuse('it is not UTF-8 text', error)
  }
}

interface Files {
  readFileSync: (path: string) => Uint8Array
}

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
