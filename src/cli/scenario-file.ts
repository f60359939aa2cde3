import { readFileSync } from 'node:fs'
import { SandboxError } from '../errors.ts'
import { parseScenario } from '../scenario/parse.ts'
import type { Scenario } from '../scenario/schema.ts'

/** Reads a scenario from a YAML file. @throws {SandboxError} that names the file and the path of what does not fit. */
export async function readScenarioFile(file: string): Promise<Scenario> {
  return parseScenario(readText(file), file)
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new SandboxError(`Failed to read the scenario (${file}): ${(error as Error).message}. Give a shipped name or a YAML file.`, { cause: error })
  }
}
