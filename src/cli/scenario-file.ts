import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { explainReadError } from '../lib/file-errors.ts'
import { SandboxError } from '../errors.ts'
import { shippedScenarios } from '../generated/scenario-index.ts'
import { createScenarioFinder, findShippedScenario, readScenario } from '../scenario/parse.ts'
import type { ReadScenario } from '../scenario/parse.ts'
import { detectScenario, readScenarioText } from '../scenario/scenario-file.ts'
import { isScenarioPath, listScenarioNames } from '../scenario/prepare.ts'
import type { Scenario } from '../scenario/schema.ts'

/** The user's own scenarios, or undefined without a folder. */
export type Library = readonly Scenario[] | undefined

/**
 * Reads a scenario from the library, the shipped scenarios, or a file.
 *
 * @throws {SandboxError}
 */
export async function readNamedScenario(scenario: string, library: Library): Promise<ReadScenario> {
  const named =
    library?.find(({ name }) => name === scenario) ?? (await findShippedScenario(scenario))
  if (named !== undefined)
    return {
      scenario: named,
      getPosition: (path) => `${scenario}, at ${path.map(String).join('.')}`,
    }
  if (isScenarioPath(scenario)) {
    const finder = createScenarioFinder(library ?? [], library === undefined ? advice : undefined)
    return readScenario(readScenarioText(scenario), scenario, finder)
  }
  throw createUnknownNameError(scenario, library)
}

/**
 * Finds a scenario. Returns the name of a shipped one, or the scenario itself if it comes from the
 * library or a file.
 *
 * @throws {SandboxError}
 */
export async function findScenario(scenario: string, library: Library): Promise<string | Scenario> {
  const isShipped =
    library?.some(({ name }) => name === scenario) !== true &&
    shippedScenarios.some(({ name }) => name === scenario)
  return isShipped ? scenario : (await readNamedScenario(scenario, library)).scenario
}

/**
 * Reads all scenarios in a folder. They may extend shipped scenarios and each other. Other YAML
 * files are logged and skipped.
 *
 * @throws {SandboxError} with the file, line, column and problem
 */
export async function readScenarioLibrary(
  folder: string,
  log: (message: string) => void,
): Promise<Scenario[]> {
  const files: FolderScenario[] = []
  for (const file of listFiles(folder)) {
    const own = await open(join(folder, file))
    if (own === undefined)
      log(
        `Skipped ${join(folder, file)}: it is not a scenario, because it has neither ` +
          'organisations nor extends.',
      )
    else files.push(own)
  }
  const library: Scenario[] = []
  for (const own of files) {
    const { scenario } = await resolve(own, files, [])
    if (library.some(({ name }) => name === scenario.name))
      throw new SandboxError(
        `Failed to read the scenarios (${own.file}): another file also has the name ` +
          `${scenario.name}. Rename one of these scenarios.`,
      )
    library.push(scenario)
  }
  return library
}

const advice = 'To load your own scenarios by name, set --scenarios FOLDER.'

/** A file in the folder and its scenario name. */
interface FolderScenario {
  file: string
  text: string
  name: string | undefined
}

async function open(file: string): Promise<FolderScenario | undefined> {
  const text = readScenarioText(file)
  const { isScenario, name } = await detectScenario(text)
  return isScenario ? { file, text, name } : undefined
}

/**
 * Reads a file after reading the files that it extends. `way` lists the files that extend this one,
 * to detect cycles.
 */
async function resolve(
  own: FolderScenario,
  files: readonly FolderScenario[],
  way: readonly FolderScenario[],
): Promise<ReadScenario> {
  const from = way.indexOf(own)
  if (from !== -1) {
    const circle = [...way.slice(from), own].map(({ name }) => name).join(' extends ')
    throw new SandboxError(
      `Failed to read the scenario (${own.file}): ${circle}. Remove \`extends\` from one of them.`,
    )
  }
  return readScenario(own.text, own.file, {
    async find(name) {
      // A file may extend the shipped scenario that has the same name.
      const base = files.find((file) => file !== own && file.name === name)
      return base === undefined
        ? findShippedScenario(name)
        : (await resolve(base, files, [...way, own])).scenario
    },
    names: listScenarioNames(files.flatMap(({ name }) => (name === undefined ? [] : { name }))),
  })
}

function createUnknownNameError(scenario: string, library: Library): SandboxError {
  return new SandboxError(
    `Failed to load the scenario ${JSON.stringify(scenario)}: it does not exist. Use one of ` +
      `${listScenarioNames(library ?? []).join(', ')}, or a YAML file such as ./${scenario}.yaml.` +
      (library === undefined ? ` ${advice}` : ''),
  )
}

function listFiles(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((file) => /\.ya?ml$/.test(file))
      .sort()
  } catch (error) {
    throw new SandboxError(
      `Failed to read the scenarios (${folder}): ${explainReadError(error)}. Use a folder.`,
      { cause: error },
    )
  }
}
