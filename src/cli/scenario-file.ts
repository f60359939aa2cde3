import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { explainReading } from '../lib/file-failure.ts'
import { SandboxError } from '../errors.ts'
import { shippedScenarios } from '../generated/scenario-index.ts'
import { findIn, findShipped, readScenario } from '../scenario/parse.ts'
import type { ReadScenario } from '../scenario/parse.ts'
import { detectScenario } from '../scenario/detect.ts'
import { namesWith } from '../scenario/prepare.ts'
import type { Scenario } from '../scenario/schema.ts'

/** The user's scenarios. Undefined if no folder was given. */
export type Library = readonly Scenario[] | undefined

/**
 * Reads a scenario from a YAML file. It may extend one of the library. @throws {SandboxError} that
 * names the file, line and column, and the problem.
 */
export async function readScenarioFile(file: string, library: Library): Promise<ReadScenario> {
  return readScenario(
    readText(file),
    file,
    findIn(library ?? [], library === undefined ? advice : undefined),
  )
}

/**
 * Reads a scenario by its name, in the library or shipped, or from a file. @throws {SandboxError}
 */
export async function readNamed(scenario: string, library: Library): Promise<ReadScenario> {
  const named = library?.find(({ name }) => name === scenario) ?? (await findShipped(scenario))
  if (named !== undefined)
    return { scenario: named, place: (path) => `${scenario}, at ${path.map(String).join('.')}` }
  if (isFile(scenario)) return readScenarioFile(scenario, library)
  throw unknownName(scenario, library)
}

/**
 * Returns the scenario for a sandbox: the name of a shipped one, or a scenario read from the
 * library or a file. @throws {SandboxError}
 */
export async function findScenario(scenario: string, library: Library): Promise<string | Scenario> {
  const isShipped =
    library?.some(({ name }) => name === scenario) !== true &&
    shippedScenarios.some(({ name }) => name === scenario)
  return isShipped ? scenario : (await readNamed(scenario, library)).scenario
}

/**
 * Reads every scenario of a folder. Each may extend a shipped one or another of the folder. Skips
 * other files, with a line to `log`.
 * @throws {SandboxError} that names the file, line and column, and the problem.
 */
export async function readLibrary(
  folder: string,
  log: (message: string) => void,
): Promise<Scenario[]> {
  const files: OwnFile[] = []
  for (const file of listFiles(folder)) {
    const own = await open(join(folder, file))
    if (own === undefined)
      log(
        `Passed over ${join(folder, file)}: it is not a scenario, because it has neither organisations nor ` +
          `extends.`,
      )
    else files.push(own)
  }
  const library: Scenario[] = []
  for (const own of files) {
    const { scenario } = await resolve(own, files, [])
    if (library.some(({ name }) => name === scenario.name))
      throw new SandboxError(
        `Failed to read the scenarios (${own.file}): another file has the name ${scenario.name} too.`,
      )
    library.push(scenario)
  }
  return library
}

const advice = 'Give --scenarios FOLDER to use your own by name.'

/** A file of a folder, and the name that it declares. */
interface OwnFile {
  file: string
  text: string
  name: string | undefined
}

async function open(file: string): Promise<OwnFile | undefined> {
  const text = readText(file)
  const { isScenario, name } = await detectScenario(text)
  return isScenario ? { file, text, name } : undefined
}

/**
 * Reads a file and the scenarios that it extends, in any order of the files. `way` lists the files
 * that extend this one.
 */
async function resolve(
  own: OwnFile,
  files: readonly OwnFile[],
  way: readonly OwnFile[],
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
      // A file with the name of a shipped scenario may extend the shipped one.
      const base = files.find((file) => file !== own && file.name === name)
      return base === undefined
        ? findShipped(name)
        : (await resolve(base, files, [...way, own])).scenario
    },
    names: namesWith(files.flatMap(({ name }) => (name === undefined ? [] : { name }))),
  })
}

function isFile(scenario: string): boolean {
  return /[./\\]/.test(scenario)
}

function unknownName(scenario: string, library: Library): SandboxError {
  return new SandboxError(
    `Failed to load the scenario ${JSON.stringify(scenario)}: it does not exist. ` +
      `Choose one of ${namesWith(library ?? []).join(', ')}, or give a YAML file, such as ` +
      `./${scenario}.yaml.` +
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
      `Failed to read the scenarios (${folder}): ${explainReading(error)}. Give a folder.`,
      { cause: error },
    )
  }
}

function readText(file: string): string {
  const refuse = (why: string, cause: unknown) =>
    new SandboxError(
      `Failed to read the scenario (${file}): ${why}. Give the name of a scenario, or a YAML file.`,
      { cause },
    )
  let bytes: Uint8Array
  try {
    bytes = readFileSync(file)
  } catch (error) {
    throw refuse(explainReading(error), error)
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    throw refuse('it is not UTF-8 text', error)
  }
}
