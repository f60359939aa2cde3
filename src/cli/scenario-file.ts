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

/** Scenarios of one's own, by their names; undefined where no folder of them was given. */
export type Library = readonly Scenario[] | undefined

/**
 * Reads a scenario from a YAML file; it may extend one of the library. @throws {SandboxError} that
 * names the file, line and column, and what does not fit.
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
 * What a sandbox is to be made from: a shipped name, or a scenario of one's own. @throws
 * {SandboxError}
 */
export async function findScenario(scenario: string, library: Library): Promise<string | Scenario> {
  const isShipped =
    library?.some(({ name }) => name === scenario) !== true &&
    shippedScenarios.some(({ name }) => name === scenario)
  return isShipped ? scenario : (await readNamed(scenario, library)).scenario
}

/**
 * Reads every scenario of a folder; one may extend a shipped one or another of the folder. What is
 * no scenario is passed over, and `log` told.
 *
 * @throws {SandboxError} that names the file, line and column, and what does not fit.
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
        `Passed over ${join(folder, file)}: it is no scenario, it has neither organisations nor ` +
          `extends.`,
      )
    else files.push(own)
  }
  const library: Scenario[] = []
  for (const own of files) {
    const { scenario } = await resolve(own, files, [])
    if (library.some(({ name }) => name === scenario.name))
      throw new SandboxError(
        `Failed to read the scenarios (${own.file}): there are two of the name ${scenario.name}.`,
      )
    library.push(scenario)
  }
  return library
}

const advice = 'Your own are found by their names in the folder given with --scenarios.'

/** A file of a folder, and the name that it gives itself. */
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
 * Reads a file with what it extends, whatever the order of the files; `way` are those that wait for
 * it.
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
      `Failed to read the scenario (${own.file}): ${circle}. Let one of them stand on its own.`,
    )
  }
  return readScenario(own.text, own.file, {
    async find(name) {
      // One that has the name of a shipped scenario may extend that.
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
    `Failed to load the scenario ${JSON.stringify(scenario)}: there is none of that name. ` +
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
    throw refuse('it is no text in UTF-8', error)
  }
}
