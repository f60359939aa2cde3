import { truncateForMessage } from '../errors.ts'
import type { ExtendedScenario } from '../generated/inputs.ts'
import { checkScenarioValue, createScenarioFinder, parseScenario } from './parse.ts'
import { readTextFile } from './read-text-file.ts'
import type { Scenario } from './schema.ts'

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
