import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { SandboxError } from '../errors.ts'
import { findIn, parseScenario } from '../scenario/parse.ts'
import type { Scenario } from '../scenario/schema.ts'

/** Reads a scenario from a YAML file; it may extend one of the library. @throws {SandboxError} that names the file, line and column, and what does not fit. */
export async function readScenarioFile(file: string, library: readonly Scenario[] = []): Promise<Scenario> {
  return parseScenario(readText(file), file, findIn(library))
}

/** Reads every scenario of a folder. One may extend a shipped one, or another of the folder that comes before it. @throws {SandboxError} */
export async function readLibrary(folder: string): Promise<Scenario[]> {
  const library: Scenario[] = []
  for (const file of listFiles(folder)) {
    const scenario = await readScenarioFile(join(folder, file), library)
    if (library.some(({ name }) => name === scenario.name)) throw new SandboxError(`Failed to read the scenarios (${join(folder, file)}): there are two of the name ${scenario.name}.`)
    library.push(scenario)
  }
  return library
}

function listFiles(folder: string): string[] {
  try {
    return readdirSync(folder).filter((file) => /\.ya?ml$/.test(file)).sort()
  } catch (error) {
    throw new SandboxError(`Failed to read the scenarios (${folder}): ${(error as Error).message}. Give a folder.`, { cause: error })
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new SandboxError(`Failed to read the scenario (${file}): ${(error as Error).message}. Give a shipped name or a YAML file.`, { cause: error })
  }
}
